/** A whole plan as the page draws it, in one piece. */
import type { ExecutionPlan } from '../../planning/records.js'
import { STALE, whyUnreadable } from '../../planning/tools/plan-states.js'
import { markItems } from '../../planning/tools/plan-page.js'
import type { ItemCounts } from '../../db/planning/sql-exploration-catalog.js'
import type { ItemQuestion } from '../../db/planning/changes/sql-exploration-work.js'
import type { ExplorationDetail, WritersItem, WritersPlan } from '../../planning/store.js'
import { markInvisible } from './mark-invisible.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'

const MAX_DESCRIPTION_CHARS = 4000
/** Of all texts of a plan together, as they are written, in UTF-16 code units. */
const MAX_ALL_CHARS = 2_000_000
const CUT = 'This plan is very long: some of its texts are cut on this page. Agents read them whole, page by page.'

export interface PlanParts {
  /** For who may edit, with what agents have written. */
  plan: ExecutionPlan | WritersPlan
  exploration: Pick<ExplorationDetail, 'title' | 'workspace'>
  /** Open ones about items. */
  questions: readonly ItemQuestion[]
}

export const planView = (
  { plan, exploration: { title, workspace }, questions }: PlanParts
): ResponseOf<PageOperations['GET /explorations/:id/plan']> => {
  // The store has the items in the order of the plan.
  const items = markItems(plan)
  let available = MAX_ALL_CHARS
  const take = (text: string): string => {
    // Marks make a text longer, never shorter.
    const marked = markInvisible(text.slice(0, available)).slice(0, available)
    available -= marked.length
    return marked
  }
  // In the order of their weight: descriptions, the longest, get what the others leave.
  const titled = <Titled extends { title: string }>(all: readonly Titled[]): Titled[] =>
    all.map((one) => ({ ...one, title: take(one.title) }))
  const groups = titled([...plan.groups].sort((one, other) => one.order - other.order))
  const titledItems = titled(items)
  const gates = titled(plan.gates)
    .map((gate) => ({ ...gate, ...gate.criteria && { criteria: gate.criteria.map(take) } }))
  const conflicts = plan.conflicts.map(({ description, resolution, ...conflict }) => ({
    ...conflict,
    description: take(description),
    ...resolution !== undefined && { resolution: take(resolution) }
  }))
  const asked = new Map<string, Array<Omit<ItemQuestion, 'item_id'>>>()
  for (const { item_id: item, ...question } of questions) asked.set(item, [...asked.get(item) ?? [], question])
  const worked = titledItems.map((item: typeof titledItems[number] & Partial<WritersItem>) => ({
    ...item,
    ...item.acceptance && { acceptance: item.acceptance.map((one) => ({ ...one, text: take(one.text) })) },
    ...item.evidence && {
      evidence: item.evidence.map(({ kind, ref, summary }) =>
        ({ kind, ref: take(ref), ...summary !== undefined && { summary: take(summary) } }))
    },
    ...item.notes && { notes: item.notes.map((note) => ({ ...note, text: take(note.text) })) },
    ...asked.has(item.id) && {
      questions: asked.get(item.id)?.map((one) => ({ ...one, question: take(one.question) }))
    }
  }))
  const itemViews = worked.map(({ description, ...item }) => {
    if (description === undefined) return item
    const text = take(description.slice(0, MAX_DESCRIPTION_CHARS))
    const isCut = description.length > MAX_DESCRIPTION_CHARS || available === 0
    return { ...item, description: text, ...(isCut && { description_cut: true }) }
  })
  const warnings = [
    plan.compilation_state === 'stale' ? STALE : whyUnreadable(plan), available === 0 ? CUT : undefined
  ].filter((warning) => warning !== undefined)
  return {
    exploration_id: plan.exploration_id,
    title,
    workspace,
    version: plan.version,
    compilation_state: plan.compilation_state,
    updated_at: plan.updated_at,
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    counts: countItems(items),
    groups,
    items: itemViews,
    dependencies: plan.dependencies,
    gates,
    conflicts
  }
}

const countItems = (items: ReadonlyArray<{ status: Exclude<keyof ItemCounts, 'total'> }>): ItemCounts => {
  const counts: ItemCounts = { todo: 0, in_progress: 0, done: 0, blocked: 0, total: items.length }
  for (const { status } of items) counts[status]++
  return counts
}
