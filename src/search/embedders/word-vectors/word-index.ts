/**
 * Finds words by their bytes in a file: a hash table of numbers. A `Map` of strings takes eight times the memory, and
 * leaves as much garbage when it is made.
 */

export interface WordIndex {
  readonly count: number
  /** The place of a word in the list, from 0; undefined for one that is not in it. */
  find (word: string): number | undefined
  /** All words in their order. */
  words (): Iterable<string>
}

const LINE_BREAK = 10
const LAST_ASCII = 127
// FNV-1a
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Creates the index of a list, UTF-8 with one word a line, each once. The list is not copied, and must not change.
 * @param count how many words it has
 */
export const wordIndex = (list: Uint8Array, count: number): WordIndex => {
  const starts = new Uint32Array(count + 1)
  // At most half full, so that few words have to be compared.
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, count) * 2))
  const mask = size - 1
  /** The place of the word plus one; 0 is free. */
  const slots = new Uint32Array(size)

  let hash = HASH_START
  let place = 0
  for (let at = 0; at <= list.length && place < count; at++) {
    const byte = list[at] ?? LINE_BREAK
    if (byte !== LINE_BREAK) {
      hash = Math.imul(hash ^ byte, HASH_FACTOR)
      continue
    }
    let slot = hash & mask
    while (slots[slot] !== 0) slot = slot + 1 & mask
    slots[slot] = ++place
    starts[place] = at + 1
    hash = HASH_START
  }

  /** Looks a word up; `byteAt` returns its bytes. */
  const findBytes = (length: number, byteAt: (at: number) => number): number | undefined => {
    let hash = HASH_START
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ byteAt(at), HASH_FACTOR)
    for (let slot = hash & mask; ; slot = slot + 1 & mask) {
      const next = slots[slot] ?? 0
      if (next === 0) return undefined
      const start = starts[next - 1] ?? 0
      if ((starts[next] ?? 0) - 1 - start !== length) continue
      let at = 0
      while (at < length && list[start + at] === byteAt(at)) at++
      if (at === length) return next - 1
    }
  }

  const isAscii = (word: string): boolean => {
    for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > LAST_ASCII) return false
    return true
  }

  return {
    count,

    find (word) {
      if (isAscii(word)) return findBytes(word.length, (at) => word.charCodeAt(at))
      const bytes = encoder.encode(word)
      return findBytes(bytes.length, (at) => bytes[at] ?? 0)
    },

    * words () {
      for (let place = 0; place < count; place++) {
        yield decoder.decode(list.subarray(starts[place], (starts[place + 1] ?? 0) - 1))
      }
    }
  }
}
