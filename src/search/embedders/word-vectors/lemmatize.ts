/** Reduces an inflected word to its listed base form. */
import { lemmas } from './lemmas.js'

export interface WordList {
  has (word: string): boolean
  /** The word's frequency in English, 0 to 1. */
  likelihood (word: string): number
  /** Whether it is a term of the thesaurus, which means it as it is written there. */
  named (word: string): boolean
}

// How many times likelier the base must be than a form that is listed itself.
const LIKELIER = [[/s$/, 1], [/(ed|ing)$/, 3]] as const

/** The listed base form; undefined when there is none. A listed form stays if its base is rarer: meeting. */
export function lemmatize (word: string, { has, likelihood, named }: WordList): string | undefined {
  const [first, ...others] = lemmas(word).filter(has)
  const [, times] = LIKELIER.find(([ending]) => ending.test(word)) ?? []
  if (first !== word || times === undefined || named(word)) return first
  return others.find((other) => likelihood(other) > times * likelihood(word)) ?? first
}
