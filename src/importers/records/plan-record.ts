/** Converts the draft of a plan to its record: unique ids, resolved references, texts within the limits. */
import { stripInvisible } from '../../lib/text/invisible.js'
import type { ExecutionPlanLine } from '../../planning/records.js'
import type { GroupDraft, ItemDraft, PlanDraft } from '../drafts/plan-draft.js'
import type { ImportReport } from '../report.js'
import { findCycle } from './cycles.js'
import { cut, LIMITS } from './limits.js'

type ImportedPlan = Omit<ExecutionPlanLine, 'type' | 'exploration_id' | 'version' | 'updated_at' | 'compilation_state'>
type Dependency = ExecutionPlanLine['dependencies'][number]

/** The record of the plan. What does not fit the limits is left out and reported as a problem. */
export const planRecord = (draft: PlanDraft, report: ImportReport): ImportedPlan => {
  const groups = draft.groups.filter(({ items, gates }) => items.length > 0 || gates.length > 0)
  if (groups.length > LIMITS.groups) {
    report.problem(
      draft.path, `only the first ${LIMITS.groups} of ${groups.length} groups were imported`
    )
  }
  const includedGroups = groups.slice(0, LIMITS.groups)
  const total = includedGroups.flatMap(({ items }) => items).length
  if (total > LIMITS.items) {
    report.problem(draft.path, `only the first ${LIMITS.items} of ${total} tasks were imported`)
  }
  const ids = uniqueIds(includedGroups, draft, report)
  const { dependencies, dangling } = references(draft, ids, report)
  const groupIds = new Map(includedGroups.map((group, index) => [group, `g${index + 1}`]))

  return {
    groups: includedGroups.map((group, order) => ({
      id: `g${order + 1}`,
      title: cut(group.title.trim() || 'Tasks', LIMITS.groupTitle),
      order: order + 1
    })),
    items: includedGroups
      .flatMap((group) =>
        group.items.flatMap((item) => {
          const id = ids.get(item)
          return id === undefined
            ? []
            : [
                {
                  id,
                  group_id: groupIds.get(group) ?? '',
                  ...texts(item, dangling.get(item) ?? []),
                  status: item.status,
                  ...criteriaOf(item),
                  ...(item.line !== undefined && !draft.isExport && {
                    source: { path: item.path, line: item.line }
                  })
                }
              ]
        })
      )
      .map((item, order) => ({ ...item, order: order + 1 })),
    dependencies,
    gates: includedGroups
      .flatMap((group) =>
        group.gates.map((gate, index) => ({
          id: `${groupIds.get(group)}-gate${index === 0 ? '' : index + 1}`,
          title: cut(`Checkpoint: ${group.title}`, LIMITS.groupTitle),
          after_group_id: groupIds.get(group) ?? '',
          criteria: [cut(gate.criterion, LIMITS.criterion)],
          status:
            group.items.length > 0 && group.items.every(({ status }) => status === 'done')
              ? ('passed' as const)
              : ('open' as const)
        }))
      )
      .slice(0, LIMITS.gates),
    conflicts: []
  }
}

const criteriaOf = ({ acceptance }: ItemDraft): Pick<ImportedPlan['items'][number], 'acceptance'> =>
  acceptance.length === 0
    ? {}
    : {
        acceptance: acceptance
          .slice(0, LIMITS.acceptance)
          .map(({ text, met }) => ({ text: cut(text, LIMITS.criterion), met }))
      }

/** A title that is too long is cut, and stays in full in the description. */
const texts = (item: ItemDraft, dangling: readonly string[]): { title: string; description?: string } => {
  const title = cut(item.title.trim() || item.id || 'Untitled', LIMITS.itemTitle)
  const description = [
    ...(title.endsWith('…') && title !== item.title.trim() ? [item.title.trim()] : []),
    ...(item.description.trim() === '' ? [] : [item.description.trim()]),
    ...(dangling.length > 0 ? [`Depends on what is not in this plan: ${dangling.join(', ')}.`] : [])
  ].join('\n\n')
  return description === '' ? { title } : { title, description: cut(description, LIMITS.itemDescription) }
}

/** The ids of the source. A repeated id gets `~2`; a missing one the positions of its group and its own. */
const uniqueIds = (groups: readonly GroupDraft[], draft: PlanDraft, report: ImportReport): Map<ItemDraft, string> => {
  const ids = new Map<ItemDraft, string>()
  const used = new Set<string>()
  const sourceIds = new Set(draft.items.flatMap(({ id }) => id ?? []))
  const unique = (wanted: string): string => {
    let id = cut(stripInvisible(wanted), LIMITS.itemId) || 'item'
    for (let count = 2; used.has(id); count++) id = `${[...wanted].slice(0, LIMITS.itemId - 8).join('')}~${count}`
    used.add(id)
    return id
  }
  for (const [groupIndex, group] of groups.entries()) {
    for (const [index, item] of group.items.entries()) {
      if (ids.size >= LIMITS.items) return ids
      if (item.id !== undefined && used.has(item.id)) {
        report.problem(
          item.path,
          `the id ${item.id} repeats; this one became ${item.id}~2 or the next that is free`,
          item.line
        )
      }
      const preferredId = item.id ?? `g${groupIndex + 1}-${index + 1}`
      ids.set(item, unique(item.id === undefined && sourceIds.has(preferredId) ? `${preferredId}~1` : preferredId))
    }
  }
  return ids
}

/**
 * An id refers to the first item that has it, a title to an item without an id. Unknown ids are reported and stay in
 * the description.
 */
const references = (
  draft: PlanDraft,
  ids: ReadonlyMap<ItemDraft, string>,
  report: ImportReport
): { dependencies: Dependency[]; dangling: Map<ItemDraft, string[]> } => {
  const byId = new Map<string, string>()
  for (const [item, id] of ids) {
    const key = draft.normalize(item.id ?? item.title)
    if (!byId.has(key)) byId.set(key, id)
  }
  const dependencies: Dependency[] = []
  const dangling = new Map<ItemDraft, string[]>()
  const linkKeys = new Set<string>()
  const itemIds = draft.items.flatMap(({ id }) => id ?? [])
  for (const [item, id] of ids) {
    const link = (mentioned: string, kind: Dependency['kind']): void => {
      const other = byId.get(draft.normalize(mentioned))
      if (other === undefined) {
        report.problem(
          item.path,
          `${id} depends on ${mentioned}, which is not here; it stays in the description`,
          item.line
        )
        dangling.set(item, [...(dangling.get(item) ?? []), mentioned])
      } else if (other === id) report.problem(item.path, `${id} depends on itself; that was left out`, item.line)
      else if (!linkKeys.has(`${id}\0${other}\0${kind}`)) {
        linkKeys.add(`${id}\0${other}\0${kind}`)
        dependencies.push({ item_id: id, depends_on: other, kind })
      }
    }
    for (const mentioned of draft.mentionedBy(item, itemIds)) link(mentioned, 'blocks')
    for (const mentioned of item.relatesTo) link(mentioned, 'relates')
  }
  if (dependencies.length > LIMITS.dependencies) {
    report.problem(
      draft.path,
      `only the first ${LIMITS.dependencies} of ${dependencies.length} dependencies were imported`
    )
  }
  const within = dependencies.slice(0, LIMITS.dependencies)
  const cycle = findCycle(
    within.filter(({ kind }) => kind === 'blocks').map(({ item_id: from, depends_on: to }) => [from, to] as const)
  )
  if (cycle) {
    const first = [...ids].find(([, id]) => id === cycle[0])?.[0]
    report.problem(
      first?.path ?? draft.path,
      `the dependencies go round in a circle: ${cycle.join(' → ')}; none of these can start`,
      first?.line
    )
  }
  return { dependencies: within, dangling }
}
