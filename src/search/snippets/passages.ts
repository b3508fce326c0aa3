/**
 * What is worth reading of a text to see why it was found: its beginning, and what stands around each word that comes
 * later. What depends on the text alone is computed once.
 */
import { Passage } from './passage.js'
import { createWordPlaces, type WordPlaces } from './word-places.js'

export interface Passages {
  /** About the memory that they take, in bytes. */
  readonly bytes: number
  readonly beginning: Passage
  /** What stands around the first of the later words that begin so, for each of these, in small letters. */
  around (words: ReadonlyArray<{ beginning: string }>): Passage | undefined
}

// What a text is about is said in its beginning.
const BEGINNING = 6000
const BEFORE = 200
const BEHIND = 300
const TWO_BYTES = /[^\0-\xFF]/
// Places of sentences, and the vectors of these.
const INDEX_BYTES = 32_000
// Places of different words, five bytes for each, and the sentences in which those of the beginning stand.
const INDEX_BYTES_PER_CHARACTER = 1 / 4

/**
 * Returns the passages of a text. Its beginning are the first 6,000 characters. Where words stand is indexed at the
 * second question.
 */
export const createPassages = (text: string): Passages => {
  const beginning = new Passage(text.slice(0, BEGINNING))
  let places: WordPlaces | undefined
  let questions = 0
  /** Where words stand is worth indexing from the second question on. */
  const findIn = (): ((word: string) => number) => {
    questions++
    if (questions > 1) {
      beginning.indexWords()
      places ??= createWordPlaces(text, BEGINNING)
      return places.find
    }
    const rest = text.slice(BEGINNING).toLowerCase()
    return (word) => {
      const place = rest.indexOf(word)
      return place === -1 ? -1 : BEGINNING + place
    }
  }
  return {
    bytes: (text.length + beginning.lower.length) * (TWO_BYTES.test(text) ? 2 : 1) +
      text.length * INDEX_BYTES_PER_CHARACTER + INDEX_BYTES,
    beginning,
    around (words) {
      if (text.length <= BEGINNING) return undefined
      const find = findIn()
      const windows: string[] = []
      for (const { beginning } of words) {
        const place = find(beginning)
        if (place !== -1) windows.push(text.slice(place - BEFORE, place + BEHIND))
      }
      return windows.length === 0 ? undefined : new Passage(windows.join('\n\n'))
    }
  }
}
