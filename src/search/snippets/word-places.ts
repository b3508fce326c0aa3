/**
 * Where words stand in a long text: the first place of each different word, in the order of the alphabet. A word, or
 * how words begin, is looked up without reading the text again.
 */

export interface WordPlaces {
  /**
   * The first place of a word that begins so, in small letters; -1 when there is none. Marks before its first letter
   * are left out.
   */
  find (beginning: string): number
}

const PART_OF_WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/
const MARKS_BEFORE = /^[^\p{L}\p{N}]+/u
/** Of a longer word only the beginning is compared. */
export const MAX_COMPARED_LENGTH = 64
const [SPACES, MARKS, LETTERS, CAPITALS] = [0, 1, 2, 3]

const kindOf = (character: string): number =>
  PART_OF_WORD.test(character) ? LETTERS : SPACE.test(character) ? SPACES : MARKS

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return character >= 'A' && character <= 'Z' ? CAPITALS : kindOf(character)
})

/** Half of a character outside the first 65,536. */
const isHalf = (code: number): boolean => code >= 0xD800 && code < 0xE000

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code < 128) return ASCII_KINDS[code] ?? MARKS
  // A half cannot be classified by itself.
  return isHalf(code) ? LETTERS : kindOf(text.charAt(at))
}

/** The character in small letters, where that is one character. */
const lowerCodeAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code < 128) return ASCII_KINDS[code] === CAPITALS ? code + 32 : code
  const lower = text.charAt(at).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}

/** Calls `onWord` with the place of each word and its end; for a compound of words, with the rest of it at each. */
export const eachWord = (
  text: string, from: number, to: number, onWord: (start: number, end: number) => void
): void => {
  const starts: number[] = []
  for (let at = from; at < to;) {
    let end = at
    let isInWord = false
    starts.length = 0
    for (let kind = kindAt(text, at); kind !== SPACES; kind = at < to ? kindAt(text, at) : SPACES) {
      if (kind === MARKS) isInWord = false
      else {
        if (!isInWord) starts.push(at)
        // Behind such a half a word may begin: whether that character is a letter is not known.
        isInWord = !isHalf(text.charCodeAt(at))
        end = at + 1
      }
      at++
    }
    for (const start of starts) onWord(start, Math.min(end, start + MAX_COMPARED_LENGTH))
    at++
  }
}

interface SortedWords { places: Uint32Array, lengths: Uint8Array }

/**
 * The first place of each word, and its length, in the order of the words. It is a function of its own because closures
 * hold all variables of the function they are made in that any closure there uses, such as the map here.
 */
const sortWords = (text: string, from: number): SortedWords => {
  const firsts = new Map<string, readonly [start: number, length: number]>()
  eachWord(text, from, text.length, (start, end) => {
    const word = text.slice(start, end).toLowerCase()
    if (!firsts.has(word)) firsts.set(word, [start, end - start])
  })
  const sorted = [...firsts].sort(([one], [other]) => one < other ? -1 : 1)
  return {
    places: Uint32Array.from(sorted, ([, [start]]) => start),
    lengths: Uint8Array.from(sorted, ([, [, length]]) => length)
  }
}

/** Indexes a text from a place to its end. */
export const createWordPlaces = (text: string, from: number): WordPlaces => {
  const { places, lengths } = sortWords(text, from)

  /** Below 0 when the word comes before all that begin so, above 0 when after them. */
  const compare = (word: number, beginning: string): number => {
    const place = places[word] ?? 0
    const length = lengths[word] ?? 0
    for (let i = 0; i < beginning.length; i++) {
      if (i >= length) return -1
      const difference = lowerCodeAt(text, place + i) - beginning.charCodeAt(i)
      if (difference !== 0) return difference
    }
    return 0
  }

  return {
    find (beginning) {
      const wanted = beginning.replace(MARKS_BEFORE, '').slice(0, MAX_COMPARED_LENGTH)
      if (wanted === '') return -1
      let [low, high] = [0, places.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (compare(middle, wanted) < 0) low = middle + 1
        else high = middle
      }
      let first = -1
      for (; low < places.length && compare(low, wanted) === 0; low++) {
        const place = places[low] ?? 0
        if (first === -1 || place < first) first = place
      }
      return first
    }
  }
}
