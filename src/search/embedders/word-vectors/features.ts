/** Counts the words of a text: known words and phrases in their base form, unknown words as they are. */
import { lemmas, lemmatize, type WordList } from './lemmatize.js'
import { STOP_WORDS } from './stop-words.js'
import { clauses } from './tokens.js'
import { deriveWords } from './derive-words.js'
import type { Vocabulary } from './vocabulary.js'

const MAX_PHRASE_WORDS = 4
const PART_OF_PHRASE = 0.5
const MAX_CACHED = 20_000

/** One word of a text: its spellings within phrases, and the words it counts as by itself. */
interface TokenReading {
  spellings: readonly string[]
  alone: readonly (readonly [word: string, count: number])[]
}

export function features (vocabulary: Vocabulary) {
  const phrases = phraseLengths(vocabulary.words())
  const readings = new Map<string, TokenReading>()

  function read (token: string): TokenReading {
    const cached = readings.get(token)
    if (cached) return cached
    if (readings.size >= MAX_CACHED) readings.clear()
    const reading = readToken(token, vocabulary)
    readings.set(token, reading)
    return reading
  }

  /** Adds the words of a text to `counts`, times a weight. */
  function count (text: string, weight: number, counts: Map<string, number>) {
    const add = (word: string, count: number) => counts.set(word, (counts.get(word) ?? 0) + count * weight)
    for (const tokens of clauses(text)) {
      const clause = tokens.map(read)
      for (let at = 0; at < clause.length;) {
        const phrase = phraseAt(clause, at)
        const length = phrase?.length ?? 1
        if (phrase) add(phrase.term, 1)
        for (const end = at + length; at < end; at++) {
          for (const [word, count] of clause[at]?.alone ?? []) add(word, phrase ? count * PART_OF_PHRASE : count)
        }
      }
    }
  }

  function phraseAt (clause: readonly TokenReading[], at: number) {
    let most = 0
    for (const first of clause[at]?.spellings ?? []) {
      for (const second of clause[at + 1]?.spellings ?? []) {
        most = Math.max(most, phrases.get(`${first}_${second}`) ?? 0)
      }
    }
    for (let length = Math.min(most, clause.length - at); length > 1; length--) {
      const words = clause.slice(at, at + length)
      // `what_if` is listed, but means no more than its words.
      const isMeaningful = words.some(({ alone }) => alone.length > 0) ? vocabulary.has : vocabulary.named
      const term = spellingsOf(words).find(isMeaningful)
      if (term !== undefined) return { term, length }
    }
    return undefined
  }

  return { count, alone: (token: string) => read(token).alone }
}

/** The number of words of the longest phrase that begins with two words, such as `log_in`. */
function phraseLengths (words: Iterable<string>): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  for (const word of words) {
    if (!word.includes('_')) continue
    const parts = word.split('_')
    const beginning = parts.slice(0, 2).join('_')
    lengths.set(beginning, Math.max(lengths.get(beginning) ?? 0, Math.min(parts.length, MAX_PHRASE_WORDS)))
  }
  return lengths
}

function readToken (token: string, wordList: WordList): TokenReading {
  const word = token.toLowerCase()
  const base = (form: string) => lemmatize(form, wordList)
  const forms = lemmas(word)
  const baseForm = forms.map(base).find((form) => form !== undefined)
  // Inside a phrase any form may occur: logging in, though logging is a word.
  const spellings = [...new Set([word, baseForm ?? word, ...forms.filter(wordList.has)])]
  if (STOP_WORDS.has(word)) return { spellings, alone: [] }
  if (baseForm !== undefined) return { spellings, alone: STOP_WORDS.has(baseForm) ? [] : [[baseForm, 1]] }
  const parts = token.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})/u)
  if (parts.length > 1) return { spellings, alone: parts.flatMap((part) => readToken(part, wordList).alone) }
  const derived = forms.map((form) => deriveWords(form, wordList)).find((words) => words.length > 0)
  return { spellings, alone: derived ?? [[word, 1]] }
}

/** All spellings of a phrase; the one in the text first. */
const spellingsOf = (readings: readonly TokenReading[]): string[] =>
  readings.reduce<string[]>((starts, { spellings }) =>
    starts.length === 0 ? [...spellings] : starts.flatMap((start) => spellings.map((word) => `${start}_${word}`)), [])
