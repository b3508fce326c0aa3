/** Matches texts by a prefix that someone is typing, case-insensitively. */
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'

/** A `like` pattern for lower-cased text that starts with the prefix, taken literally. */
export const prefixPattern = (prefix: string): string =>
  `${sanitizeText(prefix).toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

// A shorter prefix matches too many UUIDs.
const MIN_UUID_LENGTH = 4

/** The first and the last UUID with this prefix; undefined when no UUID can have it, or too many do. */
export const uuidsFrom = (prefix: string): [string, string] | undefined => {
  const padded = (digit: string): string =>
    prefix + '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit).slice(prefix.length)
  return prefix.length >= MIN_UUID_LENGTH && isUuid(padded('0')) ? [padded('0'), padded('f')] : undefined
}
