/** Reads and writes records of any kind by the names of their fields. */
import type { RecordKind, State } from '../../../planning/changes/records.js'
import type { Queryable } from '../../sql/database.js'

interface RecordTable {
  table: string
  /** The column of the exploration's id. */
  of?: string
  /** SQL on the table `t` that is the id of a record within its exploration. */
  id: string
  /** The columns of the key, beside that of the exploration. */
  key: string
  /** The columns with their types. */
  columns: string
}

const TABLES: Readonly<Record<RecordKind, RecordTable>> = {
  exploration: {
    table: 'explorations',
    of: 'id',
    id: 't.id::text',
    key: 'id',
    columns: 'workspace_id uuid, title text, status text, tags jsonb, summaries jsonb, questions jsonb, ' +
      'created_at timestamptz, updated_at timestamptz, changed_here text[]'
  },
  item: {
    table: 'plan_items',
    id: 't.id',
    key: 'exploration_id, id',
    columns: 'id text, group_id text, title text, description text, status text, "order" double precision, ' +
      'position integer, acceptance jsonb, evidence jsonb, repository text, source jsonb, finished jsonb, ' +
      'status_before_question text, changed_here text[]'
  },
  group: {
    table: 'plan_groups',
    id: 't.id',
    key: 'exploration_id, id',
    columns: 'id text, title text, position integer, "order" double precision'
  },
  dependency: {
    table: 'plan_dependencies',
    id: "t.item_id || case t.kind when 'blocks' then ' → ' else ' ↔ ' end || t.depends_on",
    key: 'exploration_id, position',
    columns: 'position integer, item_id text, depends_on text, kind text'
  },
  gate: {
    table: 'plan_gates',
    id: 't.id',
    key: 'exploration_id, id',
    columns: 'id text, position integer, title text, after_group_id text, criteria jsonb, status text'
  },
  conflict: {
    table: 'plan_conflicts',
    id: 't.id',
    key: 'exploration_id, id',
    columns: 'id text, position integer, item_ids jsonb, description text, severity text, status text, resolution text'
  },
  question: {
    table: 'questions',
    id: 't.id',
    key: 'exploration_id, position',
    columns: 'position integer, id text, section text, question text, answer text, status text, item_id text, ' +
      'blocks_item boolean, asked_by jsonb, answered_by jsonb, created_at timestamptz, answered_at timestamptz, ' +
      'options jsonb, changed_here boolean'
  },
  note: {
    table: 'notes',
    id: 't.id::text',
    key: 'id',
    columns: 'id uuid, item_id text, text text, written_by jsonb, created_at timestamptz, hidden boolean'
  },
  package: {
    table: 'requirement_packages',
    id: 't.artifact_type',
    key: 'exploration_id, artifact_type',
    columns: 'artifact_type text, title text, markdown text, version integer, updated_at timestamptz, ' +
      'changed_here boolean'
  },
  recommendation: {
    table: 'recommendations',
    id: 't.id::text',
    key: 'id',
    columns: 'id uuid, kind text, title text, body text, status text, approved_by uuid, ' +
      'approved_at timestamptz, changed_here boolean'
  },
  proposal: {
    table: 'proposals',
    id: 't.id::text',
    key: 'id',
    columns: 'id uuid, state text, changes jsonb, base jsonb, rationale text, confidence text, proposed_by jsonb, ' +
      'credential_id uuid, created_at timestamptz, decided_by text, decided_at timestamptz, reason text, edited boolean'
  }
}

/** A lease as it is kept with its item. */
export const LEASE = `jsonb_build_object('id', l.id, 'credential_id', l.credential_id, 'credential', l.credential,
  'user_id', l.user_id, 'user', l."user", 'since', rfc3339(l.since), 'until', rfc3339(l.until), 'lapsed', l.lapsed)`

const names = (columns: string): string[] => columns.split(', ').map((column) => column.slice(0, column.indexOf(' ')))

/** Times as texts that compare, the others as they are. */
const shownColumns = (columns: string): string => columns.split(', ').map((column) => {
  const name = column.slice(0, column.indexOf(' '))
  return column.endsWith(' timestamptz') ? `rfc3339(t.${name}) as ${name}` : `t.${name}`
}).join(', ')

/** Each kind's statements: their texts never change, so that a database can prepare them. */
const STATEMENTS = new Map(Object.entries(TABLES).map(([kind, { table, of = 'exploration_id', id, key, columns }]) => {
  const isItem = kind === 'item'
  const all = names(columns)
  const more = isItem
    ? `, t.revision, (select ${LEASE} from leases l
        where l.exploration_id = t.exploration_id and l.item_id = t.id) as lease`
    : kind === 'exploration' ? ', t.revision' : ''
  const found = `t.${of} = $1::uuid and ${id} = $2::text`
  const write = `insert into ${table} as t (${of}, ${all.join(', ')})
    select $1::uuid, ${all.join(', ')} from jsonb_to_record($2::jsonb) as x (${columns})
    on conflict (${key}) do update set ${all.map((name) => `${name} = excluded.${name}`).join(', ')}
    ${isItem ? ', revision = t.revision + $3::int' : ''}`
  return [kind, {
    read: `select to_jsonb(x) as state
      from (select ${shownColumns(columns)}${more} from ${table} t where ${found} limit 1) x`,
    remove: `delete from ${table} t where ${found}`,
    write: isItem ? withLease(write) : write
  }]
}))

function withLease (write: string): string {
  return `with item as (${write}), free as (
      delete from leases where exploration_id = $1::uuid and item_id = $2::jsonb ->> 'id'
        and coalesce(jsonb_typeof($2::jsonb -> 'lease'), 'null') = 'null'
    )
    insert into leases (exploration_id, item_id, id, credential_id, credential, user_id, "user", since, until, lapsed)
    select $1::uuid, $2::jsonb ->> 'id', id, credential_id, credential, user_id, "user", since, until, lapsed
    from jsonb_to_record($2::jsonb -> 'lease') as l (id uuid, credential_id uuid, credential text, user_id uuid,
      "user" text, since timestamptz, until timestamptz, lapsed boolean)
    where jsonb_typeof($2::jsonb -> 'lease') = 'object'
    on conflict (exploration_id, item_id) do update set id = excluded.id, credential_id = excluded.credential_id,
      credential = excluded.credential, user_id = excluded.user_id, "user" = excluded."user", since = excluded.since,
      until = excluded.until, lapsed = excluded.lapsed`
}

const statementsOf = (kind: RecordKind) => {
  const statements = STATEMENTS.get(kind)
  if (!statements) throw new Error(`there are no statements for a ${kind}`)
  return statements
}

export const readRecord = async (
  db: Queryable, exploration: string, kind: RecordKind, id: string
): Promise<State | undefined> =>
  (await db.query<{ state: State }>(statementsOf(kind).read, [exploration, id]))[0]?.state

/** Inserts or replaces a record, or deletes it without a state; `raise`: whether the revision of an item grows. */
export const writeRecord = async (
  db: Queryable, exploration: string, kind: RecordKind, id: string, state: State | undefined, raise: boolean
): Promise<void> => {
  const { remove, write } = statementsOf(kind)
  if (!state) await db.query(remove, [exploration, id])
  else await db.query(write, [exploration, JSON.stringify(state), ...kind === 'item' ? [raise ? 1 : 0] : []])
}
