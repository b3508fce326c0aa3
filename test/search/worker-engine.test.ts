// The search worker answers as its engine does here.
import t, { type Test } from 'tap'
import type { EmbeddingText } from '../../src/search/embedder.js'
import { engineEmbedder } from '../../src/search/embedders/word-vectors/engine-embedder.js'
import { openWordVectors } from '../../src/search/embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { createWorkerEngine } from '../../src/search/worker-engine.js'

const started = (t: Test, ...options: Parameters<typeof createWorkerEngine>) => {
  const engine = createWorkerEngine(...options)
  t.teardown(() => engine.close())
  return engine
}

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
  t.match(await engineEmbedder(engine, undefined), { id: 'builtin', version: (await openWordVectors()).version, dimensions: 384 })
})

t.test('long texts are embedded in several calls, so that a search waits for one of them at most', async (t) => {
  const module = new URL(`data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ texts }) => parentPort.postMessage({ value: { vectors: texts.map(() => Float32Array.of(texts.length)) } }))`)}`)
  const engine = started(t, {}, module)
  const counts = (await engine.embed([...TEXTS, ...TEXTS], DOCUMENT)).map(([count]) => count)
  t.strictSame(counts, [1, 3, 3, 3, 2, 2])
  t.same(await engine.embed([], DOCUMENT), [])
})

t.test('a thesaurus that cannot be read fails what needs the words, and nothing else', async (t) => {
  const engine = started(t, { thesaurusFile: '/nowhere/words.txt' })
  await t.rejects(engine.embed(TEXTS, DOCUMENT), { name: 'Refusal', message: 'There is no file /nowhere/words.txt (THESAURUS_FILE).' })
  t.equal((await engine.explain({ query: '', byMeaning: false, words: {}, texts: new Map([['a', 'Words do.']]) })).size, 1)
})

t.test('a worker that ends by itself is an embedder that is unavailable', async (t) => {
  const engine = started(t, {}, new URL('data:text/javascript,process.exit(1)'))
  const embedder = await engineEmbedder(engine, undefined)
  await t.rejects(embedder.embed(TEXTS, DOCUMENT), { name: 'EmbedderUnavailable', message: 'The search worker ended by itself', kind: 'transient' })
})
