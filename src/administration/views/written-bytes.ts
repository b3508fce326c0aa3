/** Bounds the JSON of an answer that is made of records, whatever their texts repeat. */

import type { WrittenBytes } from './markdown-node.js'

/** Of one answer. A package of 200,000 characters takes about 0.5 MB. */
const MAX_WRITTEN_BYTES = 2_000_000

/** Creates the budget of one answer, shared by all its texts. */
export const createWrittenBytes = (maxBytes = MAX_WRITTEN_BYTES): WrittenBytes => {
  let left = maxBytes
  return {
    add (value) {
      // With the comma or colon after it.
      if (left >= 0) left -= Buffer.byteLength(JSON.stringify(value)) + 1
      return left >= 0
    },
    get exceeded () { return left < 0 }
  }
}
