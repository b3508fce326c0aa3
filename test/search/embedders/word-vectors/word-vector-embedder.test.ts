// The built-in embedder as it ships: what is alike, what is the same each time, and what cannot hurt it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { wordVectorEmbedder } from '../../../../src/search/embedders/word-vectors/word-vector-embedder.js'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { openWordVectors } from '../../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { retrofit } from '../../../../src/search/embedders/word-vectors/retrofit.js'
import { vocabulary } from '../../../../src/search/embedders/word-vectors/vocabulary.js'

// What is read of a text is cut into words, and each word is looked for in several forms.
const LOOK_UPS_A_CHARACTER = 10

const embedder = await openWordVectors()

const vectorOf = async (text: string, weight = 1) =>
  (await embedder.embed([{ parts: [{ text, weight }] }], { kind: 'document' }))[0]!
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const alike = async (a: string, b: string) => dot(await vectorOf(a), await vectorOf(b))

t.test('what means the same is nearer than what does not', async (t) => {
  for (const [text, same, other] of [
    ['refund', 'give the money back', 'dark mode'],
    ['sign in without a password', 'passkey login', 'parcel tracking'],
    ['buyers abandon the basket', 'shopping cart checkout', 'doctor appointment'],
    ['patients do not turn up', 'no-show appointments', 'card payment fees'],
    ['employees leaving the company', 'offboarding staff', 'search ranking'],
    ['undo a release', 'deployment rollback', 'student grades'],
    ['the site is slow', 'page performance and latency', 'invoice tax'],
    ['remove personal data on request', 'privacy erasure', 'push notification sound'],
    ['pupils hand in homework', 'student assignments', 'warehouse inventory'],
    ['van drivers deliver parcels', 'courier shipment route', 'two-factor authentication']
  ] as const) {
    const [near, far] = [await alike(text, same), await alike(text, other)]
    t.ok(near > far + 0.1, `${text}: ${same} ${near.toFixed(2)}, ${other} ${far.toFixed(2)}`)
  }
})

t.test('a pure function of the text, also of words that were retrofitted when the program was built', async (t) => {
  const text = 'Customers reroute webhooks, and want refunds. 退款 xyzzy'
  const vector = await vectorOf(text)
  t.equal(vector.length, embedder.dimensions)
  t.ok(Math.abs(dot(vector, vector) - 1) < 1e-5)
  // The words of an operator's file are retrofitted at the start, here without any more of them.
  const thesaurusFile = join(t.testdir(), 'none.txt')
  writeFileSync(thesaurusFile, '')
  for (const options of [{}, { thesaurusFile }]) {
    const other = await openWordVectors(options)
    t.equal(other.version, embedder.version)
    t.same(await other.embed([{ parts: [{ text, weight: 1 }] }], { kind: 'query' }), [vector])
  }
})

t.test('a part of weight 4 counts as if it stood there four times', async (t) => {
  const [weighted, repeated] = await embedder.embed([
    { parts: [{ text: 'refund', weight: 4 }, { text: 'calendar', weight: 1 }] },
    { parts: [{ text: 'refund refund refund refund calendar', weight: 1 }] }
  ], { kind: 'document' })
  t.ok(dot(weighted!, repeated!) > 0.999999)
})

t.test('zeros where nothing is said', async (t) => {
  for (const text of ['', ' \n', 'what is it that they are', '🎉'.repeat(1000), '%_*?+-"\\\'']) t.ok((await vectorOf(text)).every((value) => value === 0), text.slice(0, 20))
})

t.test('nothing is too long, too strange or too deep', async (t) => {
  const folder = new URL('../../../../src/search/embedders/word-vectors/', import.meta.url)
  const lexicon = readLexicon(readFileSync(new URL('wordnet.bin', folder)))
  let lookUps = 0
  const countingLexicon = { ...lexicon, find (word: string) { lookUps++; return lexicon.find(word) } }
  const counting = wordVectorEmbedder(vocabulary(countingLexicon, retrofit(countingLexicon, [])), 'counting')
  for (const text of [
    'a'.repeat(1e6),
    'log in to '.repeat(1e5),
    Array.from({ length: 30_000 }, (_, i) => `word${i} payment`).join(' '),
    'ا'.repeat(1e5), 'é'.repeat(1e5), '\u202E'.repeat(1e5), '\uD800'.repeat(1000), '払'.repeat(1e5), "'".repeat(1e5), ('a' + '\u0301'.repeat(1000)).repeat(100),
    '\n '.repeat(3e5), 'aB'.repeat(5e5), '__proto__ constructor toString'
  ]) {
    lookUps = 0
    const [vector] = await counting.embed([{ parts: [{ text, weight: 1 }] }], { kind: 'document' })
    t.ok(vector!.every(Number.isFinite), text.slice(0, 20))
    t.ok(lookUps <= LOOK_UPS_A_CHARACTER * text.length, `${text.slice(0, 20)}: ${lookUps} look-ups for ${text.length} characters`)
  }
})

t.test('no more of a text is read than is worth it', async (t) => {
  t.same(await vectorOf('payment '.repeat(50_000) + 'calendar'), await vectorOf('payment '.repeat(50_000)))
  t.notSame(await vectorOf('payment '.repeat(49_999) + 'calendar'), await vectorOf('payment '.repeat(49_999)))
})

t.test('a mistyped word of a query means what it was to be; names in documents stay what they are', async (t) => {
  const [typed, meant] = await embedder.embed(['refund a chargebakc', 'refund a chargeback'].map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'query' })
  t.ok(dot(typed!, meant!) > 0.8, dot(typed!, meant!).toFixed(2))
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
