// Replacing a plan costs as much as it is large, and not its items times its dependencies.
import { tmpdir } from 'node:os'
import t from 'tap'
import type { Queryable } from '../../src/db/sql/database.js'
import { requireRow } from '../../src/db/sql/rows.js'
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

/** Rows that this transaction has read, and earlier ones whose counts the database has not yet passed on. */
const rowsRead = async (tx: Queryable): Promise<{ items: number, dependencies: number }> => requireRow(await tx.query<{ items: number, dependencies: number }>(`
  select coalesce(sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)) filter (where relname = 'plan_items'), 0)::int as items,
    coalesce(sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)) filter (where relname = 'plan_dependencies'), 0)::int as dependencies
  from pg_stat_xact_user_tables`))

t.test('each row is looked up a few times', async (t) => {
  const db = await database(t)
  await importRecords(db, bytesOf(LINES), { spoolDir: tmpdir() })
  // As a larger database would plan it, whose tables are not read from end to end.
  await db.script('analyze plan_groups, plan_items, plan_dependencies')
  const read = await db.transaction(async (tx) => {
    await tx.query("select set_config('enable_seqscan', 'off', true)")
    const before = await rowsRead(tx)
    await tx.query('delete from plan_groups where exploration_id = any($1::uuid[])', [[EXPLORATION]])
    const after = await rowsRead(tx)
    return { items: after.items - before.items, dependencies: after.dependencies - before.dependencies }
  })
  t.ok(read.dependencies > 0 && read.dependencies <= 4 * DEPENDENCIES, `${read.dependencies} rows read of ${DEPENDENCIES} dependencies`)
  t.ok(read.items > 0 && read.items < GROUPS * ITEMS / 2, `${read.items} rows read of ${ITEMS} items`)
})
