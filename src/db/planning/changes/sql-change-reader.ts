/** What is read of proposals and the history, and what is tidied up. */
import type { ChangeReader } from '../../../planning/changes/change-store.js'
import type { ChangeEvent, ChangeNote, HistoryRow, Proposal } from '../../../planning/changes/records.js'
import { Refusal } from '../../../lib/errors.js'
import { isUuid } from '../../../lib/uuid.js'
import { decodeCursor, encodeCursor, isTimeAndId, sizedPage } from '../../sql/cursor.js'
import type { Queryable } from '../../sql/database.js'
import { omitNulls, requireRow } from '../../sql/rows.js'
import { LEASE, readRecord } from './record-tables.js'

const PROPOSAL = `p.id, p.exploration_id, p.state, p.changes, p.rationale, p.confidence, p.proposed_by,
  rfc3339(p.created_at) as created_at, p.decided_by, rfc3339(p.decided_at) as decided_at, p.reason,
  nullif(p.edited, false) as edited`

const ROW = `h.id::text as id, h.exploration_id, rfc3339(h.at) as at, h."user", h.credential, h.client, h.tool,
  jsonb_build_object('kind', h.kind, 'id', h.target) as target, h.before, h.after, h.undoes::text as undoes`

const OPEN_TRANSACTIONS = 'pg_snapshot_xmin(pg_current_snapshot())'
/** Each workspace's events are read from its index; without a position those of the last 7 days. */
const EVENTS = `
  select h.xact::text as xact, h.id::text as id, rfc3339(h.at) as at, h.exploration_id, h."user" as by, h.events
  from unnest($1::uuid[]) as visible (id) cross join lateral (
    select * from history h where h.workspace_id = visible.id and h.events <> '[]'
      and (h.xact, h.id) >= ($2::text::xid8, $3::bigint) and h.xact < ${OPEN_TRANSACTIONS}
      and ($4::uuid is null or h.exploration_id = $4)
    order by h.xact, h.id limit $5
  ) h order by h.xact, h.id limit $5`
const FIRST = `
  select coalesce((select min(h.xact) from unnest($1::uuid[]) as visible (id) cross join lateral (
      select h.xact from history h where h.workspace_id = visible.id and h.events <> '[]'
        and h.at >= now() - interval '7 days' order by h.at limit 100
    ) h), ${OPEN_TRANSACTIONS})::text as xact`

const LAPSE = `
  with over as (
    update leases l set lapsed = true where (l.exploration_id, l.item_id) in (
      select exploration_id, item_id from leases where not lapsed and until <= now() limit 500 for update skip locked)
    returning l.*
  )
  insert into history (exploration_id, workspace_id, kind, target, before, after, events)
  select l.exploration_id, e.workspace_id, 'lease', l.item_id,
    jsonb_build_object('lease', ${LEASE} || '{"lapsed": false}'), jsonb_build_object('lease', ${LEASE}),
    jsonb_build_array(jsonb_build_object('kind', 'lease_ended', 'item_id', l.item_id, 'text', 'it lapsed'))
  from over l join explorations e on e.id = l.exploration_id`

const FORGET_KEYS = `
  delete from idempotency_keys where (credential_id, key) in (
    select credential_id, key from idempotency_keys where at < now() - interval '7 days' limit 1000)
  returning key`

const MAX_ID = /^\d{1,18}$/

export const sqlChangeReader = (db: Queryable): ChangeReader => ({
  async proposalsOf (ids) {
    const rows = await db.query<Proposal>(
      `select ${PROPOSAL} from proposals p where p.id = any($1::uuid[])`, [ids.filter(isUuid)])
    return rows.map(omitNulls)
  },

  async proposals ({ workspaces, state, limit, cursor }) {
    const [time, id] = decodeCursor('proposals', cursor, isTimeAndId) ?? []
    const { items, ...rest } = await sizedPage<Proposal>(
      db,
      `select ${PROPOSAL}, p.created_at as place, octet_length(p.changes::text) as size
       from proposals p join explorations e on e.id = p.exploration_id
       where ($1::text is null or p.state = $1) and ($2::uuid[] is null or e.workspace_id = any($2))
         and ($3::timestamptz is null or (p.created_at, p.id) < ($3, $4::uuid))
       order by p.created_at desc, p.id desc limit $5`,
      [state ?? null, workspaces ?? null, time ?? null, id ?? null], limit,
      (last) => encodeCursor('proposals', [last.created_at, last.id]))
    return { items: items.map(omitNulls), ...rest }
  },

  async historyRows (ids) {
    const rows = await db.query<HistoryRow & { exploration_id: string }>(
      `select ${ROW} from history h where h.id = any($1::bigint[]) order by h.id`,
      [ids.filter((id) => MAX_ID.test(id))])
    return rows.map(shown)
  },

  record: (exploration, kind, id) => readRecord(db, exploration, kind, id),

  async history (exploration, { limit, before, item }) {
    if (!isUuid(exploration)) return { items: [] }
    if (before !== undefined && !MAX_ID.test(before)) throw new Refusal('Give the id of a change: only older ones.')
    const { items, ...rest } = await sizedPage<HistoryRow & { exploration_id?: string }>(
      db,
      `select ${ROW}, h.id as place, octet_length(concat(h.before, h.after)) as size from history h
       where h.exploration_id = $1::uuid and ($2::bigint is null or h.id < $2)
         and ($3::text is null or (h.kind in ('item', 'lease') and h.target = $3)
           or coalesce(h.after, h.before) ->> 'item_id' = $3)
       order by h.id desc limit $4`,
      [exploration, before ?? null, item ?? null], limit, ({ id }) => id)
    return { items: items.map(({ exploration_id: _, ...row }) => shown(row)), ...rest }
  },

  async events ({ workspaces, exploration, since, limit }) {
    const given = decodeCursor('since', since, isEventPosition)
    const [xact, id, skip] = given ?? [requireRow(await db.query<{ xact: string }>(FIRST, [workspaces])).xact, '0', 0]
    // One more row than events are wanted: all events of the first one may be known.
    const rows = await db.query<EventRow>(EVENTS, [workspaces, xact, id, exploration ?? null, limit + 1])
    const events = rows.flatMap((row) => row.events.map((event, index) => ({
      note: omitNulls({ ...event, at: row.at, exploration_id: row.exploration_id, by: row.by }) as ChangeNote,
      after: encodeCursor('since', [row.xact, row.id, index + 1]),
      isKnown: row.xact === xact && row.id === id && index < skip
    })))
    return {
      events: events.filter(({ isKnown }) => !isKnown).slice(0, limit),
      cursor: encodeCursor('since', [xact, id, skip])
    }
  },

  async tidy () {
    await db.query(LAPSE)
    for (let step = 0; step < 50; step++) if ((await db.query(FORGET_KEYS)).length < 1000) return
  }
})

interface EventRow {
  xact: string
  id: string
  at: string
  exploration_id: string
  by: string | null
  events: ChangeEvent[]
}

/** Absent fields are left out, but not a record that is not there. */
const shown = <Row extends HistoryRow>({ before, after, ...row }: Row): Row =>
  // The fields of the row in another order.
  ({ ...omitNulls(row), before, after }) as unknown as Row

const isEventPosition = (position: unknown[]): position is [string, string, number] =>
  position.length === 3 && position.slice(0, 2).every((part) => typeof part === 'string' && MAX_ID.test(part)) &&
  Number.isSafeInteger(position[2])
