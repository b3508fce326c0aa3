// The statement of questions is planned once, not for each question: planning it takes longer than running it.
import t from 'tap'
import { READ_QUESTION_CONTEXT } from '../../src/db/search-memory/memory-statements.js'
import { sampleDatabase, SERVER } from '../helpers/database.js'

// The database forgets its statements now and then, and plans each anew the first five times.
const MOST_RUNS = 12

const cases = {
  'single words': [[], [], ['sidecar', 'containers'], []],
  'a text': [['the customer’s refunds'], [null], [], []],
  'a text with a phrase': [['the "two words"'], [null], [], ['two words']]
}

for (const [name, [texts, titles, words, phrases]] of Object.entries(cases)) {
  t.test(name, { skip: SERVER !== undefined && 'on a server each connection plans by itself' }, async (t) => {
    const db = await sampleDatabase(t)
    const workspaces = await db.query<{ id: string }>('select id from workspaces')
    await db.script('deallocate all')
    const planned = async (): Promise<number> => {
      await db.query(READ_QUESTION_CONTEXT, [texts, titles, workspaces.map(({ id }) => id), 0, words, phrases])
      const [kept] = await db.query<{ generic_plans: number }>(
        'select generic_plans from pg_prepared_statements where statement = $1', [READ_QUESTION_CONTEXT])
      return kept?.generic_plans ?? 0
    }
    let runs = 1
    while (await planned() === 0 && runs < MOST_RUNS) runs++
    t.ok(runs < MOST_RUNS, `${runs} runs until a plan is used again`)
  })
}
