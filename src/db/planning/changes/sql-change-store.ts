/** The database of the one write path, within a transaction on one exploration. */
import type {
  Actor, ChangeStore, InTransaction, ItemFacts, WriteAccess
} from '../../../planning/changes/change-store.js'
import type { AuditEvent } from '../../../access/audit/audit-log.js'
import { errorCode } from '../../../lib/error-code.js'
import { isUuid } from '../../../lib/uuid.js'
import { insertAuditEvents } from '../../audit/sql-audit.js'
import type { Database, Queryable } from '../../sql/database.js'
import { requireRow } from '../../sql/rows.js'
import { readRecord, writeRecord } from './record-tables.js'
import { ITEM_FIELDS, WRITERS_FIELDS } from './shown-items.js'

/** Others who write to the exploration wait here, so that each sees what the one before has written. */
const LOCK = 'select workspace_id as workspace from explorations where id = $1::uuid for no key update'

// The locks keep the answer true: who takes an access away waits for the transaction, and finds what it has written.
const OF_CREDENTIAL = `
  select w.agents, w.name, m.role, c.scope, rfc3339(c.expires_at) as ends
  from credentials c join users u on u.id = c.user_id join memberships m on m.user_id = u.id
    join workspaces w on w.id = m.workspace_id
  where c.id = $1::uuid and w.id = $2::uuid and w.archived_at is null and u.deactivated_at is null
    and c.revoked_at is null and (c.expires_at is null or c.expires_at > now())
    and (c.workspace_ids is null or w.id = any(c.workspace_ids))
  for share of c, u, m, w`
const OF_PERSON = `
  select w.agents, w.name, m.role, null as scope, null as ends
  from users u join memberships m on m.user_id = u.id join workspaces w on w.id = m.workspace_id
  where u.id = $1::uuid and w.id = $2::uuid and w.archived_at is null and u.deactivated_at is null
  for share of u, m, w`

/** Unfinished items that the item `t` waits for. */
const WAITS = `exists (
  select from plan_dependencies d join plan_items o on o.exploration_id = d.exploration_id and o.id = d.depends_on
  where d.exploration_id = t.exploration_id and d.item_id = t.id and d.kind = 'blocks' and o.status <> 'done')`

const SHOWN = `
  select jsonb_strip_nulls(jsonb_build_object(${ITEM_FIELDS},
    'ready', case when t.status = 'todo' and not ${WAITS} then true end,
    'blocks', (select nullif(count(*), 0) from plan_dependencies d
        join plan_items o on o.exploration_id = d.exploration_id and o.id = d.item_id
      where d.exploration_id = t.exploration_id and d.depends_on = t.id and d.kind = 'blocks' and o.status <> 'done'
        and t.status <> 'done'), ${WRITERS_FIELDS})) as item
  from plan_items t where t.exploration_id = $1::uuid and t.id = $2::text`

const NEXT = `
  select t.id from plan_items t join plan_groups g on g.exploration_id = t.exploration_id and g.id = t.group_id
    left join leases l on l.exploration_id = t.exploration_id and l.item_id = t.id
  where t.exploration_id = $1::uuid and t.finished is null and (
    (t.status = 'todo' and not ${WAITS}) or (t.status = 'in_progress' and (l.lapsed or l.until <= now())))
  order by t.status <> 'todo', g."order", g.position, t."order", t.position limit 1`

const OTHERS = 'from plan_dependencies d join plan_items o on o.exploration_id = d.exploration_id'
const list = (object: string, rows: string): string =>
  `(select coalesce(jsonb_agg(jsonb_build_object(${object})), '[]') from (${rows}) r)`
/** Where a package names the item, by its title or an id that is no mere number. */
const FACTS = `
  select jsonb_build_object('acceptance', coalesce(t.acceptance, '[]'),
    'waits_for', ${list("'id', r.id, 'title', r.title, 'status', r.status", `select o.id, o.title, o.status ${OTHERS}
      and o.id = d.depends_on where d.exploration_id = t.exploration_id and d.item_id = t.id and d.kind = 'blocks'
      limit 10`)},
    'unblocks', ${list("'id', r.id, 'title', r.title", `select o.id, o.title ${OTHERS} and o.id = d.item_id
      where d.exploration_id = t.exploration_id and d.depends_on = t.id and d.kind = 'blocks' limit 10`)},
    'held', ${list("'id', r.item_id, 'credential', r.credential", `select l.item_id, l.credential from leases l
      where l.exploration_id = t.exploration_id and l.item_id <> t.id and not l.lapsed and l.until > now() limit 10`)},
    'questions', ${list("'id', r.id, 'question', r.question", `select q.id, left(q.question, 300) as question
      from questions q where q.exploration_id = t.exploration_id and q.status = 'open'
      order by q.item_id is distinct from t.id, q.position limit 5`)},
    'notes', ${list("'text', r.text, 'by', r.by", `select left(n.text, 300) as text, n.written_by ->> 'user' as by
      from notes n where n.exploration_id = t.exploration_id and n.item_id = t.id and not n.hidden
      order by n.created_at desc limit 5`)},
    'packages', ${list("'type', r.type, 'excerpt', r.excerpt", `select p.artifact_type as type,
        substring(p.markdown from greatest(1, p.at - 300) for 700) as excerpt
      from (select artifact_type, markdown,
          coalesce(nullif(position(t.title in markdown), 0), position(t.id in markdown) * (length(t.id) > 2)::int) as at
        from requirement_packages where exploration_id = t.exploration_id) p where p.at > 0 limit 2`)}) as facts
  from plan_items t where t.exploration_id = $1::uuid and t.id = $2::text`

const COUNTS = {
  leases: 'select from leases where credential_id = $1::uuid and not lapsed and until > now()',
  proposals: "select from proposals where credential_id = $1::uuid and state = 'open'",
  keys: 'select from idempotency_keys where credential_id = $1::uuid',
  notes: 'select from notes where exploration_id = $3::uuid and item_id is not distinct from $1::text',
  questions: 'select from questions where exploration_id = $3::uuid and $1::text is null'
}

const HISTORY = `
  insert into history (exploration_id, workspace_id, user_id, "user", credential_id, credential, client, tool, kind,
    target, before, after, undoes, events)
  select $1::uuid, $2::uuid, $3::uuid, $4, $5::uuid, $6, $7, $8, r.kind, r.target, r.before, r.after, r.undoes,
    coalesce(r.events, '[]')
  from rows from (jsonb_to_recordset($9::jsonb) as (kind text, target text, before jsonb, after jsonb, undoes bigint,
    events jsonb)) with ordinality as r (kind, target, before, after, undoes, events, place)
  order by r.place returning id::text as id`

/** Runs work in a transaction; once more when two of them waited for each other. */
export const sqlChangeTransactions = (
  db: Pick<Database, 'transaction'>, indexWords: IndexWords
): InTransaction => async (exploration, work) => {
  const attempt = () => db.transaction((tx) => work(changeStore(tx, exploration, indexWords)))
  return await attempt().catch((error: unknown) => errorCode(error) === DEADLOCK ? attempt() : Promise.reject(error))
}

const DEADLOCK = '40P01'

/** Makes the search find the words of these explorations as they are in the transaction. */
export type IndexWords = (tx: Queryable, explorations: readonly string[]) => Promise<void>

export const changeStore = (
  tx: Queryable, exploration: string, indexWords: IndexWords = async () => {}
): ChangeStore => ({
  lock: async () => isUuid(exploration) ? (await tx.query<{ workspace: string }>(LOCK, [exploration]))[0] : undefined,

  access: async (workspace, { user, credential }) => (await (credential
    ? tx.query<WriteAccess>(OF_CREDENTIAL, [credential.id, workspace])
    : tx.query<WriteAccess>(OF_PERSON, [user.id, workspace])))[0],

  async takeKey (credential, key, digest) {
    const taken = await tx.query(
      `insert into idempotency_keys (credential_id, key, digest) values ($1::uuid, $2, $3)
       on conflict (credential_id, key) do nothing returning key`, [credential, key, digest])
    if (taken.length > 0) return undefined
    return requireRow(await tx.query<{ digest: string, answer: Record<string, unknown> }>(
      'select digest, answer from idempotency_keys where credential_id = $1::uuid and key = $2', [credential, key]))
  },

  async keepAnswer (credential, key, answer) {
    await tx.query('update idempotency_keys set answer = $3::json where credential_id = $1::uuid and key = $2',
      [credential, key, JSON.stringify(answer)])
  },

  read: (kind, id) => readRecord(tx, exploration, kind, id),
  write: (kind, id, state, raise) => writeRecord(tx, exploration, kind, id, state, raise),

  async nextPosition (kind) {
    const [table, from] = POSITIONS[kind]
    return requireRow(await tx.query<{ next: number }>(
      `select greatest(coalesce(max(position), 0) + 1, $2::int) as next from ${table} where exploration_id = $1::uuid`,
      [exploration, from])).next
  },

  shown: async (item) => (await tx.query<{ item: Record<string, unknown> }>(SHOWN, [exploration, item]))[0]?.item,

  facts: async (item) =>
    requireRow(await tx.query<{ facts: ItemFacts }>(FACTS, [exploration, item])).facts,

  nextItem: async () => (await tx.query<{ id: string }>(NEXT, [exploration]))[0]?.id,

  isFree: async (item) => (await tx.query(
    `select from plan_items t where t.exploration_id = $1::uuid and t.id = $2::text and not ${WAITS}`,
    [exploration, item])).length > 0,

  readyAfter: async (items) => (await tx.query<{ id: string }>(
    `select distinct t.id from plan_dependencies after
       join plan_items t on t.exploration_id = after.exploration_id and t.id = after.item_id
     where after.exploration_id = $1::uuid and after.depends_on = any($2::text[]) and after.kind = 'blocks'
       and t.status = 'todo' and not ${WAITS}`, [exploration, items])).map(({ id }) => id),

  plan: async () => (await tx.query<NonNullable<Awaited<ReturnType<ChangeStore['plan']>>>>(
    'select version, compilation_state from execution_plans where exploration_id = $1::uuid', [exploration]))[0],

  raisePlan: async () => requireRow(await tx.query<{ version: number }>(
    `update execution_plans set version = version + 1, updated_at = greatest(updated_at, now()), changed_here = true
     where exploration_id = $1::uuid returning version`, [exploration])).version,

  dependencies: () => tx.query(
    'select item_id, depends_on, kind from plan_dependencies where exploration_id = $1::uuid', [exploration]),

  itemIds: async () => (await tx.query<{ id: string }>(
    'select id from plan_items where exploration_id = $1::uuid', [exploration])).map(({ id }) => id),

  async orders (group) {
    const rows = await tx.query<{ id: string | null, of: string, order: number }>(
      `select t.id, g.title as of, t."order" from plan_groups g
         left join plan_items t on t.exploration_id = g.exploration_id and t.group_id = g.id
       where g.exploration_id = $1::uuid and g.id = $2::text order by t."order", t.position`, [exploration, group])
    return rows.length === 0 ? undefined : rows.flatMap(({ id, ...row }) => id === null ? [] : [{ id, ...row }])
  },

  lastChange: async (kind, id) => (await tx.query<{ user?: string, credential?: string, at: string }>(
    `select "user", credential, rfc3339(at) as at from history
     where exploration_id = $1::uuid and kind = $2::text and target = $3::text order by id desc limit 1`,
    [exploration, kind, id]))[0],

  async publishQuestions () {
    await tx.query('select publish_questions(array[$1::uuid], now())', [exploration])
  },

  blockingQuestions: async (item) => (await tx.query<{ id: string }>(
    `select id from questions
     where exploration_id = $1::uuid and item_id = $2::text and blocks_item and status = 'open'`,
    [exploration, item])).map(({ id }) => id),

  sameQuestion: async (text, options) => (await tx.query<{ id: string }>(
    `select id from questions where exploration_id = $1::uuid and status = 'open' and question = $2::text
       and coalesce(options, '[]') = $3::jsonb limit 1`, [exploration, text, JSON.stringify(options)]))[0]?.id,

  openProposals: (naming) => tx.query(
    `select id, changes, base from proposals where exploration_id = $1::uuid and state = 'open'
       and ($2::text[] is null or exists (
         select from jsonb_array_elements(changes) made cross join lateral jsonb_each_text(made) member
         where made ->> 'kind' like '%dependency' or member.value = any($2)))`, [exploration, naming ?? null]),

  count: async (what, of, most) => requireRow(await tx.query<{ count: number }>(
    `select count(*)::int as count from (${COUNTS[what]} limit $2::int) counted`,
    [of, most, ...what === 'notes' || what === 'questions' ? [exploration] : []])).count,

  packageText: async (type, version) => (await tx.query<{ markdown: string }>(
    `select markdown from package_versions
     where exploration_id = $1::uuid and artifact_type = $2::text and version = $3::int`,
    [exploration, type, version]))[0]?.markdown,

  addHistory: async (actor, workspace, rows) => (await tx.query<{ id: string }>(HISTORY, [
    exploration, workspace, ...byOf(actor), JSON.stringify(rows)
  ])).map(({ id }) => id),

  laterRow: async ({ id, target }, fields) => (await tx.query<{ id: string }>(
    `select id::text as id from history
     where exploration_id = $1::uuid and kind = any($2::text[]) and target = $3::text and id > $4::bigint
       and (after ?| $5::text[] or before ?| $5::text[])
     order by id desc limit 1`,
    [exploration, target.kind === 'lease' || target.kind === 'item' ? ['lease', 'item'] : [target.kind], target.id, id,
      fields]))[0]?.id,

  indexWords: () => indexWords(tx, [exploration]),

  async writeAudit (event) {
    // The port leaves it to who calls to make events, by their own port.
    await insertAuditEvents(tx, [event as AuditEvent])
  }
})

const POSITIONS = {
  item: ['plan_items', 0], dependency: ['plan_dependencies', 0], question: ['questions', 1_000_000]
} as const

const byOf = (actor: Actor | undefined): unknown[] => [
  actor?.user.id ?? null, actor?.user.email ?? null, actor?.credential?.id ?? null, actor?.credential?.name ?? null,
  actor?.client ?? null, actor?.tool ?? null
]
