// The promises of the store, on the sample data.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Refusal } from '../../../src/lib/errors.js'
import { platformEndedSessions } from '../../../src/platform-api/client/platform-sessions.js'
import { platformStore } from '../../../src/platform-api/client/platform-store.js'
import { decodeCursor, encodeCursor } from '../../../src/db/sql/cursor.js'
import { sharedEndedSessionStore, sqlEndedSessionStore } from '../../../src/db/sessions/sql-ended-session-store.js'
import { keywordSearch } from '../../helpers/find-by-words.js'
import { sqlSearch } from '../../../src/search/ranking/sql-search.js'
import { sqlStore } from '../../../src/db/planning/sql-store.js'
import type { Page, PageRequest } from '../../../src/planning/store.js'
import { sampleDatabase } from '../../helpers/database.js'
import { askerOf, platformServer } from '../../helpers/platform.js'
import { anyText, runs } from '../../helpers/fuzzing.js'

const all = async <Item>(list: (page: PageRequest) => Promise<Page<Item>>, limit: number): Promise<Item[]> => {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit, cursor })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return items
}

const sql = async (t: Test) => {
  const db = await sampleDatabase(t)
  const store = sqlStore(db, keywordSearch(sqlSearch(db)))
  return { db, store, ended: async () => sqlEndedSessionStore(db), shared: sharedEndedSessionStore(db) }
}

/** The same over HTTP, as a front has it. */
const overHttp = async (t: Test) => {
  const { db, url } = await platformServer(t)
  const platform = askerOf(t, url)
  const ended = platformEndedSessions(platform)
  return { db, store: platformStore(platform), ended: async () => ended, shared: ended }
}

const promises = (name: string, open: typeof sql) => t.test(name, async (t) => {
  const { db, store, ...sessions } = await open(t)
  const visible = (await db.query<{ id: string }>('select id from workspaces order by id')).map(({ id }) => id)
  const some = visible.slice(0, 1)

  await t.test('workspaces: visible ones only, in pages that add up', async (t) => {
    const whole = await all((page) => store.workspaces.list(visible, page), 100)
    t.strictSame(await all((page) => store.workspaces.list(visible, page), 1), whole)
    t.strictSame(whole.map(({ name }) => name), whole.map(({ name }) => name).sort())
    t.strictSame((await all((page) => store.workspaces.list(some, page), 2)).map(({ id }) => id), some)
    t.strictSame(await all((page) => store.workspaces.list([], page), 2), [])
    t.equal((await store.workspaces.get(visible, visible[1]!))?.id, visible[1])
    t.equal(await store.workspaces.get(some, visible[1]!), undefined)
    t.equal(await store.workspaces.get(visible, 'no id'), undefined)
    t.equal(whole.reduce((sum, { exploration_count: count }) => sum + count, 0), (await db.query("select from explorations where status <> 'archived'")).length, 'not archived')
  })

  await t.test('explorations: newest first, in pages that add up; details with what else there is', async (t) => {
    for (const workspace of visible) {
      const whole = await all((page) => store.explorations.list(workspace, page), 100)
      t.strictSame(await all((page) => store.explorations.list(workspace, page), 1), whole)
      t.strictSame(whole.map(({ updated_at: at }) => at), whole.map(({ updated_at: at }) => at).sort().reverse())
      for (const { id, artifact_types: types, has_plan: planned } of whole) {
        const detail = await store.explorations.get(id)
        t.strictSame(detail?.artifacts.map(({ artifact_type: type }) => type), types)
        t.strictSame(await store.packages.types(id), types)
        t.equal(detail?.plan !== null, planned)
        t.equal(detail?.recommendation_count, (await store.recommendations.approved(id)).length)
        t.equal(await store.explorations.workspaceOf(id), workspace)
        t.match(detail?.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    }
    for (const id of ['', 'no id', '00000000-0000-4000-8000-000000000000']) {
      t.equal(await store.explorations.get(id), undefined)
      t.equal(await store.packages.get(id, 'design'), undefined)
      t.equal(await store.plans.get(id), undefined)
      t.equal(await store.plans.state(id), undefined)
      t.strictSame(await store.recommendations.approved(id), [])
    }
  })

  await t.test('plans: counts agree with the plan', async (t) => {
    const plans = await db.query<{ id: string }>('select exploration_id as id from execution_plans')
    t.ok(plans.length >= 9)
    for (const { id } of plans) {
      const plan = (await store.plans.get(id))!
      const state = (await store.plans.state(id))!
      t.equal(state.counts.groups, plan.groups.length)
      t.equal(state.counts.items.total, plan.items.length)
      t.equal(state.counts.items.done, plan.items.filter(({ status }) => status === 'done').length)
      t.equal(state.counts.dependencies, plan.dependencies.length)
      t.equal(state.counts.gates.total, plan.gates.length)
      t.equal(state.counts.conflicts.open, plan.conflicts.filter(({ status }) => status === 'open').length)
      const groups = plan.groups.map((group) => group.id)
      const order = plan.items.map((item) => groups.indexOf(item.group_id))
      t.strictSame(order, [...order].sort((a, b) => a - b))
    }
  })

  await t.test('recommendations: approved ones only, strategies first', async (t) => {
    const rows = await db.query<{ id: string }>('select distinct exploration_id as id from recommendations where status <> \'approved\'')
    t.ok(rows.length > 0)
    for (const { id } of rows) {
      const approved = await store.recommendations.approved(id)
      t.ok(approved.every(({ status }) => status === 'approved'))
      t.ok(approved.map(({ kind }) => kind).join().match(/^(strategy,?)*(recommendation,?)*$/))
      t.ok((await store.recommendations.approved(id, 'strategy')).every(({ kind }) => kind === 'strategy'))
    }
  })

  await t.test('search: title and id first, in pages that add up, never beyond what is visible', async (t) => {
    const rows = await db.query<{ id: string, title: string, status: string }>('select id, title, status from explorations')
    for (const { id, title, status } of rows) {
      for (const query of [title, title.toUpperCase(), id]) {
        const { items } = await store.search.find({ query, visible, limit: 3 })
        t.equal(items[0]?.id, id, query)
        t.equal(items[0]?.score, status === 'archived' ? 0.95 : 1)
      }
    }
    const query = 'payment appointment release'
    const whole = await all((page) => store.search.find({ query, visible, ...page }), 50)
    t.ok(whole.length > 3)
    t.strictSame(await all((page) => store.search.find({ query, visible, ...page }), 2), whole)
    t.ok(whole.every(({ score, snippet }) => score >= 0 && score <= 1 && snippet.length > 0))
    const mine = await all((page) => store.search.find({ query, visible: some, ...page }), 50)
    t.strictSame(mine.map(({ id }) => id), whole.filter((hit) => some.includes(hit.workspace_id)).map(({ id }) => id))
    const ready = await all((page) => store.search.find({ query, visible, status: ['ready'], ...page }), 50)
    t.strictSame(ready.map(({ id }) => id), whole.filter(({ status }) => status === 'ready').map(({ id }) => id))
    const { next_cursor: cursor } = await store.search.find({ query, visible, limit: 1 })
    await t.rejects(store.search.find({ query: 'another', visible, limit: 1, cursor }), Refusal)
  })

  await t.test('search: no text breaks it', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(anyText(), fc.constantFrom('the and of', '!!', 'a & | b:*', '\u{1F600}'.repeat(500), '\0', "'; --")),
      async (query) => (await store.search.find({ query, visible, limit: 5 })).items.length <= 5), runs(100))
  })

  await t.test('completion: by prefix, as it stands', async (t) => {
    const [first] = await store.workspaces.list(visible, { limit: 1 }).then(({ items }) => items)
    t.strictSame((await store.workspaces.complete(visible, first!.slug.slice(0, 4).toUpperCase(), 9)).map(({ id }) => id), [first!.id])
    t.equal((await store.workspaces.complete(visible, '', 2)).length, 2)
    t.strictSame(await store.explorations.complete(visible, '%', 9), [])
    t.strictSame(await store.explorations.complete([], '', 9), [])
    t.strictSame(await store.packages.complete(visible, 'd', 9), ['design'])
  })

  await t.test('ended sessions are remembered, over restarts too, until they would have expired', async (t) => {
    const ended = await sessions.ended()
    await ended.add('one', Date.now() + 60_000)
    await ended.add('past', Date.now() - 1)
    for (const memory of [ended, await sessions.ended(), sessions.shared]) {
      t.equal(await memory.has('one'), true)
      t.equal(await memory.has('other'), false)
    }
    t.equal(await (await sqlEndedSessionStore(db)).has('past'), false)
    await ended.add('next', Date.now() + 60_000)
    t.strictSame(await db.query('select id_hash from ended_sessions where expires_at <= now()'), [], 'what has expired is forgotten')
  })
})

promises('the store on a database', sql)
promises('the store of a platform', overHttp)

t.test('cursors come back as they were made, and no others are taken', async (t) => {
  const isPair = (position: unknown[]): position is [string, number] =>
    position.length === 2 && typeof position[0] === 'string' && typeof position[1] === 'number'
  fc.assert(fc.property(anyText({ maxLength: 40 }), fc.integer(), (text, number) => {
    const decoded = decodeCursor('a', encodeCursor('a', [text, number]), isPair)
    return decoded?.[0] === text && decoded[1] === number
  }))
  fc.assert(fc.property(anyText({ maxLength: 2000 }), (text) => {
    try {
      decodeCursor('a', text, isPair)
      return false
    } catch (error) {
      return error instanceof Refusal
    }
  }))
  t.throws(() => decodeCursor('b', encodeCursor('a', ['x', 1]), isPair), Refusal)
  t.equal(decodeCursor('a', undefined, isPair), undefined)
})
