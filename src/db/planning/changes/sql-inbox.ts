/** What waits for people: open proposals and questions, failed gates, leases that have lapsed; the newest first. */
import type { Author, State } from '../../../planning/changes/records.js'
import type { Page } from '../../../planning/store.js'
import { isUuid } from '../../../lib/uuid.js'
import { decodeCursor, encodeCursor, pageOf } from '../../sql/cursor.js'
import type { Queryable } from '../../sql/database.js'
import { omitNulls } from '../../sql/rows.js'

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
  /** The choices of a question, the criteria of a gate, the times of a lease. */
  more?: State
}

interface InboxFilter {
  workspaces: readonly string[]
  limit: number
  cursor?: string | undefined
  proposal?: string | undefined
}

/** Of proposals and questions in each workspace, of gates and leases in all. */
const MAX_COUNTED = 1000

interface Source { from: string, where: string, kind: string, id: string, at: string, item: string, fields: string }

const PROPOSALS: Source = {
  from: 'proposals t',
  where: "t.workspace_id = w.id and t.state = 'open'",
  kind: "case when t.changes #>> '{0,kind}' = 'complete_item' then 'finished' else 'proposal' end",
  id: 't.id::text',
  at: 't.created_at',
  item: "t.changes #>> '{0,item_id}'",
  fields: 't.proposed_by as by, t.rationale as text, null::jsonb as more'
}
/** They know their workspace, by which an index has them. */
const BY_WORKSPACE: readonly Source[] = [
  PROPOSALS,
  {
    from: 'questions t',
    where: "t.workspace_id = w.id and t.status = 'open'",
    kind: "'question'",
    id: 't.id',
    at: 't.created_at',
    item: 't.item_id',
    fields: `t.asked_by as by, t.question as text,
      jsonb_build_object('options', t.options, 'blocks_item', nullif(t.blocks_item, false)) as more`
  }
]
/** There are few. */
const AMONG_ALL: readonly Source[] = [
  {
    from: 'plan_gates t join execution_plans x on x.exploration_id = t.exploration_id',
    where: "e.workspace_id = any($1::uuid[]) and t.status = 'failed'",
    kind: "'gate'",
    id: 't.id',
    at: `coalesce((select h.at from history h where h.exploration_id = t.exploration_id and h.kind = 'gate'
      and h.target = t.id order by h.id desc limit 1), x.updated_at)`,
    item: 'null::text',
    fields: "null::jsonb as by, t.title as text, jsonb_build_object('criteria', t.criteria) as more"
  },
  {
    // What is finished has its proposal; once a person has dismissed that, its claim is no news.
    from: 'leases t join plan_items i on i.exploration_id = t.exploration_id and i.id = t.item_id',
    where: `e.workspace_id = any($1::uuid[]) and t.lapsed and i.status = 'in_progress' and i.finished is null
      and not exists (select from proposals p where p.exploration_id = t.exploration_id and p.decided_at >= t.until
        and p.changes #>> '{0,kind}' = 'complete_item' and p.changes #>> '{0,item_id}' = t.item_id)`,
    kind: "'lease'",
    id: 't.item_id',
    at: 't.until',
    item: 't.item_id',
    fields: `jsonb_build_object('user', t."user", 'credential', t.credential) as by, null as text,
      jsonb_build_object('since', rfc3339(t.since), 'until', rfc3339(t.until)) as more`
  }
]

const found = ({ from, where }: Source): string => `
  from ${from} join explorations e on e.id = t.exploration_id and e.status <> 'archived' where ${where}`
const page = (source: Source): string => `
  select ${source.kind} as kind, ${source.id} as id, ${source.at} as at, t.exploration_id, e.title as exploration,
    e.workspace_id, ${source.item} as item_id, ${source.fields} ${found(source)}
    and ($2::timestamptz is null or ((${source.at}, t.exploration_id) <= ($2, $3::uuid)
      and (${source.at}, t.exploration_id, ${source.id}) < ($2, $3, $4::text)))
  order by ${source.at} desc, t.exploration_id desc, ${source.id} desc limit $5`
const counted = (source: Source): string => `select ${source.kind} as kind ${found(source)} limit ${MAX_COUNTED}`
const inEach = (of: string): string => `(select r.* from unnest($1::uuid[]) w (id) cross join lateral (${of}) r)`
const all = (of: (source: Source) => string): string => [
  ...BY_WORKSPACE.map((source) => inEach(of(source))),
  ...AMONG_ALL.map((source) => `(${of(source)})`)
].join(' union all ')

const rowsOf = (source: string): string => `
  select r.kind, r.id, rfc3339(r.at) as at,
    to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact,
    jsonb_build_object('id', w.id, 'name', w.name) as workspace,
    jsonb_build_object('id', r.exploration_id, 'title', r.exploration) as exploration,
    (select jsonb_build_object('id', i.id, 'title', i.title) from plan_items i
      where i.exploration_id = r.exploration_id and i.id = r.item_id) as item,
    jsonb_strip_nulls(r.by) as by, r.text, jsonb_strip_nulls(r.more) as more
  from (${source}) r join workspaces w on w.id = r.workspace_id
  order by r.at desc, r.exploration_id desc, r.id desc limit $5`
const PAGE = rowsOf(all(page))
/** Decided or not. */
const PROPOSAL = rowsOf(inEach(page({ ...PROPOSALS, where: 't.workspace_id = w.id and t.id = $6::uuid' })))
const COUNTS = `select r.kind, count(*)::int as count from (${all(counted)}) r group by r.kind`

export const sqlInbox = (db: Queryable) => ({
  /** What waits, or one proposal, though it is decided. */
  async list ({ workspaces, limit, cursor, proposal }: InboxFilter): Promise<Page<InboxRow>> {
    if (proposal !== undefined && !isUuid(proposal)) return { items: [] }
    const after = decodeCursor('inbox', cursor, isPosition) ?? [null, null, null]
    const [sql, ids] = proposal === undefined ? [PAGE, []] : [PROPOSAL, [proposal]]
    const rows = await db.query<InboxRow & { exact: string }>(sql, [workspaces, ...after, limit + 1, ...ids])
    const { items, ...rest } = pageOf(
      rows.map(omitNulls), limit, ({ exact, exploration, id }) => encodeCursor('inbox', [exact, exploration.id, id]))
    return { items: items.map(({ exact: _, ...row }) => row), ...rest }
  },

  async counts (workspaces: readonly string[]): Promise<Record<InboxKind, number>> {
    const rows = await db.query<{ kind: InboxKind, count: number }>(COUNTS, [workspaces])
    const none = { proposal: 0, finished: 0, question: 0, gate: 0, lease: 0 }
    return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) }
  }
})

const isPosition = (position: unknown[]): position is [string, string, string] => {
  const [at, exploration, id] = position
  return position.length === 3 && typeof id === 'string' && typeof exploration === 'string' && isUuid(exploration) &&
    typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(Date.parse(at))
}
