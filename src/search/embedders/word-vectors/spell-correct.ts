/** What a mistyped word was to be: the likeliest known word that is one slip away and begins with the same letter. */
import { baseForm, type Listing } from './lemmatize.js'

const SHORTEST = 5
const LONGEST = 24
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const LIKELY = 1e-6
// Only words that end so may be inflected.
const INFLECTED = /(s|ed|ing|er|est)$/

export function meant (word: string, listing: Listing): string | undefined {
  if (word.length < SHORTEST || word.length > LONGEST || !/^[a-z]+$/.test(word)) return undefined
  let best: string | undefined
  let most = LIKELY
  for (const slip of slips(word)) {
    const known = INFLECTED.test(slip) ? baseForm(slip, listing) : listing.has(slip) ? slip : undefined
    if (known === undefined) continue
    const likelihood = Math.max(listing.likelihood(known), listing.named(known) ? 2 * LIKELY : 0)
    if (likelihood > most) [best, most] = [known, likelihood]
  }
  return best
}

/** All words that a letter more, less, other or two letters in the other order give. */
function * slips (word: string): Generator<string> {
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
