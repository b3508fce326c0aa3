/** Compares a reply with the recorded one, and names what differs by its path. */
import { REDACTED } from '../../lib/redact/redact.js'
import { isObject, ownValue } from '../../lib/json/json-object.js'
import { normalise } from './normalise.js'
import { canonical } from './request-key.js'

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
