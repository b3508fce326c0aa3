/** What begins as somebody has typed it so far, in any case. */
import { sanitizeText } from '../lib/sanitize-text.js'
import { isUuid } from '../lib/uuid.js'

/** A `like` pattern for lower-cased text that starts with the prefix as it stands. */
export const prefixPattern = (prefix: string): string =>
  `${sanitizeText(prefix).toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

// Less than this begins too many of them.
const MIN_UUID_LENGTH = 4

/** The first and the last UUID that begin so; undefined when none does, or too many. */
export const uuidsFrom = (prefix: string): [string, string] | undefined => {
  const filled = (digit: string): string =>
    prefix + '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit).slice(prefix.length)
  return prefix.length >= MIN_UUID_LENGTH && isUuid(filled('0')) ? [filled('0'), filled('f')] : undefined
}
