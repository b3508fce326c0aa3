/** What waits for people: open proposals and questions, failed gates, leases that have lapsed; the newest first. */
import type { Author, State } from '../../../planning/changes/records.js'
import { decodeCursor, encodeCursor } from '../../sql/cursor.js'
import type { Queryable } from '../../sql/database.js'
import { omitNulls } from '../../sql/omit-nulls.js'
import { pageOf } from '../../sql/page.js'
import type { Page } from '../../../planning/store.js'

export type InboxKind = 'proposal' | 'finished' | 'question' | 'gate' | 'lease'

export interface InboxRow {
  kind: InboxKind
  id: string
  /** RFC 3339. */
  at: string
  workspace: { id: string, name: string }
  exploration: { id: string, title: string }
  item?: { id: string, title: string }
  by?: Author
  /** The rationale of a proposal, the question, the title of a gate. */
  text?: string
  /** The choices of a question, the criteria of a gate, who held the item. */
  more?: State
}

export interface Inbox {
  list (request: { workspaces: readonly string[], limit: number, cursor?: string | undefined }): Promise<Page<InboxRow>>
  /** By kind; counts no further than `MAX_COUNTED` of proposals, questions, gates and leases each. */
  counts (workspaces: readonly string[]): Promise<Record<InboxKind, number>>
}

export const MAX_COUNTED = 1000

interface Source { from: string, where: string, kind: string, id: string, at: string, item: string, fields: string }

const SOURCES: readonly Source[] = [
  {
    from: 'proposals t',
    where: "t.state = 'open'",
    kind: "case when t.changes #>> '{0,kind}' = 'complete_item' then 'finished' else 'proposal' end",
    id: 't.id::text',
    at: 't.created_at',
    item: "t.changes #>> '{0,item_id}'",
    fields: 't.proposed_by as by, t.rationale as text, null::jsonb as more'
  },
  {
    from: 'questions t',
    where: "t.status = 'open'",
    kind: "'question'",
    id: 't.id',
    at: 't.created_at',
    item: 't.item_id',
    fields: `t.asked_by as by, t.question as text,
      jsonb_build_object('options', t.options, 'blocks_item', nullif(t.blocks_item, false)) as more`
  },
  {
    from: 'plan_gates t join execution_plans x on x.exploration_id = t.exploration_id',
    where: "t.status = 'failed'",
    kind: "'gate'",
    id: 't.id',
    at: `coalesce((select h.at from history h where h.exploration_id = t.exploration_id and h.kind = 'gate'
      and h.target = t.id order by h.id desc limit 1), x.updated_at)`,
    item: 'null::text',
    fields: "null::jsonb as by, t.title as text, jsonb_build_object('criteria', t.criteria) as more"
  },
  {
    // What is finished has its proposal.
    from: 'leases t join plan_items i on i.exploration_id = t.exploration_id and i.id = t.item_id',
    where: "t.lapsed and i.status = 'in_progress' and i.finished is null",
    kind: "'lease'",
    id: 't.item_id',
    at: 't.until',
    item: 't.item_id',
    fields: `jsonb_build_object('user', t."user", 'credential', t.credential) as by, null as text,
      jsonb_build_object('since', rfc3339(t.since), 'until', rfc3339(t.until)) as more`
  }
]

/** Ids are unique within a kind of an exploration. */
const KEY = (id: string): string => `${id} || ' ' || t.exploration_id`
const IN_SIGHT = "e.workspace_id = any($1::uuid[]) and e.status <> 'archived'"

const pageOfSource = ({ from, where, kind, id, at, item, fields }: Source): string => `
  (select ${kind} as kind, ${id} as id, ${at} as at, ${KEY(id)} as key, t.exploration_id, e.title as exploration,
    e.workspace_id, ${item} as item_id, ${fields}
  from ${from} join explorations e on e.id = t.exploration_id
  where ${where} and ${IN_SIGHT}
    and ($2::timestamptz is null or (${at} <= $2 and (${at}, ${KEY(id)}) < ($2, $3::text)))
  order by ${at} desc, ${KEY(id)} desc limit $4)`

const PAGE = `
  select r.kind, r.id, rfc3339(r.at) as at, r.key,
    to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact,
    jsonb_build_object('id', w.id, 'name', w.name) as workspace,
    jsonb_build_object('id', r.exploration_id, 'title', r.exploration) as exploration,
    (select jsonb_build_object('id', i.id, 'title', i.title) from plan_items i
      where i.exploration_id = r.exploration_id and i.id = r.item_id) as item,
    jsonb_strip_nulls(r.by) as by, r.text, jsonb_strip_nulls(r.more) as more
  from (${SOURCES.map(pageOfSource).join(' union all ')}) r join workspaces w on w.id = r.workspace_id
  order by r.at desc, r.key desc limit $4`

const COUNTS = `
  select r.kind, count(*)::int as count from (${SOURCES.map(({ from, where, kind }) => `
    (select ${kind} as kind from ${from} join explorations e on e.id = t.exploration_id
    where ${where} and ${IN_SIGHT} limit ${MAX_COUNTED})`).join(' union all ')}) r group by r.kind`

/** Returns the port on `db`. */
export const sqlInbox = (db: Queryable): Inbox => ({
  async list ({ workspaces, limit, cursor }) {
    const [at, key] = decodeCursor('inbox', cursor, isPosition) ?? []
    const rows = await db.query<InboxRow & { key: string, exact: string }>(
      PAGE, [workspaces, at ?? null, key ?? null, limit + 1])
    const page = pageOf(rows.map(omitNulls), limit, (row) => encodeCursor('inbox', [row.exact, row.key]))
    return { ...page, items: page.items.map(({ key: _, exact: __, ...row }) => row) }
  },

  async counts (workspaces) {
    const rows = await db.query<{ kind: InboxKind, count: number }>(COUNTS, [workspaces])
    const none = { proposal: 0, finished: 0, question: 0, gate: 0, lease: 0 }
    return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) }
  }
})

const isPosition = (position: unknown[]): position is [string, string] => {
  const [at, key] = position
  return position.length === 2 && typeof key === 'string' && typeof at === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(Date.parse(at))
}
