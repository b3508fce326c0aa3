/**
 * What is worth reading of a text to see why it was found: its beginning, and what stands around each word that comes
 * later. What depends on the text alone is computed once.
 */
import { saysSomething, sentencesOf, toLowerCaseInPlace, type Sentence } from './sentences.js'
import { createWordPlaces, type WordPlaces } from './word-places.js'

/** A piece of a text. */
export interface Passage {
  text: string
  /** In small letters, each at its place. */
  lower: string
  sentences: readonly Sentence[]
  /** Absent where it is read once only. */
  words?: WordPlaces
  /** The first sentence that says something. */
  first: string | undefined
  /** The first sentences that say enough to be compared with a question. */
  comparable: readonly string[]
}

export interface Passages {
  /** About the memory that they take, in bytes. */
  readonly bytes: number
  readonly beginning: Passage
  /** What stands around the first of the later words that begin so, for each of these, in small letters. */
  around (beginnings: readonly string[]): Passage | undefined
}

// What a text is about is said in its beginning.
const BEGINNING = 6000
/** Most sentences of a text that are compared with a question. */
export const MAX_COMPARED = 24
const MIN_LENGTH = 12
const BEFORE = 200
const BEHIND = 300
const TWO_BYTES = /[^\0-\xFF]/
// Places of sentences, and the vectors of these.
const INDEX_BYTES = 32_000
// Places of different words: five bytes for each.
const INDEX_BYTES_PER_CHARACTER = 1 / 4

/**
 * Returns the passages of a text. Its beginning, the first 6,000 characters, is split into sentences at once; the
 * places of its words are indexed at the second question.
 */
export const createPassages = (text: string): Passages => {
  const beginning = createPassage(text.slice(0, BEGINNING))
  let places: WordPlaces | undefined
  let questions = 0
  /** Where words stand is worth indexing from the second question on. */
  const findIn = (): ((word: string) => number) => {
    questions++
    if (questions > 1) {
      beginning.words ??= createWordPlaces(beginning.text, 0)
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
    around (beginnings) {
      if (text.length <= BEGINNING) return undefined
      const windows = beginnings.map(findIn()).filter((place) => place !== -1)
        .map((place) => text.slice(place - BEFORE, place + BEHIND))
      return windows.length === 0 ? undefined : createPassage(windows.join('\n\n'))
    }
  }
}

const createPassage = (text: string): Passage => {
  const sentences = sentencesOf(text)
  let first: string | undefined
  const comparable: string[] = []
  for (const { from, to } of sentences) {
    const sentence = text.slice(from, to)
    if (!saysSomething(sentence)) continue
    first ??= sentence
    if (sentence.length >= MIN_LENGTH) comparable.push(sentence)
    if (comparable.length === MAX_COMPARED) break
  }
  return { text, lower: toLowerCaseInPlace(text), sentences, first, comparable }
}
