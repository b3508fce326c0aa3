// The counts of tags, kept by triggers, are those of the explorations, whatever is written, moved or deleted, and by however many at once.
import t, { type Test } from 'tap'
import type { Database, Queryable } from '../../src/db/sql/database.js'
import { sqlExplorationCatalog } from '../../src/db/planning/sql-exploration-catalog.js'
import { sampleDatabase } from '../helpers/database.js'

const db = await sampleDatabase(t)
const [first, second] = (await db.query<{ id: string }>('select id from workspaces order by slug limit 2')).map(({ id }) => id)

const same = async (t: Test, db: Database, what: string): Promise<void> => {
  t.same(
    await db.query('select workspace_id, tag, explorations from workspace_tags order by workspace_id, tag'),
    await db.query(`select workspace_id, tag, count(distinct id)::int as explorations
      from explorations cross join jsonb_array_elements_text(tags) tag group by workspace_id, tag order by workspace_id, tag`), what)
}

const add = (db: Queryable, workspace: string | undefined, tags: readonly string[], times = 1) => db.query(
  `insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
   select gen_random_uuid(), $1, 'T', 'draft', $2::jsonb, '[]', '[]', now(), now() from generate_series(1, $3::int)`,
  [workspace, JSON.stringify(tags), times])

t.test('after every kind of change', async (t) => {
  t.ok((await db.query('select from workspace_tags')).length > 5, 'the import counted')
  await same(t, db, 'after an import')
  await add(db, first, ['new', 'twice', 'twice'], 3)
  await same(t, db, 'a tag that an exploration has twice counts once')
  await db.query('update explorations set tags = \'["new", "other"]\' where id in (select id from explorations where tags @> \'["twice"]\' limit 2)')
  await same(t, db, 'other tags')
  await db.query('update explorations set title = title, updated_at = now()')
  await same(t, db, 'the same tags')
  await db.query('update explorations set workspace_id = $2 where workspace_id = $1 and tags @> \'["new"]\'', [first, second])
  await same(t, db, 'moved')
  await db.query('delete from explorations where workspace_id = $1 and tags @> \'["other"]\'', [second])
  await same(t, db, 'deleted')
  t.same(await db.query('select from workspace_tags where explorations < 1'), [])
  await db.query("update explorations set tags = '[]' where workspace_id = $1", [first])
  t.same(await db.query('select from workspace_tags where workspace_id = $1', [first]), [], 'no tags')
  await db.query('delete from workspaces where id = $1', [second])
  await same(t, db, 'with its workspace')
})

t.test('the most frequent first, of many workspaces together', async (t) => {
  const [one, other] = (await db.query<{ id: string }>(
    "insert into workspaces (id, slug, name, created_at) values (gen_random_uuid(), 'one', 'One', now()), (gen_random_uuid(), 'other', 'Other', now()) returning id"
  )).map(({ id }) => id)
  await add(db, one, ['a', 'b'], 2)
  await add(db, one, ['c'], 3)
  await add(db, other, ['b'], 2)
  const { tags } = sqlExplorationCatalog(db)
  t.same(await tags([one!, other!], 2), [{ tag: 'c', count: 3 }, { tag: 'a', count: 2 }],
    'of each workspace only as many as are asked for: the tag b is the third of the first one')
  t.same(await tags([one!, other!], 10), [{ tag: 'b', count: 4 }, { tag: 'c', count: 3 }, { tag: 'a', count: 2 }])
  t.same(await tags([], 10), [])
})

t.test('transactions that change the same tags in another order wait for each other', async (t) => {
  const { id } = (await db.query<{ id: string }>("select id from workspaces where slug = 'one'"))[0]!
  await Promise.all([['p', 'q'], ['q', 'p'], ['p', 'q'], ['q', 'p']].map((tags) => db.transaction(async (tx) => {
    for (const tag of tags) await add(tx, id, [tag])
  })))
  await same(t, db, 'none was a deadlock')
})
