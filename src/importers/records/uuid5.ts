/** Derives ids: UUID version 5 (RFC 9562), by SHA-1 of a namespace and a name. */
import { createHash } from 'node:crypto'

/** The namespace of all ids that importers derive. */
const NAMESPACE = Buffer.from('6f0c4a1e5d3b4c8a9e72b1d04f6a8c35', 'hex')

/** The id of these parts. U+0000 separates them, so that different lists never have the same name. */
export const uuid5 = (...parts: readonly string[]): string => {
  const hash = createHash('sha1').update(NAMESPACE).update(parts.join('\0'), 'utf8').digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
