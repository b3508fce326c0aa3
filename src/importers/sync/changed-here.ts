/** Reads what was changed here of explorations that come from a source, and is not known to stand in its files. */
import type { Queryable } from '../../db/sql/database.js'
import type { PlanItem } from '../../planning/records.js'

export interface ChangedItem extends
  Pick<PlanItem, 'id' | 'group_id' | 'title' | 'status' | 'description' | 'acceptance'> {
  fields: string[]
  /** What the file said at its last import; absent for an item that it did not have. */
  imported_status?: PlanItem['status']
  /** Whether an import says otherwise, and its proposal is still open. */
  disputed: boolean
}

export interface ChangedExploration {
  id: string
  format: string
  path: string
  items: ChangedItem[]
  /** `former`: answers that were given before, the last of which may have been taken back. */
  questions: Array<{ id: string, question: string, answer: string | null, former: string[] }>
}

export interface ChangedSelection {
  /** Its id. */
  workspace: string
  /** The key of the source. */
  source: string
  exploration?: string | undefined
  /** Only what has changed since then; RFC 3339. */
  since?: string | undefined
}

const SINCE = (kind: string, id: string): string => `
  ($3::timestamptz is null or exists (select from history h where h.exploration_id = o.id and h.kind = '${kind}'
    and h.target = ${id} and h.at >= $3))`

const CHANGED = `
  select o.id::text as id, o.format, o.path,
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', t.id, 'group_id', t.group_id,
        'title', t.title, 'status', t.status, 'description', t.description, 'acceptance', t.acceptance,
        'fields', t.changed_here, 'imported_status', t.imported_status,
        'disputed', exists (
          select from proposals p where p.exploration_id = o.id and p.state = 'open'
            and p.proposed_by ->> 'user' = 'import' and p.changes -> 0 ->> 'item_id' = t.id
            and p.changes -> 0 ? 'status'))) order by t."order", t.position), '[]')
      from plan_items t where t.exploration_id = o.id and t.changed_here <> '{}' and ${SINCE('item', 't.id')}) as items,
    (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'question', q.question,
        'answer', q.answer, 'former', h.answers) order by q.position), '[]')
      from questions q cross join lateral (select coalesce(jsonb_agg(h.before -> 'answer'), '[]') as answers
        from history h where h.exploration_id = o.id and h.kind = 'question' and h.target = q.id
          and h.before ->> 'answer' is not null) h
      where q.exploration_id = o.id and q.changed_here and (q.answer is not null or h.answers <> '[]')
        and ${SINCE('question', 'q.id')}) as questions
  from import_origins o
  where o.workspace_id = $1::uuid and o.source = $2 and o.kind = 'exploration' and ($4::uuid is null or o.id = $4)`

/** The explorations of the source with changes, and the keys of all sources of the workspace. */
export const changedHere = async (
  db: Queryable, { workspace, source, exploration, since }: ChangedSelection
): Promise<{ sources: string[], explorations: ChangedExploration[] }> => {
  const rows = await db.query<ChangedExploration>(CHANGED, [workspace, source, since ?? null, exploration ?? null])
  const sources = await db.query<{ source: string }>(
    'select distinct source from import_origins where workspace_id = $1::uuid', [workspace])
  return {
    sources: sources.map((row) => row.source),
    explorations: rows.filter(({ items, questions }) => items.length + questions.length > 0)
  }
}

const WRITTEN = `
  with says as (select * from jsonb_to_recordset($1::jsonb) as x (exploration uuid, item text, says text)),
    unknown as (
      update import_origins set digest = null where kind = 'exploration' and id in (select exploration from says))
  update plan_items t set imported_status = x.says,
    changed_here = case when t.status = x.says then array_remove(t.changed_here, 'status') else t.changed_here end
  from says x
  where t.exploration_id = x.exploration and t.id = x.item`

/**
 * Takes what files say now of the status of items: what they say later is a change of them, also when their last import
 * read the same.
 */
export const markWritten = async (
  db: Queryable, made: ReadonlyArray<{ exploration: string, item: string, says: string }>
): Promise<void> => {
  if (made.length > 0) await db.query(WRITTEN, [JSON.stringify(made)])
}
