// Who embeds a question, and when.
import t from 'tap'
import type { MemoryQuestion } from '../../src/db/search-memory/memory-search.js'
import { EmbedderUnavailable } from '../../src/search/embedder.js'
import { createHybridSearch, type HybridSearchDeps } from '../../src/search/hybrid-search.js'

t.test('who embeds a question, and when', async (t) => {
  const scale = { unrelated: 0.2, related: 0.7 }
  const question = { query: 'money back', visible: [], limit: 10, caller: 'one' }
  /** `held`: whether the memory answers; `isRankers`: whether the ranker has the words of the embedder. */
  const searching = ({ held = true, isRankers = true, embeds = async () => [Float32Array.of(0, 1)] }) => {
    const log: unknown[] = []
    const asked = (who: string, { meaning }: MemoryQuestion): void => {
      log.push([who, meaning?.vector && [...meaning.vector], meaning?.embedder])
    }
    const embed = () => {
      log.push('embed')
      return embeds()
    }
    const engine: HybridSearchDeps['engine'] = { embed, explain: () => Promise.reject(new Error('nothing was found')) }
    const embedder = { id: 'some', version: '1', dimensions: 2, embed, engine: isRankers ? engine : undefined }
    const search = createHybridSearch({
      engine,
      registry: { activeForQueries: () => Promise.resolve({ embedder, id: 7, dimensions: 2, scale }) },
      memory: {
        load: () => Promise.resolve(),
        async find (request) {
          asked('memory', request)
          return held ? { items: [] } : undefined
        }
      },
      sql: {
        async find (request) {
          asked('statements', request)
          return { items: [] }
        },
        texts: () => Promise.resolve(new Map())
      },
      onQuery: (reason) => { log.push(['reported', reason]) }
    })
    return { log, find: () => search.find(question) }
  }

  const ranking = searching({})
  t.same(await ranking.find(), { items: [] })
  t.strictSame(ranking.log, [['memory', undefined, 7], ['reported', undefined]], 'the ranker')

  const missing = searching({ held: false })
  await missing.find()
  await missing.find()
  const byStatements = [['reported', undefined], ['statements', [0, 1], 7]]
  t.strictSame(missing.log, [['memory', undefined, 7], 'embed', ...byStatements, ['memory', undefined, 7], ...byStatements], 'once, for the statements')

  const failing = searching({ held: false, embeds: () => Promise.reject(new EmbedderUnavailable('gone')) })
  t.same(await failing.find(), { items: [], notice: 'The embedder cannot be asked now: found by words alone, not by meaning.' })
  t.strictSame(failing.log, [['memory', undefined, 7], 'embed', ['reported', 'gone'], ['statements', undefined, undefined]])

  const other = searching({ isRankers: false })
  await other.find()
  await other.find()
  const fromMemory = [['reported', undefined], ['memory', [0, 1], 7]]
  t.strictSame(other.log, ['embed', ...fromMemory, ...fromMemory], 'another embedder, once')
})
