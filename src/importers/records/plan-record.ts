/** Converts the draft of a plan to its record: unique ids, resolved references, texts within the limits. */
import { stripInvisible } from '../../lib/text/invisible.js'
import type { ExecutionPlanLine } from '../../planning/records.js'
import { paragraphs } from '../drafts/packages.js'
import type { GroupDraft, ItemDraft, PlanDraft } from '../drafts/plan-draft.js'
import { idsInRange } from '../markdown/dependencies.js'
import type { ImportReport } from '../report.js'
import { findCycle } from './cycles.js'

type ImportedPlan = Omit<ExecutionPlanLine, 'type' | 'exploration_id' | 'version' | 'updated_at' | 'compilation_state'>
type Dependency = ExecutionPlanLine['dependencies'][number]

/** The limits of schemas/records. Lengths are in code points, as in JSON Schema. */
export const LIMITS = {
  explorationTitle: 500,
  groupTitle: 500,
  itemTitle: 2000,
  itemDescription: 50_000,
  itemId: 128,
  question: 20_000,
  answer: 200_000,
  section: 500,
  summary: 1_000_000,
  markdown: 5_000_000,
  acceptance: 200,
  criterion: 5000,
  decisionTitle: 1000,
  decisionBody: 500_000,
  url: 2048,
  tag: 100,
  tags: 100,
  summaries: 50,
  questions: 1000,
  groups: 1000,
  items: 10_000,
  dependencies: 50_000,
  gates: 1000
} as const

/** Cuts a text at the limit, with an ellipsis, never inside a surrogate pair. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const points = [...text.slice(0, limit * 2)]
  return points.length <= limit && text.length <= limit * 2 ? text : `${points.slice(0, limit - 1).join('')}…`
}

/** The record of the plan. What does not fit the limits is left out and reported as a problem. */
export const planRecord = (draft: PlanDraft, report: ImportReport): ImportedPlan => {
  const within = <Part>(parts: readonly Part[], limit: number, what: string): Part[] => {
    if (parts.length > limit) {
      report.problem(draft.path, `only the first ${limit} of ${parts.length} ${what} were imported`)
    }
    return parts.slice(0, limit)
  }
  const filled = draft.groups.filter(({ items, gates }) => items.length > 0 || gates.length > 0)
  const groups = within(filled, LIMITS.groups, 'groups').map((group, index) => ({ ...group, id: `g${index + 1}` }))
  const items = within(groups.flatMap((group) => group.items.map((item) => ({ group, item }))), LIMITS.items, 'tasks')
  const ids = uniqueIds(groups, items.length, draft, report)
  const { dependencies, dangling } = references(draft, ids, report)
  const imported = within(dependencies, LIMITS.dependencies, 'dependencies')
  reportCycle(imported, ids, draft, report)
  return {
    groups: groups.map(({ id, title }, index) =>
      ({ id, title: cut(title.trim() || 'Tasks', LIMITS.groupTitle), order: index + 1 })),
    items: items.map(({ group, item }, index) => {
      const { acceptance, line, path, status } = item
      const criteria = acceptance.slice(0, LIMITS.acceptance)
      return {
        id: ids.get(item) ?? '',
        group_id: group.id,
        ...texts(item, dangling.get(item) ?? []),
        status,
        ...(criteria.length > 0 && {
          acceptance: criteria.map(({ text, met }) => ({ text: cut(text, LIMITS.criterion), met }))
        }),
        ...(line !== undefined && !draft.isExport && { source: { path, line } }),
        order: index + 1
      }
    }),
    dependencies: imported,
    gates: groups.flatMap(({ id, title, items: own, gates }) => gates.map(({ criterion }, index) => ({
      id: `${id}-gate${index === 0 ? '' : index + 1}`,
      title: cut(`Checkpoint: ${title}`, LIMITS.groupTitle),
      after_group_id: id,
      criteria: [cut(criterion, LIMITS.criterion)],
      status: own.length > 0 && own.every(({ status }) => status === 'done') ? 'passed' as const : 'open' as const
    }))).slice(0, LIMITS.gates),
    conflicts: []
  }
}

/** A title that is too long is cut, and stays in full in the description. */
const texts = (item: ItemDraft, dangling: readonly string[]): { title: string; description?: string } => {
  const whole = item.title.trim()
  const title = cut(whole || item.id || 'Untitled', LIMITS.itemTitle)
  const description = paragraphs(
    title.endsWith('…') && title !== whole ? whole : '',
    item.description.trim(),
    dangling.length > 0 ? `Depends on what is not in this plan: ${dangling.join(', ')}.` : ''
  )
  return description === '' ? { title } : { title, description: cut(description, LIMITS.itemDescription) }
}

/** The ids of the source. A repeated id gets `~2`; a missing one the positions of its group and its own. */
const uniqueIds = (
  groups: readonly GroupDraft[], count: number, draft: PlanDraft, report: ImportReport
): Map<ItemDraft, string> => {
  const ids = new Map<ItemDraft, string>()
  const used = new Set<string>()
  const sourceIds = new Set(draft.items.flatMap(({ id }) => id ?? []))
  const unique = (wanted: string): string => {
    let id = cut(stripInvisible(wanted), LIMITS.itemId) || 'item'
    for (let number = 2; used.has(id); number++) id = `${[...wanted].slice(0, LIMITS.itemId - 8).join('')}~${number}`
    used.add(id)
    return id
  }
  for (const [groupIndex, group] of groups.entries()) {
    for (const [index, item] of group.items.entries()) {
      const { id, path, line } = item
      if (ids.size >= count) return ids
      if (id !== undefined && used.has(id)) {
        report.problem(path, `the id ${id} repeats; this one became ${id}~2 or the next that is free`, line)
      }
      const place = `g${groupIndex + 1}-${index + 1}`
      ids.set(item, unique(id ?? (sourceIds.has(place) ? `${place}~1` : place)))
    }
  }
  return ids
}

/** An id refers to the first item that has it, else a title to one without; unknown ids stay in the description. */
const references = (
  draft: PlanDraft, ids: ReadonlyMap<ItemDraft, string>, report: ImportReport
): { dependencies: Dependency[]; dangling: Map<ItemDraft, string[]> } => {
  const byId = new Map<string, string>()
  for (const [item, id] of ids) {
    const key = draft.normalize(item.id ?? item.title)
    if (!byId.has(key)) byId.set(key, id)
  }
  const dependencies = new Map<string, Dependency>()
  const dangling = new Map<ItemDraft, string[]>()
  const itemIds = draft.items.flatMap(({ id }) => id ?? [])
  for (const [item, id] of ids) {
    const { path, line } = item
    const link = (mentioned: string, kind: Dependency['kind']): void => {
      const other = byId.get(draft.normalize(mentioned))
      if (other === undefined) {
        report.problem(path, `${id} depends on ${mentioned}, which is not here; it stays in the description`, line)
        dangling.set(item, [...(dangling.get(item) ?? []), mentioned])
      } else if (other === id) report.problem(path, `${id} depends on itself; that was left out`, line)
      else dependencies.set(`${id}\0${other}\0${kind}`, { item_id: id, depends_on: other, kind })
    }
    const { ids: named, ranges } = item.dependsOn
    for (const mentioned of new Set([...named, ...ranges.flatMap((range) => idsInRange(range, itemIds))])) {
      link(mentioned, 'blocks')
    }
    for (const mentioned of item.relatesTo) link(mentioned, 'relates')
  }
  return { dependencies: [...dependencies.values()], dangling }
}

const reportCycle = (
  dependencies: readonly Dependency[], ids: ReadonlyMap<ItemDraft, string>, draft: PlanDraft, report: ImportReport
): void => {
  const cycle = findCycle(dependencies)
  if (!cycle) return
  const [first] = [...ids].find(([, id]) => id === cycle[0]) ?? []
  const message = `the dependencies go round in a circle: ${cycle.join(' → ')}; none of these can start`
  report.problem(first?.path ?? draft.path, message, first?.line)
}
