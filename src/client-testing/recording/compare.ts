/** Compares a reply with the recorded one, and names what differs by its path. */
import { REDACTED } from '../../lib/redact/redact.js'
import { isObject } from '../../lib/json/json-object.js'
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

const compare = (recorded: unknown, live: unknown, path: string, differences: string[]): void => {
  if (canonical(recorded) === canonical(live) || isRedacted(recorded, live)) return
  const where = path === '' ? 'the reply' : path
  if (Array.isArray(recorded) && Array.isArray(live)) {
    for (let index = 0; index < Math.max(recorded.length, live.length); index++) {
      compareParts(
        recorded[index],
        live[index],
        index < recorded.length,
        index < live.length,
        `${path}[${index}]`,
        differences
      )
    }
  } else if (isObject(recorded) && isObject(live)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
      const name = /^[\w-]+$/.test(key) ? `${path === '' ? '' : `${path}.`}${key}` : `${path}[${JSON.stringify(key)}]`
      compareParts(recorded[key], live[key], Object.hasOwn(recorded, key), Object.hasOwn(live, key), name, differences)
    }
  } else {
    differences.push(`${where}: ${quoteValue(recorded)} was recorded, now it is ${quoteValue(live)}`)
  }
}

const compareParts = (
  recorded: unknown,
  live: unknown,
  was: boolean,
  is: boolean,
  path: string,
  differences: string[]
): void => {
  if (was && is) compare(recorded, live, path, differences)
  else if (was) differences.push(`${path}: ${quoteValue(recorded)} was recorded, now it is missing`)
  else differences.push(`${path}: was not recorded, now it is ${quoteValue(live)}`)
}

/** A text with a redacted part fits any text that begins and ends as it does. */
const isRedacted = (recorded: unknown, live: unknown): boolean => {
  if (recorded === REDACTED) return true
  if (typeof recorded !== 'string' || typeof live !== 'string' || !recorded.includes(REDACTED)) return false
  return (
    live.startsWith(recorded.slice(0, recorded.indexOf(REDACTED))) &&
    live.endsWith(recorded.slice(recorded.lastIndexOf(REDACTED) + REDACTED.length))
  )
}

const quoteValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
