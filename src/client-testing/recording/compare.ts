/** Names by its path what differs between a reply and the recorded one, beyond what differs in each run. */
import { REDACTED } from '../../lib/redact/redact.js'
import { isObject, ownValue, sortKeys } from '../../lib/json/json-object.js'

/** The rules, as they are printed. */
export const RULES_OF_COMPARISON = [
  'The order of the keys of an object does not count.',
  'Times (RFC 3339) count as equal; so do UUIDs, and dates in HTTP form.',
  'Cursors, states of requests, ids of tasks, subscriptions and sessions count as equal when both have one; later ' +
    'requests use those of the server.',
  'What the recording has redacted counts as equal to anything.',
  'Progress and log messages do not count, nor do streams of GET.',
  'Of the head, the status and the media type count.'
]

const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)\b/g
const HTTP_DATE = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/** Fields whose values a server chooses anew each time. */
export const VOLATILE_FIELDS: ReadonlySet<string> = new Set([
  'nextCursor', 'cursor', 'requestState', 'taskId', 'request_id', 'sessionId', 'io.modelcontextprotocol/subscriptionId'
])

const normalise = (value: unknown): unknown => mapVolatile(value, (_part, key) => `<${key}>`, (text) =>
  text.replace(TIME, '<time>').replace(HTTP_DATE, '<time>').replace(UUID, '<uuid>'))

/** Changes the volatile texts of a value by `change`, and all others by `others`. Recursive. */
export const mapVolatile = (
  value: unknown, change: (text: string, key: string) => string, others = (text: string): string => text
): unknown => {
  if (typeof value === 'string') return others(value)
  if (Array.isArray(value)) return value.map((part) => mapVolatile(part, change, others))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [
    key,
    VOLATILE_FIELDS.has(key) && typeof part === 'string' ? change(part, key) : mapVolatile(part, change, others)
  ]))
}

/** JSON with sorted keys. Recursive: the parser allows at most 64 levels. */
export const canonical = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? 'null'

const MAX_DIFFERENCES = 20
const MAX_SHOWN = 120

/** Returns one line for each difference, at most 20. Values are JSON. */
export const differencesOf = (recorded: unknown, live: unknown): string[] => {
  const differences: string[] = []
  compare(normalise(recorded), normalise(live), '', differences)
  return differences.length > MAX_DIFFERENCES
    ? [...differences.slice(0, MAX_DIFFERENCES), `… and ${differences.length - MAX_DIFFERENCES} more`]
    : differences
}

/** What is absent is undefined, which no value of JSON is. */
const compare = (recorded: unknown, live: unknown, path: string, differences: string[]): void => {
  if (canonical(recorded) === canonical(live) || isRedacted(recorded, live)) return
  if (Array.isArray(recorded) && Array.isArray(live)) {
    for (let index = 0; index < Math.max(recorded.length, live.length); index++) {
      compare(recorded[index], live[index], `${path}[${index}]`, differences)
    }
  } else if (isObject(recorded) && isObject(live)) {
    for (const key of Object.keys({ ...recorded, ...live })) {
      const name = /^[\w-]+$/.test(key) ? `${path === '' ? '' : `${path}.`}${key}` : `${path}[${JSON.stringify(key)}]`
      compare(ownValue(recorded, key), ownValue(live, key), name, differences)
    }
  } else {
    const before = recorded === undefined ? 'was not recorded' : `${quoteValue(recorded)} was recorded`
    const now = live === undefined ? 'missing' : quoteValue(live)
    differences.push(`${path === '' ? 'the reply' : path}: ${before}, now it is ${now}`)
  }
}

/** A text with a redacted part fits any text that begins and ends as it does. */
const isRedacted = (recorded: unknown, live: unknown): boolean => {
  if (recorded === REDACTED) return true
  if (typeof recorded !== 'string' || typeof live !== 'string' || !recorded.includes(REDACTED)) return false
  return live.startsWith(recorded.slice(0, recorded.indexOf(REDACTED))) &&
    live.endsWith(recorded.slice(recorded.lastIndexOf(REDACTED) + REDACTED.length))
}

const quoteValue = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
