/**
 * Prints how well the product finds, beside what it has to beat: npm run bench -- search [--half report|tune|all] [--real FILE] [--json].
 * Tune by one half, report by the other.
 */
import { parseArgs } from 'node:util'
import { migrate } from '../../src/db/migrate.js'
import { openPglite } from '../helpers/open-pglite.js'
import { CLASSES, explorationsOf, gradedSet, HALVES, realSet, type GradedSet } from './graded-set.js'
import { indexed } from './indexed.js'
import { mistyped } from './mistyped.js'
import { anyWord, bm25, dense, product, type Ranker } from './rankers.js'
import { judge, scoresOf, type Scores } from './scores.js'

const { values: { half, real, json } } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    real: { type: 'string' },
    json: { type: 'boolean', default: false }
  }
})
if (half !== 'all' && !HALVES.some((one) => one === half)) throw new Error('--half is report, tune or all')

const open = async ({ lines }: GradedSet): Promise<{ rankers: Record<string, Ranker>, close: () => Promise<void> }> => {
  const db = await openPglite()
  await migrate(db)
  const { search, embedder } = await indexed(db, lines)
  const found = await product(db, search)
  return {
    rankers: {
      'FTS, any word': anyWord(db),
      BM25: await bm25(db),
      'builtin vectors': dense(db, embedder),
      'exploration-mcp': found,
      '  with mistyped words': (query) => found(mistyped(query))
    },
    close: () => db.close()
  }
}

const table = (scores: Record<string, Scores>): string => {
  const columns = [...CLASSES, 'all'] as const
  const number = (value: number): string => value.toFixed(2).replace(/^0/, ' ')
  const rows = Object.entries(scores).map(([name, of]) =>
    [name.padEnd(20), ...columns.map((column) => [of[column].ndcg, of[column].recall, of[column].mrr].map((value) => number(value).padStart(5)).join(' '))])
  return [
    ['nDCG@10 recall@5 MRR', ...columns.map((column) => column.padStart(11).padEnd(17))],
    ...rows
  ].map((row) => row.join('  ').trimEnd()).join('\n')
}

const sets: Record<string, GradedSet> = { own: gradedSet(), ...(real !== undefined && { real: await realSet(real) }) }
const report: Record<string, Record<string, Scores>> = {}
for (const [name, set] of Object.entries(sets)) {
  const { rankers, close } = await open(set)
  const queries = set.queries.filter((query) => half === 'all' || query.half === half)
  report[name] = {}
  for (const [ranker, rank] of Object.entries(rankers)) report[name][ranker] = scoresOf(await judge(rank, queries))
  if (!json) console.log(`${name} set: ${explorationsOf(set.lines).length} explorations, ${queries.length} queries (${half})\n${table(report[name])}\n`)
  await close()
}
if (json) console.log(JSON.stringify(report))
