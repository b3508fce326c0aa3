// Much text is read in a thread, and gets the vectors that it would get here.
import t from 'tap'
import { openWordVectors } from '../../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { workerEmbedder } from '../../../../src/search/embedders/word-vectors/worker-embedder.js'
import type { Embedder, EmbeddingText } from '../../../../src/search/embedder.js'

const text = (words: string): EmbeddingText => ({ parts: [{ text: words, weight: 1 }] })
const MUCH = [text('Refunds of annual plans. '.repeat(3000)), text(''), text('A queue of deliveries')]

t.test('much text is read aside, little here', async (t) => {
  const builtin = await openWordVectors()
  let here = 0
  const counted: Embedder = { ...builtin, embed: async (...asked) => { here++; return await builtin.embed(...asked) } }
  const embedder = workerEmbedder(counted, {})
  const [aside, ...others] = await Promise.all([
    embedder.embed(MUCH, { kind: 'document' }), embedder.embed(MUCH.toReversed(), { kind: 'document' })
  ])
  t.equal(here, 0)
  t.same(aside, await builtin.embed(MUCH, { kind: 'document' }))
  t.same(others[0], aside.toReversed(), 'each gets its own answer')
  await embedder.embed(MUCH.slice(1), { kind: 'document' })
  await embedder.embed(MUCH, { kind: 'query' })
  t.equal(here, 2)
  await t.rejects(embedder.embed(MUCH, { kind: 'document', signal: AbortSignal.abort(new Error('enough')) }), /enough/)
})

t.test('without a thread it is read here', async (t) => {
  const builtin = await openWordVectors()
  const embedder = workerEmbedder(builtin, { thesaurusFile: '/nowhere/words.txt' })
  t.same(await embedder.embed(MUCH, { kind: 'document' }), await builtin.embed(MUCH, { kind: 'document' }))
})
