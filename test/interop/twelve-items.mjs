// A plan of twelve items that wait for each other, which an agent works through, and what has to be true when it has.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

const AT = '2026-11-01T09:00:00.000Z'
/** Of the sample data. */
const EDITOR = 'mira.okafor@example.com'
const idOf = (number) => `item-${String(number).padStart(2, '0')}`

/** All that an agent knows of an item when it has done it. */
export const evidenceOf = (item) => [{ kind: 'commit', ref: 'c0ffee', summary: `${item} is built` }]

/** So many plans, in explorations of a new workspace that lets agents report: their ids, and a key of an editor there. */
export const makePlans = async (product, count) => {
  const workspace = { type: 'workspace', id: randomUUID(), slug: 'twelve', name: 'Twelve', created_at: AT }
  const ids = Array.from({ length: count }, () => randomUUID())
  await product.importRecords(workspace, ...ids.flatMap((id) => planRecords(id, workspace.id)))
  await product.command('members', 'add', '--user', EDITOR, '--workspace', 'twelve', '--role', 'editor')
  const { key } = await product.command('keys', 'create', '--user', EDITOR, '--name', 'builder', '--scope', 'read_write')
  await product.command('workspaces', 'update', 'twelve', '--agents', 'report')
  return {
    ids,
    key,
    /** Each item is claimed once and done once, after what it waits for, and `client` is who did it. */
    async assertDone (id, client) {
      const rows = (await product.command('history', '--exploration', id)).reverse().filter(({ tool }) => tool)
      assert.deepEqual([...new Set(rows.map((row) => `${row.user} ${row.credential}`))], [`${EDITOR} builder`])
      for (const row of rows) assert.match(row.client, client)
      const targets = (tool) => rows.filter((row) => row.tool === tool).map(({ target }) => target.id)
      const done = rows.filter(({ after }) => after.status === 'done').map(({ target }) => target.id)
      assert.deepEqual(done.toSorted(), Array.from({ length: 12 }, (_, index) => idOf(index + 1)))
      assert.deepEqual(targets('claim_item'), done)
      assert.deepEqual(targets('report_progress'), done)
      for (const [item, on] of WAITS) assert.ok(done.indexOf(idOf(on)) < done.indexOf(idOf(item)), `${item} waits for ${on}`)
    }
  }
}

/** The last items come first: the order of the plan alone does not lead through it. */
const WAITS = [[1, 2], [2, 12], [3, 1], [4, 3], [4, 6], [5, 12], [6, 5], [7, 4], [8, 7], [9, 7], [10, 8], [10, 9], [11, 10]]

const planRecords = (id, workspace) => [
  {
    type: 'exploration',
    id,
    workspace_id: workspace,
    title: 'Twelve steps',
    status: 'ready',
    tags: [],
    summaries: [],
    questions: [],
    created_at: AT,
    updated_at: AT
  },
  {
    type: 'execution_plan',
    exploration_id: id,
    version: 1,
    compilation_state: 'compiled',
    updated_at: AT,
    groups: [{ id: 'all', title: 'All', order: 1 }],
    items: Array.from({ length: 12 }, (_, index) => ({ id: idOf(index + 1), group_id: 'all', title: `Step ${index + 1}`, status: 'todo', order: index + 1 })),
    dependencies: WAITS.map(([item, on]) => ({ item_id: idOf(item), depends_on: idOf(on), kind: 'blocks' })),
    gates: [],
    conflicts: []
  }
]
