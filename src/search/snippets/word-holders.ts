/** In which sentences of a passage each word stands, in the order of the alphabet. */
import { saysSomething, type Sentence } from './sentences.js'
import { eachWord, MAX_COMPARED_LENGTH } from './word-places.js'

export interface WordHolders {
  /** The number of the first word that begins so, in small letters; -1 when there is none. */
  find (beginning: string): number
  /** Calls `onSentence` with the number of each sentence that has such a word, once, in no order. */
  eachHolder (first: number, beginning: string, onSentence: (sentence: number) => void): void
}

/** Whether words that begin so can be looked up: not those with marks at an end, and no longer ones. */
export const isIndexed = (beginning: string): boolean => beginning.length <= MAX_COMPARED_LENGTH &&
  saysSomething(beginning.charAt(0)) && saysSomething(beginning.charAt(beginning.length - 1))

interface SortedWords {
  /** A place of each different word, and its length. */
  places: Uint16Array
  lengths: Uint8Array
  /** Where the sentences of each word end in `holders`. */
  ends: Uint16Array
  holders: Uint16Array
}

/** A function of its own, so that what is created below does not hold the map. */
const sortWords = (lower: string, sentences: readonly Sentence[]): SortedWords => {
  const words = new Map<string, { place: number, holders: number[] }>()
  let current = 0
  eachWord(lower, 0, lower.length, (start, end) => {
    while ((sentences[current]?.to ?? Infinity) <= start) current++
    // Addresses of links are in no sentence.
    if (start < (sentences[current]?.from ?? Infinity)) return
    const word = lower.slice(start, end)
    const known = words.get(word)
    if (!known) words.set(word, { place: start, holders: [current] })
    else if (known.holders.at(-1) !== current) known.holders.push(current)
  })
  const sorted = [...words].sort(([one], [other]) => one < other ? -1 : 1)
  const ends: number[] = []
  for (const [, { holders }] of sorted) ends.push((ends.at(-1) ?? 0) + holders.length)
  return {
    places: Uint16Array.from(sorted, ([, { place }]) => place),
    lengths: Uint8Array.from(sorted, ([word]) => word.length),
    ends: Uint16Array.from(ends),
    holders: Uint16Array.from(sorted.flatMap(([, { holders }]) => holders))
  }
}

/** Indexes a text of at most 65,536 characters, in small letters. */
export const createWordHolders = (lower: string, sentences: readonly Sentence[]): WordHolders => {
  const { places, lengths, ends, holders } = sortWords(lower, sentences)
  const seen = new Uint8Array(sentences.length)

  /** Below 0 when the word comes before all that begin so, above 0 when after them. */
  const compare = (word: number, beginning: string): number => {
    const place = places[word]!
    const length = lengths[word]!
    for (let i = 0; i < beginning.length; i++) {
      if (i >= length) return -1
      const difference = lower.charCodeAt(place + i) - beginning.charCodeAt(i)
      if (difference !== 0) return difference
    }
    return 0
  }

  const begins = (word: number, beginning: string): boolean => word < places.length && compare(word, beginning) === 0

  return {
    find (beginning) {
      let low = 0
      let high = places.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if (compare(middle, beginning) < 0) low = middle + 1
        else high = middle
      }
      return begins(low, beginning) ? low : -1
    },

    eachHolder (first, beginning, onSentence) {
      seen.fill(0)
      for (let word = first; begins(word, beginning); word++) {
        for (let at = word === 0 ? 0 : ends[word - 1]!; at < ends[word]!; at++) {
          const sentence = holders[at]!
          if (seen[sentence] === 0) onSentence(sentence)
          seen[sentence] = 1
        }
      }
    }
  }
}
