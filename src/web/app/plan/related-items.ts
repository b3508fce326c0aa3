/** What belongs to a selected item: all that it waits for, all that waits for it, and those it conflicts with. */
import type { PlanItem } from './plan-model.js'

/** Returns the item, its ancestors, its descendants and the items of its open conflicts. */
export const relatedItems = (item: PlanItem): Set<PlanItem> => {
  const related = new Set([item])
  for (const direction of ['before', 'after'] as const) {
    const visited = new Set([item])
    const waiting = [item]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const link of at[direction]) {
        const other = direction === 'before' ? link.from : link.to
        if (visited.has(other)) continue
        visited.add(other)
        related.add(other)
        waiting.push(other)
      }
    }
  }
  for (const conflict of item.conflicts) {
    if (conflict.status === 'open') for (const other of conflict.items) related.add(other)
  }
  return related
}
