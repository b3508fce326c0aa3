// What mistyped words were to be.
import t from 'tap'
import { correct } from '../../../../src/search/embedders/word-vectors/spell-correct.js'

const KNOWN = new Map([['payment', 1e-4], ['receive', 1e-4], ['schedule', 1e-5], ['schedular', 1e-7], ['station', 1e-4]])
const listing = {
  has: (word: string) => KNOWN.has(word), likelihood: (word: string) => KNOWN.get(word) ?? 0, named: () => false
}

t.test('a letter more, less, other, or two in the other order, inflected or not', async (t) => {
  for (const typed of ['payyment', 'paymnt', 'paynent', 'pamyent', 'paymetns']) t.equal(correct(typed, listing), 'payment', typed)
  t.equal(correct('recieved', listing), 'receive')
})

t.test('not two slips, not another first letter, not of short words, numbers and other scripts, not rare words', async (t) => {
  for (const typed of ['pyamnet', 'ayment', 'oayment', 'pay', 'paym3nt', 'платёж', 'schedulars', 'p'.repeat(1000)]) t.equal(correct(typed, listing), undefined, typed)
})
