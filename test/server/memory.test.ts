// A guard on the memory of word vectors, far above what they take: a new large part is noticed. That of a server: restart.test.ts.
import t from 'tap'

// WordNet's words, and what the thesaurus makes of them.
const MAX_VECTORS_MB = 40

t.test('the word vectors', async (t) => {
  const { openWordVectors } = await import('../../src/search/embedders/word-vectors/open-word-vectors.js')
  const before = process.memoryUsage().arrayBuffers
  const embedder = await openWordVectors()
  globalThis.gc?.()
  const megabytes = (process.memoryUsage().arrayBuffers - before) / 2 ** 20
  t.equal(embedder.id, 'builtin')
  // Before a collection the sums of the thesaurus are counted too.
  t.ok(megabytes < MAX_VECTORS_MB + (globalThis.gc ? 0 : 25), `${megabytes.toFixed(1)} MB`)
})
