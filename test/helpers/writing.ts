/** A server whose workspaces let agents write, with keys that may, for tests of the tools that write. */
/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
import type { Test } from 'tap'
import { modern, toolCall, post, build, type Server } from './build.js'
import { until } from './until.js'
import { importLines } from './planning-data.js'

export const WORKSPACE = '0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e00a1'
export const EXPLORATION = '0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e00b1'
const NOW = '2026-11-01T09:00:00.000Z'

export interface PlanItem { id: string, status?: string, group_id?: string, [field: string]: unknown }

/** A workspace with an exploration and its plan, in the form of an import. `waits`: pairs of an item and what it waits for. */
export const planLines = (
  items: readonly PlanItem[], waits: ReadonlyArray<readonly [string, string]> = [], more: object = {}, exploration: object = {}
): object[] => [
  { type: 'workspace', id: WORKSPACE, slug: 'loop', name: 'Loop', created_at: NOW },
  {
    type: 'exploration',
    id: EXPLORATION,
    workspace_id: WORKSPACE,
    title: 'The way back',
    status: 'ready',
    tags: [],
    summaries: [],
    questions: [],
    created_at: NOW,
    updated_at: NOW,
    ...exploration
  },
  {
    type: 'execution_plan',
    exploration_id: EXPLORATION,
    version: 1,
    compilation_state: 'compiled',
    updated_at: NOW,
    groups: [{ id: 'g1', title: 'First', order: 1 }, { id: 'g2', title: 'Second', order: 2 }],
    items: items.map((item, index) => ({ group_id: 'g1', title: `Item ${item.id}`, status: 'todo', order: index + 1, ...item })),
    dependencies: waits.map(([item, on]) => ({ item_id: item, depends_on: on, kind: 'blocks' })),
    gates: [],
    conflicts: [],
    ...more
  }
]

export interface Called {
  status: number
  /** `structuredContent`. */
  data: Record<string, any>
  text: string
  isError: boolean
  body: any
}

export type Writing = Awaited<ReturnType<typeof writing>>

type Policy = 'read' | 'propose' | 'report'

const NOT_SHOWN = 'select from history where xact >= pg_snapshot_xmin(pg_current_snapshot()) limit 1'

/** Calls a tool about the exploration; arguments may name another one. */
export const useOn = (server: Pick<Server, 'app'> & Partial<Pick<Server, 'db'>>) => async (key: string, tool: string, args: object = {}): Promise<Called> => {
  // Rows are shown when no older transaction is open, on a database server of any of its databases.
  if (tool === 'get_changes') await until(async () => ((await server.db?.query(NOT_SHOWN)) ?? []).length === 0)
  const { headers, body } = toolCall(key, tool, { exploration_id: EXPLORATION, ...args })
  const reply = await post<any>(server.app, key, body, headers)
  const { result } = reply.body
  return {
    status: reply.status,
    data: result?.structuredContent ?? {},
    text: result?.content?.[0]?.text ?? '',
    isError: result?.isError === true,
    body: reply.body
  }
}

export const writing = async (t: Test, lines: readonly object[] = planLines([]), agents: Policy = 'report') => {
  const server = await build(t)
  const { db, credentials, people } = server
  const person = await people.createUser({ email: 'ada@example.com', name: 'Ada', kind: 'person' } as never) as { id: string, email: string }
  const keyFor = async (scope: 'read' | 'read_write' | 'admin', name: string, user = person.id) =>
    await credentials.createKey({ user, name, scope })
  const policy = async (to: Policy) => { await db.query('update workspaces set agents = $2 where id = $1', [WORKSPACE, to]) }
  /** Makes the workspace as these lines say, with no trace of what was done in it: for the next case on the same server. */
  const renew = async (lines: readonly object[], agents: Policy = 'report') => {
    await db.query('delete from explorations where workspace_id = $1', [WORKSPACE])
    await db.query('delete from idempotency_keys')
    await importLines(db, lines)
    await policy(agents)
  }
  await renew(lines, agents)
  await db.query("insert into memberships (user_id, workspace_id, role) values ($1, $2, 'editor')", [person.id, WORKSPACE])
  return {
    ...server,
    /** A key of scope `read_write` of an editor, another one of the same person, and one that reads. */
    writer: (await keyFor('read_write', 'writer')).key,
    other: (await keyFor('read_write', 'other')).key,
    reader: (await keyFor('read', 'reader')).key,
    person,
    keyFor,
    policy,
    renew,
    /** The whole result of `tools/list`, as text. */
    list: async (key: string) => JSON.stringify((await modern<{ result: unknown }>(server.app, key, 'tools/list')).body.result),
    use: useOn(server),
    /** Without the row of the first import. */
    history: () => db.query<Record<string, any>>(`select kind, target, before, after, "user", credential, tool, undoes, events from history
      where exploration_id = $1 order by id offset 1`, [EXPLORATION])
  }
}
