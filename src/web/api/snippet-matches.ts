/** Where the words of a search are in a snippet, for marking them. */
import { STOP_WORDS } from '../../search/embedders/word-vectors/stop-words.js'

export interface Match { start: number, end: number }

const WORD = /[\p{L}\p{N}]+/gu
const SUFFIX = /(?:ies|ied|ing|ed|es|s|y|e)$/
const MIN_STEM_CHARS = 3
const MAX_MATCHES = 50

/** How words of the same meaning begin, roughly: `cancelled` and `cancels` share `cancel`. */
const stemOf = (word: string): string => {
  const stem = word.replace(SUFFIX, '')
  return stem.length >= MIN_STEM_CHARS ? stem : word
}

/** Returns the ranges of words that begin like a word of the query, in UTF-16 code units, in order. */
export const snippetMatches = (snippet: string, query: string): Match[] => {
  const stems = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word).filter((word) =>
    !STOP_WORDS.has(word)).map(stemOf)
  if (stems.length === 0) return []
  const matches: Match[] = []
  for (const { 0: word, index } of snippet.matchAll(WORD)) {
    if (matches.length >= MAX_MATCHES) break
    const lower = word.toLowerCase()
    if (stems.some((stem) => stem.length < MIN_STEM_CHARS ? lower === stem : lower.startsWith(stem))) {
      matches.push({ start: index, end: index + word.length })
    }
  }
  return matches
}
