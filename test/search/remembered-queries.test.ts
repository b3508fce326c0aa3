import t from 'tap'
import type { Embedder } from '../../src/search/embedder.js'
import { EmbedderAway } from '../../src/search/embedder.js'
import { rememberingQueries } from '../../src/search/remembered-queries.js'

const query = { kind: 'query' } as const
const text = (words: string) => ({ parts: [{ text: words, weight: 1 }] })

const counting = () => {
  const asked: string[] = []
  const inner: Embedder = {
    id: 'one',
    version: '1',
    get dimensions () { return asked.length === 0 ? undefined : 2 },
    async embed (texts) {
      for (const { parts } of texts) {
        asked.push(parts[0]!.text)
        if (parts[0]!.text === 'away') throw new EmbedderAway('away')
      }
      return texts.map(({ parts }) => Float32Array.of(parts[0]!.text.length, 1))
    }
  }
  return { asked, embedder: rememberingQueries(inner) }
}

t.test('a query that comes again is not asked again', async (t) => {
  const { asked, embedder } = counting()
  t.match(embedder, { id: 'one', version: '1', dimensions: undefined })
  const [first] = await embedder.embed([text('refund')], query)
  t.same(await embedder.embed([text('refund')], query), [first])
  t.same(await embedder.embed([text('refunds')], query), [Float32Array.of(7, 1)])
  t.same(asked, ['refund', 'refunds'])
  t.equal(embedder.dimensions, 2)
})

t.test('documents are not remembered, failures neither', async (t) => {
  const { asked, embedder } = counting()
  await embedder.embed([text('refund')], { kind: 'document' })
  await embedder.embed([text('refund')], query)
  await embedder.embed([text('refund')], { kind: 'document' })
  await embedder.embed([text('refund'), text('refund')], query)
  t.same(await embedder.embed([], query), [])
  for (let time = 0; time < 2; time++) await t.rejects(embedder.embed([text('away')], query), { name: 'EmbedderAway' })
  t.same(asked, ['refund', 'refund', 'refund', 'refund', 'refund', 'away', 'away'])
})

t.test('five hundred are remembered: the one that was not used for longest goes first', async (t) => {
  const { asked, embedder } = counting()
  for (let number = 0; number < 500; number++) await embedder.embed([text(`${number}`)], query)
  await embedder.embed([text('0')], query)
  await embedder.embed([text('another')], query)
  asked.length = 0
  await embedder.embed([text('0')], query)
  await embedder.embed([text('1')], query)
  t.same(asked, ['1'])
})
