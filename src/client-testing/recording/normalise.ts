/** What differs between two runs of the same server: it is replaced before replies are compared. */
import { isObject } from '../../lib/json/json-object.js'

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

/** Returns the value with what is volatile replaced by marks. */
export const normalise = (value: unknown): unknown => mapVolatile(value, (_part, key) => `<${key}>`, (text) =>
  text.replace(TIME, '<time>').replace(HTTP_DATE, '<time>').replace(UUID, '<uuid>'))

/**
 * Returns the value with its volatile texts changed by `change`, and all others by `others`. Recursive: the parser
 * allows at most 64 levels.
 */
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
