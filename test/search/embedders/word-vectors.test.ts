// The built-in embedder and its thesaurus as they ship: what is alike, what is the same each time, and what cannot hurt it.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import t from 'tap'
import type { Embedder, EmbedOptions } from '../../../src/search/embedder.js'
import { features } from '../../../src/search/embedders/word-vectors/features.js'
import { readLexicon } from '../../../src/search/embedders/word-vectors/lexicon.js'
import { openWordVectors } from '../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { retrofit, type RetrofittedWords } from '../../../src/search/embedders/word-vectors/retrofit.js'
import { canonicalGroups, readThesaurus } from '../../../src/search/embedders/word-vectors/thesaurus.js'
import { vocabulary } from '../../../src/search/embedders/word-vectors/vocabulary.js'
import { wordVectorEmbedder } from '../../../src/search/embedders/word-vectors/word-vector-embedder.js'
import { dot } from '../../../src/search/vector.js'
import { runs, some } from '../../helpers/fuzzing.js'

// What is read of a text is cut into words, and each word is looked for in several forms.
const LOOK_UPS_A_CHARACTER = 10

const dataOf = (name: string) => readFile(new URL(`../../../src/search/embedders/word-vectors/${name}`, import.meta.url))
const embedder = await openWordVectors()
const vectorOf = async (text: string, kind: EmbedOptions['kind'] = 'document', by: Embedder = embedder) =>
  (await by.embed([{ parts: [{ text, weight: 1 }] }], { kind }))[0]!
const likeness = async (one: string, other: string, by?: Embedder) => dot(await vectorOf(one, 'query', by), await vectorOf(other, 'query', by))

const { groups, faults } = readThesaurus(String(await dataOf('thesaurus.txt')))
const lexicon = readLexicon(await dataOf('wordnet.bin'))
const canonical = canonicalGroups(groups, groups, lexicon)
let lookUps = 0
// A short run has those of the build, which says what they are made of.
const words = runs(4).numRuns > 1 ? retrofit(lexicon, canonical) : deserialize(await dataOf('retrofitted.bin')) as RetrofittedWords
const retrofitted = vocabulary({ ...lexicon, find (word: string) { lookUps++; return lexicon.find(word) } }, words)
const counting = wordVectorEmbedder(retrofitted, 'counting')

t.test('what means the same is nearer than what does not', async (t) => {
  for (const [text, same, other] of [
    ['refund', 'give the money back', 'dark mode'],
    ['sign in without a password', 'passkey login', 'parcel tracking'],
    ['buyers abandon the basket', 'shopping cart checkout', 'doctor appointment'],
    ['patients do not turn up', 'no-show appointments', 'card payment fees'],
    ['employees leaving the company', 'offboarding staff', 'search ranking'],
    ['van drivers deliver parcels', 'courier shipment route', 'two-factor authentication'],
    // Words of the thesaurus as they stand, in texts of any form: an abbreviation is no plural, a noun no participle.
    ['sms', 'texting', 'samarium'], ['embeddings', 'semantic search', 'iframe'], ['logging in', 'login', 'tree felling'],
    ['we got locked out', 'forgotten passwords', 'parcel tracking'], ['Zahlung, webhooks rerouted', 'hook of the web, route', 'dark mode']
  ] as const) {
    const [near, far] = [await likeness(text, same), await likeness(text, other)]
    t.ok(near > far + 0.1, `${text}: ${same} ${near.toFixed(2)}, ${other} ${far.toFixed(2)}`)
  }
})

t.test('a pure function of the text, also of words that were retrofitted when the program was built', async (t) => {
  const text = 'Customers reroute webhooks, and want refunds. 退款 xyzzy'
  const vector = await vectorOf(text)
  t.equal(vector.length, embedder.dimensions)
  t.ok(Math.abs(dot(vector, vector) - 1) < 1e-5)
  t.same(await vectorOf(text, 'query', counting), vector)
  const [weighted, repeated] = await embedder.embed([
    { parts: [{ text: 'refund', weight: 4 }, { text: 'calendar', weight: 1 }] },
    { parts: [{ text: 'refund refund refund refund calendar', weight: 1 }] }
  ], { kind: 'document' })
  t.ok(dot(weighted!, repeated!) > 0.999999, 'a part of weight 4 counts as if it stood there four times')
})

t.test('nothing is too long, too strange or too deep; zeros where nothing is said', async (t) => {
  for (const text of [
    'a'.repeat(2e5), 'log in to '.repeat(2e4), Array.from({ length: 6000 }, (_, i) => `word${i} payment`).join(' '), 'é'.repeat(2e4), '\u202E'.repeat(2e4),
    '\uD800'.repeat(1000), '払'.repeat(2e4), "'".repeat(2e4), ('a' + '\u0301'.repeat(1000)).repeat(20), '\n '.repeat(6e4), 'aB'.repeat(1e5), '__proto__ toString'
  ]) {
    lookUps = 0
    t.ok((await vectorOf(text, 'document', counting)).every(Number.isFinite), text.slice(0, 20))
    t.ok(lookUps <= LOOK_UPS_A_CHARACTER * text.length, `${text.slice(0, 20)}: ${lookUps} look-ups for ${text.length} characters`)
  }
  for (const text of ['', ' \n', 'what is it that they are', 'nobody and no one, somebody or someone', '🎉'.repeat(1000), '%_*?+-"\\\'']) {
    t.ok((await vectorOf(text)).every((value) => value === 0), text.slice(0, 20))
  }
  t.same(await vectorOf('payment '.repeat(50_000) + 'calendar'), await vectorOf('payment '.repeat(50_000)), 'no more is read than is worth it')
  t.notSame(await vectorOf('payment '.repeat(49_999) + 'calendar'), await vectorOf('payment '.repeat(49_999)))
})

t.test('a mistyped word of a query means what it was to be; names in documents stay what they are', async (t) => {
  for (const typed of ['chargebakc', 'chargebck', 'chhargeback']) t.ok(await likeness(`refund a ${typed}`, 'refund a chargeback') > 0.8, typed)
  t.ok(dot(await vectorOf('kubectl chargebakc'), await vectorOf('chargeback')) < 0.2)
})

t.test('a sentence is compared with a question word by word, whatever was heard before', async (t) => {
  const near = embedder.nearTo('send the money back for frobnicated orders')
  const sentences = ['A refund reaches the customer.', 'The weather is fine in the mountains.', 'Frobnicated twice.', 'of the']
  const [refund, weather, same, nothing] = near(sentences)
  t.ok(refund! > weather!, `${refund} ${weather}`)
  t.ok(same! > weather!, 'a word that no one knows, but both say')
  t.equal(nothing, 0)
  near(Array.from({ length: 10_000 }, (_, n) => `No one knows word${n} or ${n}word.`))
  t.strictSame(sentences.map((sentence) => near([sentence])[0]), [refund, weather, same, nothing])
})

t.test('our thesaurus: groups of four to ten terms, none part of another, no term in more than five', async (t) => {
  t.same(faults, [])
  t.ok(groups.length >= 1300, `${groups.length} groups`)
  t.same(groups.filter(({ length }) => length < 4 || length > 10), [])
  const standing = new Map<string, Set<number>>()
  groups.forEach((terms, i) => terms.forEach((term) => standing.set(term, (standing.get(term) ?? new Set()).add(i))))
  t.same(groups.filter((terms, i) => groups.some((_, j) => j !== i && terms.every((term) => standing.get(term)?.has(j)))), [])
  t.same([...standing].filter(([, within]) => within.size > 5).map(([term]) => term), [])
  const { count } = features(retrofitted)
  const unheard = some(groups.map((terms, i) => ({ terms, words: canonical[i] }))).flatMap(({ terms, words }) => terms.filter((term) => {
    const said = new Map<string, number>()
    count(term.replaceAll('_', ' '), 1, said)
    return !words?.some((word) => said.has(word))
  }))
  t.same(unheard, [], 'a text that says a term is read as a word of its group')
})

t.test('the operator’s own brings words together and changes the version; its bad lines are named', async (t) => {
  const thesaurusFile = join(t.testdir(), 'own.txt')
  await writeFile(thesaurusFile, '\uFEFF# comment\r\n\r\nFlurbination, Returned-parcel # more\r\n')
  const own = await openWordVectors({ thesaurusFile })
  const words = ['flurbination', 'returned parcel'] as const
  t.ok(await likeness(...words) < 0.2)
  t.ok(await likeness(...words, own) > 0.5)
  t.not(own.version, embedder.version)
  t.equal(embedder.version, 'qy0w3h7ZAGXeQj3S', 'databases of earlier builds need no new vectors')
  const refused: Array<[string, string | RegExp]> = [
    [`a, b\nalone\na,,b\n<b>, c\none two three four five, c\nsame, same\n${'x'.repeat(65)}, y\n${Array.from({ length: 65 }, (_, i) => `w${i}`)}`,
      /own\.txt:2: .*at least two.*\n.*:3: .*nothing between.*\n.*:4: "<b>".*\n.*:5: .*one to four words.*\n.*:6: .*at least two.*\n.*:7: .*one to four.*\n.*:8: .*at most 64/],
    [Array.from({ length: 5001 }, (_, i) => `a${i}, b${i}\n`).join(''), 'THESAURUS_FILE has 5001 groups; at most 5000 are read.'],
    ['#'.repeat(4_000_001), 'THESAURUS_FILE is larger than 4 MB.']
  ]
  for (const [text, message] of refused) {
    await writeFile(thesaurusFile, text)
    await t.rejects(openWordVectors({ thesaurusFile }), { name: 'Refusal', message })
  }
})
