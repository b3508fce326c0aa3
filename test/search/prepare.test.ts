// A search that is prepared: its first question finds the word vectors and the memory of explorations there.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createMemorySearch } from '../../src/db/search-memory/memory-search.js'
import { RankerLost, type Ranker, type RankerMemory } from '../../src/db/search-memory/ranker.js'
import { sqlSearch } from '../../src/db/sql-search.js'
import { openWordVectors } from '../../src/search/embedders/word-vectors/open-word-vectors.js'
import { createHybridSearch } from '../../src/search/hybrid-search.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { leaseEmbedded } from '../helpers/embedded-database.js'
import { explorationLine } from '../helpers/planning-data.js'
import { indexed } from './indexed.js'

/** A ranker whose memories are lost when it is told so, as those of a thread that has ended. */
const forgetful = (inner: Ranker): Ranker & { begun: number, forget (): void } => {
  let lost = 0
  const ranker = {
    begun: 0,
    forget () { lost = ranker.begun },
    async begin (): Promise<RankerMemory> {
      const memory = await inner.begin()
      const number = ++ranker.begun
      const check = (): void => { if (number <= lost) throw new RankerLost() }
      return {
        async apply (change) {
          check()
          return await memory.apply(change)
        },
        async rank (request, options) {
          check()
          return await memory.rank(request, options)
        },
        async explain (request, options) {
          check()
          return await memory.explain(request, options)
        }
      }
    }
  }
  return ranker
}

t.test('the first question is answered from memory', async (t) => {
  const db = await leaseEmbedded('migrated')
  t.teardown(() => db.close())
  const workspace = randomUUID()
  const { registry } = await indexed(db, [
    { type: 'workspace', id: workspace, slug: 'w', name: 'W', created_at: '2026-01-01T00:00:00.000Z' },
    explorationLine(workspace, 'Refunds', 'A customer gets the money back.')
  ] as never)
  const calls: string[] = []
  const engine = createSearchEngine(() => {
    calls.push('words')
    return openWordVectors()
  })
  const ranker = forgetful(engine)
  const statements = sqlSearch(db)
  const sql: typeof statements = {
    ...statements,
    find (request) {
      calls.push('statements')
      return statements.find(request)
    }
  }
  const search = createHybridSearch({ sql, memory: createMemorySearch(db, sql, ranker), registry, engine })
  const find = async () => (await search.find({ query: 'money back', visible: [workspace], limit: 10 })).items[0]?.title

  await search.prepare()
  t.strictSame(calls, ['words'])
  t.equal(await find(), 'Refunds')
  t.strictSame(calls, ['words'], 'not by the statements')
  await search.prepare()
  t.equal(ranker.begun, 1, 'what is prepared stays')

  ranker.forget()
  await search.prepare()
  t.equal(ranker.begun, 2, 'what is lost is loaded again')
  t.equal(await find(), 'Refunds')
  t.strictSame(calls, ['words'])
})
