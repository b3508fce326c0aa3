// The index of meanings, through the ports that commands and tools use: kept up in the background, resumed, changed over, done without.
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Embedder } from '../../src/search/embedder.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import type { Database } from '../../src/db/sql/database.js'
import { database } from '../helpers/database.js'
import { explorationLine, importLines } from '../helpers/planning-data.js'
import { searchOn } from './indexed.js'

const at = '2026-01-01T00:00:00.000Z'
const workspace = { type: 'workspace', id: randomUUID(), slug: 'w', name: 'W', created_at: at }
const exploration = (title: string, text: string, more?: object) => explorationLine(workspace.id, title, text, more)
const animals = exploration('Animals', 'A page of cats. No one asked for it.')
const vehicles = exploration('Vehicles', 'A page of cars.')
const weather = exploration('Weather', 'A page of rain.')
const LINES = [workspace, animals, vehicles, weather]

/** Knows three things by heart: what a text is about decides its direction. */
const MEANINGS: Record<string, number> = { cat: 0, kitten: 0, car: 1, lorry: 1, rain: 2, umbrella: 2 }

const axesOf = (text: string): number[] =>
  Object.entries(MEANINGS).filter(([word]) => text.toLowerCase().includes(word)).map(([, axis]) => axis)

interface Options { id?: string, version?: string, dimensions?: number, window?: number }

const embedder = ({ id = 'toy', version = '1', dimensions = 4, window }: Options = {}) => {
  const asked: string[] = []
  const toy = {
    id,
    version,
    dimensions,
    ...(window !== undefined && { window }),
    scale: { unrelated: 0.2, related: 1 },
    asked,
    /** What happens before an answer. */
    before: async (_kind: 'document' | 'query'): Promise<void> => {},
    nearTo: (question: string) => (sentences: readonly string[]) => Float32Array.from(sentences, (sentence) =>
      axesOf(question).filter((axis) => axesOf(sentence).includes(axis)).length),
    async embed (texts, { kind }) {
      await toy.before(kind)
      return texts.map(({ parts }) => {
        const text = parts.map((part) => part.text).join(' ')
        if (kind === 'document') asked.push(text)
        const vector = new Float32Array(dimensions)
        for (const axis of axesOf(text)) vector[axis]! += 1
        const length = Math.hypot(...vector)
        return vector.map((value) => length === 0 ? 0 : value / length)
      })
    }
  } satisfies Embedder & Record<string, unknown>
  return toy
}
type Toy = ReturnType<typeof embedder>

/** One process, with the embedder that it is configured for. */
const open = (db: Database, toy: Toy) => {
  const embedders = { configured: async () => ({ embedder: toy, settings: {} }), reopen: async () => toy }
  const { index, search } = searchOn(db, embedders, createSearchEngine(async () => embedder()))
  const find = async (query: string) => await search.find({ query, visible: [workspace.id], limit: 10 })
  return { index, find, titles: async (query: string) => (await find(query)).items.map(({ title }) => title) }
}

const start = async (t: Test, lines: readonly object[] = LINES): Promise<Database> => {
  const db = await database(t)
  await importLines(db, lines)
  return db
}

t.test('the state counts all explorations, also before their words are indexed', async (t) => {
  const db = await start(t)
  await db.query('delete from search_documents')
  t.match(await open(db, embedder()).index.state(), { explorations: 3, pending: 3 })
})

t.test('what shares no word is found by its meaning, with the sentence that says it', async (t) => {
  const { index, find, titles } = open(await start(t), embedder())
  t.match(await index.state(), { embedder: 'toy', state: 'building', explorations: 3, pending: 3, answering: null })
  t.match(await find('kitten'), { items: [], notice: /by words alone/ })
  const steps: object[] = []
  t.match(await index.settle((step) => steps.push(step)), { state: 'complete', pending: 0, answering: 'toy' })
  t.match(steps.at(-1), { done: 3, total: 3 })
  const found = await find('kitten')
  t.match(found.items, [{ title: 'Animals', snippet: 'A page of cats.' }])
  t.notOk('notice' in found)
  t.ok(found.items[0]!.score > 0.5 && found.items[0]!.score < 1)
  t.same(await titles('umbrella'), ['Weather'])
  t.same(await titles('astronomy'), [])
})

t.test('only what changed is embedded again, and no one finds what it was before', async (t) => {
  const db = await start(t)
  const toy = embedder()
  const { index, titles } = open(db, toy)
  await index.settle()
  toy.asked.length = 0
  await importLines(db, LINES)
  await index.settle()
  t.same(toy.asked, [], 'the same file again')
  await importLines(db, [{ ...animals, status: 'archived' }])
  await index.settle()
  t.same(toy.asked, [], 'another status is not another text')
  await importLines(db, [{ ...animals, title: 'Freight', summaries: [{ kind: 'summary', text: 'A page of cars.' }] }])
  await index.settle()
  t.equal(toy.asked.length, 1)
  t.same(await titles('kitten'), [])
  t.same((await titles('lorry')).sort(), ['Freight', 'Vehicles'])
  await importLines(db, [{
    type: 'requirement_package',
    exploration_id: weather.id,
    artifact_type: 'code',
    markdown: 'It has a cat.',
    version: 1,
    updated_at: at
  }])
  await index.settle()
  t.same(await titles('kitten'), ['Weather'], 'packages count')
})

t.test('an exploration that changes while it is being embedded is embedded again', async (t) => {
  const db = await start(t)
  const toy = embedder()
  const { index, titles } = open(db, toy)
  toy.before = async (kind) => {
    if (kind === 'query') return
    toy.before = async () => {}
    await importLines(db, [{ ...animals, summaries: [{ kind: 'summary', text: 'A page of cars.' }] }])
  }
  await index.settle()
  t.same(await titles('kitten'), [])
  t.same((await titles('lorry')).sort(), ['Animals', 'Vehicles'])
})

t.test('a process that is killed at work leaves it to the next', async (t) => {
  const db = await start(t)
  const dying = embedder()
  dying.before = async () => await new Promise(() => {})
  open(db, dying).index.settle().catch(t.fail)
  const claimed = async () => (await db.query('select from search_queue where claimed_until > now()')).length
  while (await claimed() === 0) await turn()
  const { index, titles } = open(db, embedder())
  t.match(await index.settle(), { pending: 3 }, 'no one does the same work twice at a time')
  await db.query("update search_queue set claimed_until = now() - interval '1 second'")
  t.match(await index.settle(), { state: 'complete', pending: 0 })
  t.same(await titles('kitten'), ['Animals'])
})

const indexes = async (db: Database): Promise<number> =>
  (await db.query("select from pg_indexes where indexname ~ '^exploration_vectors_[0-9]+$'")).length

t.test('vectors get an index of their own when there are many', async (t) => {
  const db = await start(t)
  const { index, titles } = open(db, embedder())
  await index.settle()
  t.equal(await indexes(db), 0)
  await db.query(`
    insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select 1, $1, n, $2, '[0, 1, 0, 0]' from generate_series(1, 1000) n`, [vehicles.id, workspace.id])
  await importLines(db, [{ ...weather, title: 'Forecasts' }])
  await index.settle()
  t.equal(await indexes(db), 1)
  t.same(await titles('kitten'), ['Animals'])
  await open(db, embedder({ id: 'other' })).index.settle()
  t.equal(await indexes(db), 0, 'it goes with them')
  t.match(await db.query('select distinct e.name from exploration_vectors v join embedders e on e.id = v.embedder'), [{ name: 'other' }])
})

t.test('a text that is longer than the embedder reads is found by its parts', async (t) => {
  const long = exploration('Notes', `${'Of this and that, and nothing more. '.repeat(20)}And a kitten at last.`)
  const db = await start(t, [workspace, long, vehicles])
  const toy = embedder({ window: 200 })
  const { index, titles } = open(db, toy)
  await index.settle()
  t.ok(toy.asked.filter((text) => text.startsWith('Notes')).length > 3)
  t.same(await titles('cat'), ['Notes'])
  await importLines(db, [{ ...long, summaries: [{ kind: 'summary', text: 'Short.' }] }])
  await index.settle()
  t.match(await db.query('select count(*)::int as vectors from exploration_vectors where exploration_id = $1', [long.id]), [{ vectors: 1 }])
})

t.test('in the background it looks by itself', async (t) => {
  const db = await start(t)
  const { index, titles } = open(db, embedder())
  await index.start((error) => { throw error })
  t.teardown(() => index.close())
  while ((await index.state()).state !== 'complete') await turn()
  t.same(await titles('kitten'), ['Animals'])
})
