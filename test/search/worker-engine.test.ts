// The search worker answers as its engine does here, and embeds long texts in several calls.
import t, { type Test } from 'tap'
import type { EmbeddingText } from '../../src/search/embedder.js'
import { openWordVectors } from '../../src/search/embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { createWorkerEngine } from '../../src/search/worker-engine.js'

const started = (t: Test, ...options: Parameters<typeof createWorkerEngine>) => {
  const engine = createWorkerEngine(...options)
  t.teardown(() => engine.close())
  return engine
}
const moduleOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const text = (words: string): EmbeddingText => ({ parts: [{ text: words, weight: 1 }] })
const TEXTS = [text('Refunds of annual plans. '.repeat(3000)), text(''), text('A queue of deliveries')]
const DOCUMENT = { kind: 'document' } as const

t.test('what the engine answers here, the worker answers', async (t) => {
  const engine = started(t, {})
  const here = createSearchEngine(() => openWordVectors())
  const [vectors, others] = await Promise.all([engine.embed(TEXTS, DOCUMENT), engine.embed(TEXTS.toReversed(), { kind: 'query' })])
  t.strictSame(vectors, await here.embed(TEXTS, DOCUMENT))
  t.strictSame(others, await here.embed(TEXTS.toReversed(), { kind: 'query' }), 'each gets its own answer')
  const request = {
    query: 'money back', byMeaning: true, words: { refund: 1 }, texts: new Map([['a', 'It is late. A refund comes.'], ['b', 'The queue. The customer is paid back.'], ['c', '']])
  }
  const snippets = await engine.explain(request)
  t.strictSame(snippets, await here.explain(request))
  t.strictSame([...snippets.keys()], ['a', 'b'], 'a text without a sentence has no snippet')
})

t.test('a search waits for one call of long texts at most; a worker that ends is an embedder that is unavailable', async (t) => {
  const counting = started(t, {}, moduleOf(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ texts }) => parentPort.postMessage({ value: texts.map(() => Float32Array.of(texts.length)) }))`))
  t.strictSame((await counting.embed([...TEXTS, ...TEXTS], DOCUMENT)).map(([count]) => count), [1, 3, 3, 3, 2, 2])
  t.same(await counting.embed([], DOCUMENT), [])
  await t.rejects(started(t, {}, moduleOf('process.exit(1)')).embed(TEXTS, DOCUMENT),
    { name: 'EmbedderUnavailable', message: 'The search worker ended by itself', kind: 'transient' })
})

t.test('a thesaurus that cannot be read fails what needs the words, and nothing else', async (t) => {
  const engine = started(t, { thesaurusFile: '/nowhere/words.txt' })
  await t.rejects(engine.embed(TEXTS, DOCUMENT), { name: 'Refusal', message: 'There is no file /nowhere/words.txt (THESAURUS_FILE).' })
  t.equal((await engine.explain({ query: '', byMeaning: false, words: {}, texts: new Map([['a', 'Words do.']]) })).size, 1)
})
