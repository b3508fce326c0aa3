/** Bounds the JSON of an answer that is made of records, whatever their texts repeat. */

/** Of one answer. A package of 200,000 characters takes about 0.5 MB. */
const MAX_WRITTEN_BYTES = 2_000_000

export const createWrittenBytes = (maxBytes = MAX_WRITTEN_BYTES) => {
  let left = maxBytes
  return {
    /** Counts a value that is about to be written. False when it does not fit, and for all values after that. */
    add (value: unknown): boolean {
      // With the comma or colon after it.
      if (left >= 0) left -= Buffer.byteLength(JSON.stringify(value)) + 1
      return left >= 0
    },
    get exceeded (): boolean { return left < 0 }
  }
}

export type WrittenBytes = ReturnType<typeof createWrittenBytes>
