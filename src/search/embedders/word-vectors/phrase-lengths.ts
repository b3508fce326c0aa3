/** How long phrases can be that begin with two words: a small table, which says too much rather than too little. */

export interface PhraseLengths {
  /** Words of the longest phrase that may begin with these two; 0 when there is none. */
  longest (first: string, second: string): number
}

/** One byte each. With 40,000 phrases one pair in six shares its place with another one. */
const SIZE = 2 ** 18
const SEPARATOR = '_'

/** Creates the table. A phrase is written as `log_in`; longer ones than `maxWords` count as that long. */
export const phraseLengths = (words: Iterable<string>, maxWords: number): PhraseLengths => {
  const lengths = new Uint8Array(SIZE)
  for (const word of words) {
    if (!word.includes(SEPARATOR)) continue
    const [first = '', second = '', ...others] = word.split(SEPARATOR)
    const place = placeOf(first, second)
    lengths[place] = Math.max(lengths[place] ?? 0, Math.min(2 + others.length, maxWords))
  }
  return { longest: (first, second) => lengths[placeOf(first, second)] ?? 0 }
}

const placeOf = (first: string, second: string): number => {
  let hash = 0
  for (let at = 0; at < first.length; at++) hash = Math.imul(hash, 31) + first.charCodeAt(at) | 0
  hash = Math.imul(hash, 31) + SEPARATOR.charCodeAt(0) | 0
  for (let at = 0; at < second.length; at++) hash = Math.imul(hash, 31) + second.charCodeAt(at) | 0
  return (hash ^ hash >>> 15) & SIZE - 1
}
