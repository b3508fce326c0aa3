import { readFile } from 'node:fs/promises'
import t from 'tap'
import { canonicalGroups } from '../../../../src/search/embedders/word-vectors/canonical-groups.js'
import { features } from '../../../../src/search/embedders/word-vectors/features.js'
import { bytesInFile } from '../../../../src/search/embedders/word-vectors/byte-source.js'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { openWordVectors } from '../../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { retrofit } from '../../../../src/search/embedders/word-vectors/retrofit.js'
import { vocabulary } from '../../../../src/search/embedders/word-vectors/vocabulary.js'

const file = await readFile(new URL('../../../../src/search/embedders/word-vectors/thesaurus.txt', import.meta.url), 'utf8')
const lines = file.trimEnd().split('\n').map((text, i) => ({ number: i + 1, text }))
const groups = lines.filter(({ text }) => text !== '' && !text.startsWith('#')).map(({ number, text }) => ({
  number, terms: text.split(', ')
}))

t.test('a line is a comment or a group of four to ten terms of one to four lower-case words', async (t) => {
  const word = '[a-z0-9]+'
  const term = new RegExp(`^${word}(_${word}){0,3}$`)
  const wrong = groups.filter(({ terms }) => terms.length < 4 || terms.length > 10 || !terms.every((each) => term.test(each)))
  t.strictSame(wrong, [])
  t.strictSame(
    lines.filter(({ text }) => text.length > 240 || text !== text.trim()).map(({ number }) => number),
    [],
    'no line is over-long or ends in spaces'
  )
})

t.test('there are at least 1,300 groups', async (t) => {
  t.ok(groups.length >= 1300, `${groups.length} groups`)
})

t.test('no group says what another says already', async (t) => {
  const standing = new Map<string, Set<number>>()
  groups.forEach(({ terms }, i) => terms.forEach((term) => standing.set(term, (standing.get(term) ?? new Set()).add(i))))
  const within = groups.filter(({ terms }, i) => {
    const others = terms.map((term) => standing.get(term) ?? new Set<number>())
    return groups.some((_, j) => j !== i && others.every((standsIn) => standsIn.has(j)))
  })
  t.strictSame(within, [], 'no group is part of another')
  t.strictSame(groups.filter(({ terms }) => new Set(terms).size < terms.length), [], 'no term stands twice in a group')
  const frequent = [...standing].filter(([, within]) => within.size > 5).map(([term]) => term)
  t.strictSame(frequent, [], 'no term stands in more than five groups')
})

t.test('each field that products are planned in has its groups', async (t) => {
  const fields: Record<string, string[]> = {
    payments: ['refund', 'checkout', 'currency', 'payout'],
    identity: ['login', 'passkey', 'sso', 'mfa'],
    scheduling: ['appointment', 'calendar', 'reminder', 'waitlist'],
    health: ['patient', 'prescription', 'telehealth', 'vaccination'],
    logistics: ['shipping', 'warehouse', 'fleet', 'inventory'],
    education: ['student', 'quiz', 'homework', 'grade'],
    'developer tools': ['pull_request', 'deploy', 'flaky', 'debug'],
    hardware: ['iot', 'firmware', 'sensor', 'battery'],
    commerce: ['cart', 'marketplace', 'seller', 'wishlist'],
    support: ['support_ticket', 'live_chat', 'faq', 'escalate'],
    privacy: ['gdpr', 'consent', 'erasure', 'anonymize'],
    data: ['data_warehouse', 'export', 'dashboard', 'forecast'],
    growth: ['onboarding', 'retention', 'referral', 'experiment'],
    people: ['recruit', 'payroll', 'performance_review', 'employee'],
    reliability: ['incident', 'backup', 'latency', 'retry'],
    accessibility: ['screen_reader', 'contrast', 'keyboard_navigation', 'dyslexia'],
    'the public': ['citizen', 'permit', 'vote', 'charity'],
    'energy and farming': ['electricity', 'carbon', 'crop', 'livestock'],
    'artificial intelligence': ['language_model', 'hallucination', 'embedding', 'chatbot']
  }
  const known = new Set(groups.flatMap(({ terms }) => terms))
  for (const [field, terms] of Object.entries(fields)) t.strictSame(terms.filter((term) => !known.has(term)), [], field)
})

t.test('a text that says a term is read as a word of its group', async (t) => {
  const lexicon = readLexicon(bytesInFile(new URL('../../../../src/search/embedders/word-vectors/wordnet.bin', import.meta.url)))
  const own = groups.map(({ terms }) => terms)
  const canonical = canonicalGroups(own, own, lexicon)
  const { count } = features(vocabulary(lexicon, retrofit(lexicon, canonical)))
  const unheard = own.flatMap((terms, i) => terms.filter((term) => {
    const said = new Map<string, number>()
    count(term.replaceAll('_', ' '), 1, said)
    return !canonical[i]?.some((word) => said.has(word))
  }))
  t.strictSame(unheard, [])
})

t.test('words of the thesaurus are taken as they stand, in texts of any form', async (t) => {
  const { embed } = await openWordVectors()
  const likeness = async (one: string, other: string) => {
    const [a, b] = await embed([one, other].map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'query' })
    return a!.reduce((sum, x, i) => sum + x * b![i]!, 0)
  }
  t.ok(await likeness('sms', 'texting') > 0.5)
  t.ok(await likeness('sms', 'samarium') < 0.2, 'an abbreviation is no plural')
  t.ok(await likeness('embeddings', 'semantic search') > 0.5)
  t.ok(await likeness('embedding', 'iframe') < 0.3, 'nor a participle')
  t.ok(await likeness('declined cards', 'failed payments') > 0.4)
  t.ok(await likeness('logging in', 'login') > 0.5, 'a phrase is known by any form of its words')
  t.ok(await likeness('we got locked out', 'forgotten passwords') > 0.5)
})
