/** Whether a text holds a quoted phrase, by the positions of its words, as PostgreSQL's operator `@@` says it. */
import { placeOf, positionsOf, type IndexedExploration } from './indexed-exploration.js'
import { readLexeme } from './lexeme-ranks.js'

/** The stems of a phrase in their order, each with how many positions it stands after the first one. */
export type Phrase = ReadonlyArray<readonly [lexeme: string, offset: number]>

type Words = Pick<IndexedExploration, 'words' | 'counts' | 'positions'>

const FIRST = /^'((?:[^'\\]|''|\\\\)*)'/
const NEXT = /^ <(-|\d+)> '((?:[^'\\]|''|\\\\)*)'/

/**
 * Reads the text of `phraseto_tsquery`: `'state' <3> 'art'`. A phrase of stop words alone has no stem.
 * @returns undefined for a query that is no row of words
 */
export const parsePhrase = (text: string): Phrase | undefined => {
  if (text === '') return []
  const first = FIRST.exec(text)
  if (!first) return undefined
  const phrase: Array<readonly [string, number]> = [[readLexeme(first[1] ?? ''), 0]]
  let offset = 0
  for (let rest = text.slice(first[0].length); rest !== '';) {
    const next = NEXT.exec(rest)
    if (!next) return undefined
    const [whole, distance = '-', lexeme = ''] = next
    offset += distance === '-' ? 1 : Number(distance)
    phrase.push([readLexeme(lexeme), offset])
    rest = rest.slice(whole.length)
  }
  return phrase
}

/**
 * Returns a test of whether a text holds all of these phrases; none holds a phrase without any stem.
 * @param numberOf gives the number of a word; undefined for a word that stands nowhere
 */
export const holdsPhrases = (
  phrases: readonly Phrase[], numberOf: (lexeme: string) => number | undefined
): (text: Words) => boolean => {
  const numbered = phrases.map((phrase) => phrase.map(([lexeme, offset]) => ({ word: numberOf(lexeme), offset })))
  return (text) => numbered.every((phrase) => holds(text, phrase))
}

const holds = (text: Words, phrase: ReadonlyArray<{ word: number | undefined, offset: number }>): boolean => {
  const [first, ...others] = phrase
  if (first?.word === undefined) return false
  // A word alone needs no position.
  if (others.length === 0) return placeOf(text.words, first.word) !== -1
  let begins = [...positionsOf(text, first.word)]
  for (const { word, offset } of others) {
    const positions = new Set(word === undefined ? [] : positionsOf(text, word))
    begins = begins.filter((begin) => positions.has(begin + offset))
  }
  return begins.length > 0
}
