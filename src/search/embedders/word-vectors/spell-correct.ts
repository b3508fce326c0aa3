/** Corrects a mistyped word to the likeliest known word at edit distance 1 with the same first letter. */
import { lemmatize, type WordList } from './lemmatize.js'

const MIN_LENGTH = 5
const MAX_LENGTH = 24
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const LIKELY = 1e-6
// Only words with these endings may be inflected.
const INFLECTED = /(s|ed|ing|er|est)$/

/** The corrected word in its base form; undefined when no likely word is near. */
export function correct (word: string, wordList: WordList): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return undefined
  let best: string | undefined
  let bestLikelihood = LIKELY
  for (const edit of edits1(word)) {
    const form = INFLECTED.test(edit) ? lemmatize(edit, wordList) : wordList.has(edit) ? edit : undefined
    if (form === undefined) continue
    const likelihood = Math.max(wordList.likelihood(form), wordList.named(form) ? 2 * LIKELY : 0)
    if (likelihood > bestLikelihood) [best, bestLikelihood] = [form, likelihood]
  }
  return best
}

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
