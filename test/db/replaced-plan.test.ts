// Replacing a plan costs as much as it is large, and not its items times its dependencies.
import { tmpdir } from 'node:os'
import t from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { bytesOf } from '../helpers/planning-data.js'
import { database } from '../helpers/database.js'

const [WORKSPACE, EXPLORATION] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const AT = '2026-01-01T00:00:00.000Z'
const [GROUPS, ITEMS, DEPENDENCIES] = [20, 400, 1200]
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

const LINES = [
  { type: 'workspace', id: WORKSPACE, slug: 'one', name: 'One', created_at: AT },
  {
    type: 'exploration',
    id: EXPLORATION,
    workspace_id: WORKSPACE,
    title: 'Large',
    status: 'ready',
    tags: [],
    created_at: AT,
    updated_at: AT,
    summaries: [],
    questions: []
  },
  {
    type: 'execution_plan',
    exploration_id: EXPLORATION,
    version: 1,
    compilation_state: 'compiled',
    updated_at: AT,
    groups: numbers(GROUPS).map((n) => ({ id: `g${n}`, title: 'G', order: n })),
    items: numbers(ITEMS).map((n) => ({ id: `i${n}`, group_id: `g${n % GROUPS}`, title: 'I', status: 'todo', order: n })),
    dependencies: numbers(DEPENDENCIES).map((n) => ({
      item_id: `i${n % ITEMS}`, depends_on: `i${(n % ITEMS + 1 + Math.floor(n / ITEMS)) % ITEMS}`, kind: 'relates'
    })),
    gates: [],
    conflicts: []
  }
]

t.test('each row is looked up a few times', async (t) => {
  const db = await database(t)
  await importRecords(db, bytesOf(LINES), { spoolDir: tmpdir() })
  // As a larger database would plan it, whose tables are not read from end to end.
  await db.script('analyze plan_groups, plan_items, plan_dependencies')
  const read = await db.transaction(async (tx) => {
    await tx.query("select set_config('enable_seqscan', 'off', true)")
    await tx.query('delete from plan_groups where exploration_id = any($1::uuid[])', [[EXPLORATION]])
    return await tx.query<{ name: string, rows: number }>(`select relname as name, (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int as rows
      from pg_stat_xact_user_tables where relname in ('plan_items', 'plan_dependencies') order by relname`)
  })
  const [dependencies, items] = read
  t.match([dependencies?.name, items?.name], ['plan_dependencies', 'plan_items'])
  t.ok(dependencies!.rows > 0 && dependencies!.rows <= 4 * DEPENDENCIES, `${dependencies!.rows} of ${DEPENDENCIES} dependencies`)
  t.ok(items!.rows > 0 && items!.rows < GROUPS * ITEMS / 2, `${items!.rows} of ${ITEMS} items`)
})
