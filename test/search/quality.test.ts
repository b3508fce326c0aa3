// Guards what was reached: by class over the reporting half of the graded set, a little under what `npm run bench -- search` measured.
import t from 'tap'
import { database } from '../helpers/database.js'
import { runs } from '../helpers/fuzzing.js'
import { CLASSES, gradedSet } from './graded-set.js'
import { indexed } from './indexed.js'
import { product } from './rankers.js'
import { scoresOf } from './scores.js'

const WEAK = 0.3
/** Every second query in a short run. */
const STEP = runs(4).numRuns > 1 ? 1 : 2
const FLOORS = STEP === 1 ? { keyword: 0.99, paraphrase: 0.775, intent: 0.665 } : { keyword: 0.99, paraphrase: 0.74, intent: 0.75 }

t.test('the quality of search', async (t) => {
  const { lines, queries, offTopic } = gradedSet()
  const db = await database(t)
  const { search } = await indexed(db, lines)

  await t.test('does not fall', async (t) => {
    const scores = await scoresOf(await product(db, search), queries.filter(({ half }) => half === 'report').filter((_, at) => at % STEP === 0))
    for (const name of CLASSES) t.ok(scores[name] >= FLOORS[name], `${name}: ${scores[name].toFixed(3)} of at least ${FLOORS[name]}`)
  })

  await t.test('what nothing is about finds nothing, or what fits weakly', async (t) => {
    const visible = (await db.query<{ id: string }>('select id from workspaces')).map(({ id }) => id)
    let empty = 0
    for (const query of offTopic) {
      const { items } = await search.find({ query, visible, limit: 10 })
      if (items.length === 0) empty++
      t.ok(items.every(({ score }) => score < WEAK), `${query}: ${items.map(({ title, score }) => `${title} ${score}`).join('; ')}`)
    }
    t.ok(empty / offTopic.length >= 0.6, `${empty} of ${offTopic.length} find nothing`)
  })
})
