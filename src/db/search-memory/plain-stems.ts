/**
 * The stems of a question that consists of plain English words, without asking the database: the lexemes of
 * `to_tsvector('english', …)` in the order of their first positions.
 */
import { englishStem } from './english-stem.js'

/** Longer texts are left to the database. */
const MAX_LENGTH = 1000
const NOT_PLAIN = /[^\t\n\r -~]/
const SPACES = /[ \t\n\r]+/
/**
 * A word, or words with hyphens between them, with marks around them that stand in no token of PostgreSQL's parser.
 * More than one dot would be part of the name of a file.
 */
const PLAIN = /^[("]*([a-z]+(?:-[a-z]+)*)(?:[)",;:!?]+|[.])?$/

/** Returns the stems; undefined for a text that the database has to read. */
export const plainStems = (text: string): string[] | undefined => {
  if (text.length > MAX_LENGTH || NOT_PLAIN.test(text)) return undefined
  const stems = new Set<string>()
  const add = (word: string): void => {
    const stem = englishStem(word)
    if (stem !== undefined) stems.add(stem)
  }
  for (const piece of text.toLowerCase().split(SPACES)) {
    if (piece === '') continue
    const word = PLAIN.exec(piece)?.[1]
    if (word === undefined) return undefined
    add(word)
    if (word.includes('-')) word.split('-').forEach(add)
  }
  return [...stems]
}
