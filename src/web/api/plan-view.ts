/** A whole plan as the page draws it, in one piece. */
import type { ExecutionPlan } from '../../planning/records.js'
import { STALE, unreadable } from '../../planning/tools/plan-states.js'
import { markItems } from '../../planning/tools/plan-page.js'
import type { ItemCounts } from '../../db/sql-exploration-catalog.js'
import { markInvisible } from './mark-invisible.js'

const MAX_DESCRIPTION_CHARS = 4000
const MAX_ALL_DESCRIPTIONS = 1_000_000

/** Returns the plan in order, with what can start now and bounded descriptions. */
export const planView = (plan: ExecutionPlan) => {
  // The store has the items in the order of the plan.
  const items = markItems(plan)
  let available = MAX_ALL_DESCRIPTIONS
  const itemViews = items.map(({ description, ...item }) => {
    const safeItem = { ...item, title: markInvisible(item.title) }
    if (description === undefined) return safeItem
    const text = description.slice(0, Math.min(MAX_DESCRIPTION_CHARS, available))
    available -= text.length
    const isCut = text.length < description.length
    return { ...safeItem, description: markInvisible(text), ...(isCut && { description_cut: true }) }
  })
  const warning = plan.compilation_state === 'stale' ? STALE : unreadable(plan)?.message
  return {
    exploration_id: plan.exploration_id,
    version: plan.version,
    compilation_state: plan.compilation_state,
    updated_at: plan.updated_at,
    ...(warning !== undefined && { warning }),
    counts: countItems(items),
    groups: [...plan.groups].sort((one, other) => one.order - other.order)
      .map((group) => ({ ...group, title: markInvisible(group.title) })),
    items: itemViews,
    dependencies: plan.dependencies,
    gates: plan.gates.map((gate) => ({
      ...gate, title: markInvisible(gate.title), ...gate.criteria && { criteria: gate.criteria.map(markInvisible) }
    })),
    conflicts: plan.conflicts.map(({ description, resolution, ...conflict }) => ({
      ...conflict,
      description: markInvisible(description),
      ...resolution !== undefined && { resolution: markInvisible(resolution) }
    }))
  }
}

const countItems = (items: ReadonlyArray<{ status: Exclude<keyof ItemCounts, 'total'> }>): ItemCounts => {
  const counts: ItemCounts = { todo: 0, in_progress: 0, done: 0, blocked: 0, total: items.length }
  for (const { status } of items) counts[status]++
  return counts
}
