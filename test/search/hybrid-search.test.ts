// Whose search runs when: those of one caller one after the other, those of others beside them.
import t from 'tap'
import { createHybridSearch } from '../../src/search/hybrid-search.js'
import { until } from '../helpers/until.js'

const heldSearch = () => {
  const begun: string[] = []
  const waiting: Array<() => void> = []
  const search = createHybridSearch({
    sql: {
      async find ({ query }) {
        begun.push(query)
        await new Promise<void>((resolve) => { waiting.push(resolve) })
        return { items: [] }
      },
      texts: () => Promise.resolve(new Map())
    },
    registry: { activeForQueries: () => Promise.resolve(undefined) },
    engine: { embed: () => Promise.resolve([]), explain: () => Promise.reject(new Error('nothing was found')) }
  })
  const find = (caller: string, query: string, signal?: AbortSignal) =>
    search.find({ query, visible: [], limit: 10, signal, caller })
  const begins = (count: number): Promise<void> => until(() => Promise.resolve(begun.length === count))
  return { begun, find, begins, answer: () => waiting.shift()?.() }
}

t.test('the searches of one caller run one after the other, those of another beside them', async (t) => {
  const { begun, find, begins, answer } = heldSearch()
  const searches = [find('one', 'a'), find('one', 'b'), find('other', 'c')]
  await begins(2)
  t.same(begun, ['a', 'c'])
  answer()
  await begins(3)
  t.same(begun, ['a', 'c', 'b'])
  answer()
  answer()
  t.equal((await Promise.all(searches)).length, 3)
})

t.test('a search whose caller left before its turn asks the database nothing', async (t) => {
  const { begun, find, begins, answer } = heldSearch()
  const first = find('one', 'a')
  await begins(1)
  const leaving = new AbortController()
  const left = find('one', 'b', leaving.signal)
  const last = find('one', 'c')
  leaving.abort(new Error('gone'))
  answer()
  await t.rejects(left, { message: 'gone' })
  await begins(2)
  t.same(begun, ['a', 'c'])
  answer()
  await Promise.all([first, last])
})
