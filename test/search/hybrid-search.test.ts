// Who embeds a query, and when; what is said when it cannot be embedded.
import t from 'tap'
import { EmbedderUnavailable } from '../../src/search/embedder.js'
import { createHybridSearch, type HybridSearchDeps } from '../../src/search/hybrid-search.js'

const request = { query: 'money back', visible: [], limit: 10, caller: 'one' }

const searching = ({ isIndexed = true, embeds = async () => [Float32Array.of(0, 1)] } = {}) => {
  const log: unknown[] = []
  const embed = () => {
    log.push('embed')
    return embeds()
  }
  const embedder = { id: 'some', version: '1', dimensions: 2, embed }
  const active = { embedder, id: 7, dimensions: 2, scale: { unrelated: 0.2, related: 0.7 } }
  const engine: HybridSearchDeps['engine'] = { embed, explain: () => Promise.reject(new Error('nothing was found')) }
  const search = createHybridSearch({
    engine,
    registry: { activeForQueries: async () => isIndexed ? active : undefined },
    sql: {
      async find ({ queryVector }) {
        log.push(['statement', queryVector?.vector && [...queryVector.vector], queryVector?.embedder])
        return { items: [] }
      }
    },
    onQuery: (reason) => { log.push(['reported', reason]) }
  })
  return { log, search, find: () => search.find(request) }
}

t.test('a query is embedded once, by the embedder', async (t) => {
  const { log, find } = searching()
  t.same(await find(), { items: [] })
  await find()
  const found = [['reported', undefined], ['statement', [0, 1], 7]]
  t.strictSame(log, ['embed', ...found, ...found])
})

t.test('by words alone, with a notice', async (t) => {
  const failing = searching({ embeds: () => Promise.reject(new EmbedderUnavailable('gone')) })
  t.same(await failing.find(), { items: [], notice: 'The embedder cannot be asked now: found by words alone, not by meaning.' })
  t.strictSame(failing.log, ['embed', ['reported', 'gone'], ['statement', undefined, undefined]])

  const unindexed = searching({ isIndexed: false })
  t.same(await unindexed.find(), { items: [], notice: 'The index of meanings is not made yet: found by words alone, not by meaning.' })
  t.strictSame(unindexed.log, [['statement', undefined, undefined]])
})

t.test('a query without a known word is no fault', async (t) => {
  const { log, find } = searching({ embeds: async () => [Float32Array.of(0, 0)] })
  t.same(await find(), { items: [] })
  t.strictSame(log, ['embed', ['reported', undefined], ['statement', undefined, undefined]])
})

t.test('vectors of another length are refused', async (t) => {
  const { log, find } = searching({ embeds: async () => [Float32Array.of(0, 0, 1)] })
  t.match(await find(), { notice: /cannot be asked now/ })
  t.strictSame(log[1], ['reported', 'some gave 3 numbers instead of 2'])
})

t.test('what is prepared is the engine of search', async (t) => {
  const { log, search } = searching()
  await search.prepare()
  t.strictSame(log, ['embed'])
})
