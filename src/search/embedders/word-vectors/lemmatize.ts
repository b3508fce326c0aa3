/** Brings an inflected word to the form that is listed. */
import { lemmas } from './lemmas.js'

export interface WordList {
  has (word: string): boolean
  /** How likely a word of running English is this one. */
  likelihood (word: string): number
  /** Whether it is a term of the thesaurus, which means it as it stands there. */
  named (word: string): boolean
}

// How many times likelier its base must be than a form that is listed itself.
const LIKELIER = [[/s$/, 1], [/(ed|ing)$/, 3]] as const

/**
 * The base form that is listed, if any. A form that is listed itself, but is rarer than its base, is that: cards,
 * charged, not meeting.
 */
export function lemmatize (word: string, { has, likelihood, named }: WordList): string | undefined {
  const [first, ...others] = lemmas(word).filter(has)
  const [, times] = LIKELIER.find(([ending]) => ending.test(word)) ?? []
  if (first !== word || times === undefined || named(word)) return first
  return others.find((other) => likelihood(other) > times * likelihood(word)) ?? first
}
