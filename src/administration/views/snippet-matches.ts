/** Where the words of a search are in a snippet, for marking them. */
import { STOP_WORDS } from '../../search/embedders/word-vectors/stop-words.js'

interface Match { start: number, end: number }

const WORD = /[\p{L}\p{N}]+/gu
const SUFFIX = /(?:ies|ied|ing|ed|es|s|y|e)$/
const MIN_STEM_CHARS = 3
/** Many other words begin like a stem that is shorter (`part`, `partner`): only an inflection may follow it. */
const MIN_PREFIX_CHARS = 5
const INFLECTION = /^(?:s|es|ed|d|ing|ings|y|ies|ied|e|er|ers|or|ors|ment|ments|able)?$/
const MAX_MATCHES = 50

/** How words of the same meaning begin, roughly: `cancelled` and `cancels` share `cancel`. */
const stemOf = (word: string): string => {
  const stem = word.replace(SUFFIX, '')
  return stem.length >= MIN_STEM_CHARS ? stem : word
}

/** Whether a word is a form of a stem; a consonant may be doubled before its ending, as in `planning`. */
const isFormOf = (word: string, stem: string): boolean => {
  if (!word.startsWith(stem)) return false
  if (stem.length < MIN_STEM_CHARS) return word === stem
  if (stem.length >= MIN_PREFIX_CHARS || !/^[a-z]+$/.test(word)) return true
  const rest = word.slice(stem.length)
  return INFLECTION.test(rest) || (rest.startsWith(stem.slice(-1)) && INFLECTION.test(rest.slice(1)))
}

/** Returns the ranges of words that are forms of a word of the query, in UTF-16 code units, in order. */
export const snippetMatches = (snippet: string, query: string): Match[] => {
  const stems = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word).filter((word) =>
    !STOP_WORDS.has(word)).map(stemOf)
  if (stems.length === 0) return []
  const matches: Match[] = []
  for (const { 0: word, index } of snippet.matchAll(WORD)) {
    if (matches.length >= MAX_MATCHES) break
    const lower = word.toLowerCase()
    if (stems.some((stem) => isFormOf(lower, stem))) {
      matches.push({ start: index, end: index + word.length })
    }
  }
  return matches
}
