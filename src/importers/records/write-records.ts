/** Writes one batch of records of one type inside a transaction; a record with the same key replaces the old one. */
import type { Queryable } from '../../db/sql/database.js'
import { keysOf } from '../../lib/json/json-object.js'
import type { ExecutionPlanLine, ExplorationLine, Line, RequirementPackageLine } from '../../planning/records.js'
import { proposeImported } from './import-conflict.js'
import { keepItems, type ImportFindings, type OverChanges, type WrittenPlan } from './keep-changes.js'
import { keepExplorations, keepPackages } from './keep-texts.js'

export interface WriteCounts { created: number, replaced: number }

/** In this order a record refers only to records that are written before it. */
export const ORDER = [
  'workspace', 'user', 'membership', 'exploration', 'requirement_package', 'execution_plan', 'recommendation'
] as const satisfies ReadonlyArray<Line['type']>

/** Where the records of each type are written, and where an export reads them: columns with their types. */
export const TARGETS: Record<Line['type'], { table: string, key: string, columns: string }> = {
  workspace: {
    table: 'workspaces',
    key: 'id',
    columns: 'id uuid, slug text, name text, description text, created_at timestamptz, archived_at timestamptz'
  },
  user: {
    table: 'users', key: 'id', columns: 'id uuid, email text, name text, kind text, deactivated_at timestamptz'
  },
  membership: {
    table: 'memberships', key: 'user_id, workspace_id', columns: 'user_id uuid, workspace_id uuid, role text'
  },
  exploration: {
    table: 'explorations',
    key: 'id',
    columns: 'id uuid, workspace_id uuid, title text, status text, tags jsonb, url text, summaries jsonb, ' +
      'questions jsonb, created_at timestamptz, updated_at timestamptz'
  },
  requirement_package: {
    table: 'requirement_packages',
    key: 'exploration_id, artifact_type',
    columns: 'exploration_id uuid, artifact_type text, title text, markdown text, version integer, ' +
      'updated_at timestamptz'
  },
  execution_plan: {
    table: 'execution_plans',
    key: 'exploration_id',
    columns: 'exploration_id uuid, version integer, compilation_state text, updated_at timestamptz'
  },
  recommendation: {
    table: 'recommendations',
    key: 'id',
    columns: 'id uuid, exploration_id uuid, kind text, title text, body text, status text, approved_by uuid, ' +
      'approved_at timestamptz'
  }
}

/** Columns that count only for a new record: an import neither archives nor lets in what is here. */
const INITIAL: readonly string[] = ['archived_at', 'deactivated_at']

export const keyOf = (record: Line): string => {
  const fields: Readonly<Record<string, unknown>> = { ...record }
  return TARGETS[record.type].key.split(', ').map((field) => String(fields[field]).toLowerCase()).join(' ')
}

/** Inserts or replaces the records: JSON of a checked line by its key. Of new workspaces it says the ids. */
export const writeBatch = async (
  tx: Queryable, type: Line['type'], records: ReadonlyMap<string, string>, over: OverChanges
): Promise<WriteCounts & ImportFindings & { workspaces: string[] }> => {
  const { table, key, columns } = TARGETS[type]
  const names = namesOf(columns).split(', ')
  const found: ImportFindings = { conflicts: [], completed: [] }
  const parsed = <Record>(): Record[] => [...records.values()].map((record) => JSON.parse(record))
  const plans = type === 'execution_plan' ? await keepItems(tx, parsed<ExecutionPlanLine>(), over, found) : []
  const lines = type === 'execution_plan'
    ? JSON.stringify(plans, [...names, 'changed_parts'])
    : over !== 'replace' && type === 'requirement_package'
      ? JSON.stringify(await keepPackages(tx, parsed<RequirementPackageLine>(), found.conflicts))
      : over !== 'replace' && type === 'exploration'
        ? JSON.stringify(await keepExplorations(tx, parsed<ExplorationLine>(), found.conflicts))
        : `[${[...records.values()].join()}]`
  const replaced = names.filter((name) => !INITIAL.includes(name))
  const marks = MARKED[type]
  const rows = await tx.query<{ created: boolean, id?: string }>(
    `insert into ${table} as t (${names.join(', ')}${marks ? `, ${marks}` : ''})
     select ${names.join(', ')}${marks ? `, coalesce(${marks}, '{}')` : ''}
     from jsonb_to_recordset($1::jsonb) as x (${columns}${marks ? `, ${marks} text[]` : ''})
     on conflict (${key}) do update set ${replaced.map((name) => `${name} = ${valueOf(type, name, over)}`).join(', ')}
       ${marks ? `, ${marks} = excluded.${marks}` : MARKS[type] ?? ''}
     returning ${type === 'workspace' ? 'id::text as id, ' : ''}xmax = 0 as created`,
    [lines])
  if (plans.length > 0) await writePlans(tx, plans)
  await proposeImported(tx, type, [...records.keys()], found.conflicts)
  const created = rows.filter((row) => row.created)
  const workspaces = created.flatMap(({ id }) => id ?? [])
  return { created: created.length, replaced: records.size - created.length, workspaces, ...found }
}

/** The column of what was changed here, of records that say themselves what is kept of it. */
const MARKED: Partial<Record<Line['type'], string>> = { exploration: 'changed_here', execution_plan: 'changed_parts' }
/** What becomes of the marks of others. A decision about a recommendation stays. */
const MARKS: Partial<Record<Line['type'], string>> = {
  requirement_package: ', changed_here = false',
  recommendation: ', changed_here = t.changed_here and excluded.status <> t.status'
}
const DECISION = ['status', 'approved_by', 'approved_at']

/** A version never falls behind what was changed here. */
const valueOf = (type: Line['type'], name: string, over: OverChanges): string =>
  type === 'recommendation' && DECISION.includes(name) && over !== 'replace'
    ? `case when t.changed_here then t.${name} else excluded.${name} end`
    : name === 'version' && (type === 'requirement_package' || type === 'execution_plan')
      ? 'case when t.changed_here then greatest(excluded.version, t.version + 1) else excluded.version end'
      : `excluded.${name}`

/** The lists of a plan, which have rows of their own. */
export const PARTS = {
  groups: ['plan_groups', 'id text, title text, "order" double precision'],
  items: [
    'plan_items',
    'id text, group_id text, title text, description text, status text, "order" double precision, acceptance jsonb, ' +
      'evidence jsonb, repository text, source jsonb, revision integer'
  ],
  dependencies: ['plan_dependencies', 'item_id text, depends_on text, kind text'],
  gates: ['plan_gates', 'id text, title text, after_group_id text, criteria jsonb, status text'],
  conflicts: [
    'plan_conflicts', 'id text, item_ids jsonb, description text, severity text, status text, resolution text'
  ]
} as const

/** The names of columns that are given with their types. */
export const namesOf = (columns: string): string => columns.replaceAll(/ (text\[\]|text|jsonb|integer|double precision|uuid|timestamptz)/g, '')

/** Columns of items that no file has. */
const OWN = 'finished jsonb, status_before_question text, changed_here text[], imported_status text'

const writePlans = async (tx: Queryable, plans: readonly WrittenPlan[]): Promise<void> => {
  const ids = plans.map((plan) => plan.exploration_id)
  await tx.query('delete from plan_groups where exploration_id = any($1::uuid[])', [ids])
  await tx.query('delete from plan_conflicts where exploration_id = any($1::uuid[])', [ids])
  for (const list of keysOf(PARTS)) {
    const [table, ofFiles] = PARTS[list]
    const columns = list === 'items' ? `${ofFiles}, ${OWN}` : ofFiles
    const rows = plans.flatMap((plan) => plan[list].map((part, position) => ({
      ...part, exploration_id: plan.exploration_id, position
    })))
    const names = namesOf(columns)
    const values = names.replace('revision', 'coalesce(revision, 1)')
      .replace('changed_here', "coalesce(changed_here, '{}')")
    await tx.query(
      `insert into ${table} (exploration_id, position, ${names})
       select exploration_id, position, ${values}
       from jsonb_to_recordset($1::jsonb) as x (exploration_id uuid, position integer, ${columns})`,
      [JSON.stringify(rows)])
  }
  await tx.query(
    `select end_leases(array(
       select l.id from leases l left join plan_items t on t.exploration_id = l.exploration_id and t.id = l.item_id
       where l.exploration_id = any($1::uuid[]) and coalesce(t.status, 'done') = 'done'
     ), 'an import says that the item is done or gone')`, [ids])
}
