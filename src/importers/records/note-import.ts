/** The history of an import: one row for each exploration, and the proposals that no longer hold after it. */
import { changeStore } from '../../db/planning/changes/sql-change-store.js'
import type { Queryable } from '../../db/sql/database.js'
import { Change } from '../../planning/changes/change.js'
import { readyAfter } from '../../planning/changes/complete-item.js'
import { supersedeAll } from '../../planning/changes/proposals.js'
import type { ChangeEvent } from '../../planning/changes/records.js'
import type { Line } from '../../planning/records.js'
import { UUID_LENGTH } from './import-conflict.js'
import type { ImportedItem, OverChanges } from './keep-changes.js'

/** The ids of the explorations that records of a type are about, given by their keys. */
export const explorationsIn = (type: Line['type'], records: ReadonlyMap<string, string>): string[] => {
  if (type === 'workspace' || type === 'user' || type === 'membership') return []
  const idOf = (line: string): string => (JSON.parse(line) as { exploration_id: string }).exploration_id
  return [...records].map(([key, line]) =>
    type === 'recommendation' ? idOf(line).toLowerCase() : key.slice(0, UUID_LENGTH))
}

const NOTE = `
  insert into history (exploration_id, workspace_id, kind, target, after, events)
  select e.id, e.workspace_id, 'import', e.id, jsonb_strip_nulls(jsonb_build_object('plan_version', x.version)),
    case when x.version is null or not exists (select from history h where h.exploration_id = e.id) then '[]'
      else jsonb_build_array(jsonb_build_object(
      'kind', 'plan_version', 'text', 'version ' || x.version)) end || coalesce($2::jsonb -> e.id::text, '[]')
  from explorations e left join execution_plans x on x.exploration_id = e.id where e.id = any($1::uuid[])`

/** What was written into the files has rows already. `completed`: items that are done now, of any exploration. */
export const noteImport = async (
  tx: Queryable, explorations: readonly string[], over: OverChanges, completed: readonly ImportedItem[]
): Promise<void> => {
  if (over !== 'own') {
    // What agents hear of items that are ready now.
    const ready: Record<string, ChangeEvent[]> = {}
    for (const id of explorations) {
      const items = completed.flatMap(({ exploration_id: of, item_id: item }) => of === id ? item : [])
      if (items.length > 0) ready[id] = await readyAfter(changeStore(tx, id), items)
    }
    await tx.query(NOTE, [explorations, JSON.stringify(ready)])
  }
  if (over === 'replace') {
    await tx.query('update questions set changed_here = false where exploration_id = any($1::uuid[]) and changed_here',
      [explorations])
  }
  const open = await tx.query<{ id: string, workspace: string }>(
    `select distinct e.id::text as id, e.workspace_id::text as workspace from proposals p
       join explorations e on e.id = p.exploration_id
     where p.exploration_id = any($1::uuid[]) and p.state = 'open'`, [explorations])
  for (const { id: exploration, workspace } of open) {
    const change = new Change(changeStore(tx, exploration), undefined, { exploration, workspace, policy: 'read' })
    await supersedeAll(change)
    await change.writeHistory()
  }
}
