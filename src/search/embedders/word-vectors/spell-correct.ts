/** What a mistyped word was to be: the likeliest known word that is one slip away and begins with the same letter. */
import { lemmatize, type WordList } from './lemmatize.js'

const MIN_LENGTH = 5
const MAX_LENGTH = 24
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const LIKELY = 1e-6
// Only words that end so may be inflected.
const INFLECTED = /(s|ed|ing|er|est)$/

export function correct (word: string, wordList: WordList): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return undefined
  let best: string | undefined
  let bestLikelihood = LIKELY
  for (const slip of edits1(word)) {
    const form = INFLECTED.test(slip) ? lemmatize(slip, wordList) : wordList.has(slip) ? slip : undefined
    if (form === undefined) continue
    const likelihood = Math.max(wordList.likelihood(form), wordList.named(form) ? 2 * LIKELY : 0)
    if (likelihood > bestLikelihood) [best, bestLikelihood] = [form, likelihood]
  }
  return best
}

/** All words that a letter more, less, other or two letters in the other order give. */
function * edits1 (word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of LETTERS) {
      yield before + letter + after
      if (after !== '') yield before + letter + after.slice(1)
    }
    if (after === '') continue
    yield before + after.slice(1)
    if (after.length > 1) yield before + after.charAt(1) + after.charAt(0) + after.slice(2)
  }
}
