/**
 * Prints how well the product finds, beside what it has to beat: npm run bench -- search [--half report|tune|all] [--real FILE].
 * Tune by one half, report by the other.
 */
import { parseArgs } from 'node:util'
import { migrate } from '../../src/db/migrate.js'
import { openPglite } from '../helpers/open-pglite.js'
import { CLASSES, explorationsOf, gradedSet, HALVES, realSet, type GradedSet } from './graded-set.js'
import { indexed } from './indexed.js'
import { mistyped } from './mistyped.js'
import { anyWord, bm25, dense, product } from './rankers.js'
import { scoresOf } from './scores.js'

const { values: { half, real } } = parseArgs({ options: { half: { type: 'string', default: 'report' }, real: { type: 'string' } } })
if (half !== 'all' && !HALVES.some((one) => one === half)) throw new Error('--half is report, tune or all')

const sets: Record<string, GradedSet> = { own: gradedSet(), ...(real !== undefined && { real: await realSet(real) }) }
for (const [name, { lines, queries }] of Object.entries(sets)) {
  const db = await openPglite()
  await migrate(db)
  const { search, embedder } = await indexed(db, lines)
  const found = await product(db, search)
  const rankers = {
    'FTS, any word': anyWord(db),
    BM25: await bm25(db),
    'builtin vectors': dense(db, embedder),
    'exploration-mcp': found,
    '  with mistyped words': (query: string) => found(mistyped(query))
  }
  const asked = queries.filter((query) => half === 'all' || query.half === half)
  console.log(`${name} set: ${explorationsOf(lines).length} explorations, ${asked.length} queries (${half})`)
  const columns = [...CLASSES, 'all'] as const
  console.log(['nDCG@10'.padEnd(22), ...columns.map((column) => column.padStart(11))].join(''))
  for (const [ranker, rank] of Object.entries(rankers)) {
    const scores = await scoresOf(rank, asked)
    console.log([ranker.padEnd(22), ...columns.map((column) => scores[column].toFixed(2).padStart(11))].join(''))
  }
  await db.close()
}
