/**
 * Reads questions that consist of plain English words as PostgreSQL's parser does, so that their stems can be put
 * together from those of their words.
 */

/** Longer texts are left to the database. */
const MAX_LENGTH = 1000
const NOT_PLAIN = /[^\t\n\r -~]/
const SPACES = /[ \t\n\r]+/
/**
 * A word, or words with hyphens between them, with marks around them that stand in no token of PostgreSQL's parser.
 * More than one dot would be part of the name of a file.
 */
const PLAIN = /^[("]*([a-z]+(?:-[a-z]+)*)(?:[)",;:!?]+|[.])?$/

/**
 * Returns the words in small letters in the order of the text, one with hyphens before its parts; undefined for a text
 * that the database has to read.
 */
export const plainWords = (text: string): string[] | undefined => {
  if (text.length > MAX_LENGTH || NOT_PLAIN.test(text)) return undefined
  const words: string[] = []
  for (const piece of text.toLowerCase().split(SPACES)) {
    if (piece === '') continue
    const word = PLAIN.exec(piece)?.[1]
    if (word === undefined) return undefined
    words.push(word)
    if (word.includes('-')) words.push(...word.split('-'))
  }
  return words
}
