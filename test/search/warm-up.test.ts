import t from 'tap'
import { warmUpSearch } from '../../src/search/warm-up.js'
import type { SearchRequest } from '../../src/planning/store.js'

/** Asks with these titles, each question taking so many milliseconds; gives the questions. */
const questionsOf = async (titles: string[], questionMs = 1): Promise<SearchRequest[]> => {
  const asked: SearchRequest[] = []
  let time = 0
  await warmUpSearch({
    search: {
      async find (request) {
        asked.push(request)
        time += questionMs
        return { items: [] }
      }
    },
    sample: async () => ({ visible: ['one'], titles }),
    now: () => time
  })
  return asked
}

t.test('asks so often that the statement is planned no more, with the longest questions', async (t) => {
  const titles = Array.from({ length: 100 }, (_, n) => `title ${n} of some exploration`)
  const asked = await questionsOf(titles)
  t.equal(asked.length, 7)
  t.equal(new Set(asked.map(({ query }) => query)).size, 7)
  for (const { query, visible } of asked) {
    t.ok(query.length > 290 && query.length <= 300)
    t.strictSame(visible, ['one'])
  }
})

t.test('asks nothing where there is nothing, and no more when it takes long', async (t) => {
  t.strictSame(await questionsOf([]), [])
  t.equal((await questionsOf(['one title'], 2000)).length, 2)
})
