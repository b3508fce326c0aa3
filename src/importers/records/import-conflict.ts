/** What an import says otherwise than what was changed here: a proposal for a person to decide. */
import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/sql/database.js'
import type { Line } from '../../planning/records.js'

interface Named { kind: string, [field: string]: unknown }

export interface ImportConflict {
  exploration_id: string
  /** All that the import says otherwise of the record. */
  says: Named
  /** The change of the proposal; absent where the import does not contradict. */
  change?: Named
  /** What the change is made from. */
  base?: unknown
}

/** The fields that have another value; one that is null is absent. */
export const differing = <Field extends string>(
  fields: readonly Field[], one: Partial<Record<Field, unknown>>, other: Partial<Record<Field, unknown>>
): Field[] => fields.filter((field) => !isDeepStrictEqual(one[field] ?? null, other[field] ?? null))

export const fieldsOf = <Field extends string>(
  record: Partial<Record<Field, unknown>>, fields: readonly Field[]
): Partial<Record<Field, never>> =>
  // The values keep their types: they come from a record of the same kind.
    Object.fromEntries(fields.map((field) => [field, record[field] ?? null])) as Partial<Record<Field, never>>

/**
 * What the import says of these fields of a record. Those that are pending are not proposed. `here`: what the change is
 * made from, null where that is not compared.
 */
export const conflictOf = <Field extends string>(
  exploration: string, named: Named, fields: readonly Field[], imported: Partial<Record<Field, unknown>>,
  here: Partial<Record<Field, unknown>> | null, pending: readonly Field[] = []
): ImportConflict => {
  const proposed = fields.filter((field) => !pending.includes(field))
  return {
    exploration_id: exploration,
    says: { ...named, ...fieldsOf(imported, fields) },
    ...proposed.length > 0 && {
      change: { ...named, ...fieldsOf(imported, proposed) }, base: here && fieldsOf(here, proposed)
    }
  }
}

/** Keys of records of an exploration begin with its id. */
export const UUID_LENGTH = 36

/** The kinds of changes that an import of a type proposes. */
const PROPOSED: Partial<Record<Line['type'], readonly string[]>> = {
  exploration: ['edit_exploration', 'answer_question'],
  requirement_package: ['edit_package'],
  execution_plan: ['edit_item', 'move_item', 'set_gate', 'resolve_conflict', 'add_dependency', 'remove_dependency']
}

const PROPOSE = `
  with said as (
    select * from jsonb_to_recordset($4::jsonb) as r (exploration_id uuid, says jsonb, change jsonb, base jsonb)
  ), over as (
    update proposals p set state = 'superseded'
    where p.exploration_id = any($1::uuid[]) and p.state = 'open' and p.proposed_by ->> 'user' = 'import'
      and p.changes #>> '{0,kind}' = any($2::text[])
      and coalesce(p.exploration_id || ' ' || (p.changes #>> '{0,artifact_type}') = any($3::text[]), true)
      and not exists (select from said where said.exploration_id = p.exploration_id and said.says @> (p.changes -> 0))
    returning p.exploration_id, p.workspace_id, p.id
  ), noted as (
    insert into history (exploration_id, workspace_id, kind, target, before, after, events)
    select exploration_id, workspace_id, 'proposal', id, '{"state": "open"}', '{"state": "superseded"}',
      jsonb_build_array(jsonb_build_object('kind', 'proposal_superseded', 'proposal_id', id)) from over
  )
  insert into proposals (exploration_id, id, state, changes, base, rationale, proposed_by)
  select r.exploration_id, gen_random_uuid(), 'open', jsonb_build_array(r.change), jsonb_build_array(r.base),
    'An import says so; it was changed here since the last one.', '{"user": "import"}'
  from said r where r.change is not null and not exists (select from proposals p
    where p.exploration_id = r.exploration_id and p.state in ('open', 'dismissed')
      and p.changes = jsonb_build_array(r.change))`

/**
 * Proposes the imported values, but for those that are proposed or dismissed already, and supersedes what imports have
 * proposed and these records no longer say. `keys`: of the records, each beginning with the id of its exploration.
 */
export const proposeImported = async (
  tx: Queryable, type: Line['type'], keys: readonly string[], conflicts: readonly ImportConflict[]
): Promise<void> => {
  const kinds = PROPOSED[type]
  if (!kinds) return
  await tx.query(PROPOSE, [keys.map((key) => key.slice(0, UUID_LENGTH)), kinds, keys, JSON.stringify(conflicts)])
}
