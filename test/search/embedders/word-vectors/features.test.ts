// What the built-in embedder reads out of a text, over a vocabulary small enough to see.
import t from 'tap'
import { features } from '../../../../src/search/embedders/word-vectors/features.js'
import { correct } from '../../../../src/search/embedders/word-vectors/spell-correct.js'

const KNOWN = ['pay', 'payment', 'log_in', 'log', 'customer', 'custom', 'route', 'web', 'hook', 'search', 'two_factor', 'two', 'factor', 'refund',
  'out_of_office', 'office', 'cafe', 'big', 'stop', 'write', 'feature', 'gate', 'child', 'terms_of_service', 'term', 'service',
  'charge', 'charged', 'meter', 'metered', 'sm', 'sms', 'game', 'gam', 'er', 'what_if', 'about_us']

const LIKELY = ['web', 'hook', 'charge', 'meet']
const vocabulary = {
  has: (word: string) => KNOWN.includes(word),
  likelihood: (word: string) => LIKELY.includes(word) ? 1e-3 : 1e-7,
  named: (word: string) => ['metered', 'sms', 'about_us'].includes(word),
  words: () => KNOWN
}

const read = (text: string) => {
  const counts = new Map<string, number>()
  features(vocabulary).count(text, 1, counts)
  return Object.fromEntries(counts)
}

t.test('inflected forms count as their base, never as a stem', async (t) => {
  t.same(read('Paid payments, PAYING customers!'), { pay: 2, payment: 1, customer: 1 })
  t.same(read('stopped writing to the biggest of children'), { stop: 1, write: 1, big: 1, child: 1 })
  t.same(read('custom'), { custom: 1 })
  t.same(read('charged'), { charge: 1 }, 'a form that is listed but far rarer than its base')
  t.same(read('metered SMS'), { metered: 1, sms: 1 }, 'not what the thesaurus names')
})

t.test('the longest phrase counts one and its words half, however they are inflected and joined', async (t) => {
  t.same(read('logged in'), { log_in: 1, log: 0.5 })
  t.same(read('Two-factor'), { two_factor: 1, two: 0.5, factor: 0.5 })
  t.same(read('our terms of service'), { terms_of_service: 1, term: 0.5, service: 0.5 })
  t.same(read('log, in'), { log: 1 }, 'not beyond a clause')
  t.same(read('what if about us'), { about_us: 1 }, 'of words that say nothing only what the thesaurus names')
})

t.test('words that no one lists, by what they are made of', async (t) => {
  t.same(read('login'), { log_in: 1 })
  t.same(read('rerouted'), { route: 1 })
  t.same(read('webhooks'), { web: 0.6, hook: 0.6 })
  t.same(read('searchable'), { search: 1 })
  t.same(read('featureGate'), { feature: 1, gate: 1 })
  t.same(read('gamers'), { game: 1 })
  t.same(read('etcd'), { etcd: 1 })
})

t.test('other scripts', async (t) => {
  t.same(read('Café'), { cafe: 1 })
  t.same(Object.keys(read('払い戻し')), ['払い', 'い戻', '戻し'])
  t.same(read('🎉🎉 👩‍👩‍👧 …'), {})
  t.same(Object.keys(read('استرداد المبلغ')), ['استرداد', 'المبلغ'])
})

t.test('weights', async (t) => {
  const counts = new Map<string, number>()
  const { count } = features(vocabulary)
  count('refund', 4, counts)
  count('refunded', 1, counts)
  t.equal(counts.get('refund'), 5)
})

t.test('what mistyped words were to be', async (t) => {
  const KNOWN = new Map([['payment', 1e-4], ['receive', 1e-4], ['schedule', 1e-5], ['schedular', 1e-7], ['station', 1e-4]])
  const listing = {
    has: (word: string) => KNOWN.has(word), likelihood: (word: string) => KNOWN.get(word) ?? 0, named: () => false
  }
  for (const typed of ['payyment', 'paymnt', 'paynent', 'pamyent', 'paymetns']) t.equal(correct(typed, listing), 'payment', typed)
  t.equal(correct('recieved', listing), 'receive')
  // Two slips, another first letter, short words, numbers, other scripts, rare words.
  for (const typed of ['pyamnet', 'ayment', 'oayment', 'pay', 'paym3nt', 'платёж', 'schedulars', 'p'.repeat(1000)]) t.equal(correct(typed, listing), undefined, typed)
})
