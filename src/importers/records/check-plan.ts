/** Checks that a plan refers only to its own groups and items, and that no id repeats. */
import type { ExecutionPlanLine } from '../../planning/records.js'

/** One sentence part per fault, such as `gates[0].id repeats "g1"`. */
export const planFaults = ({ groups, items, dependencies, gates, conflicts }: ExecutionPlanLine): string[] => {
  const groupIds = new Set(groups.map(({ id }) => id))
  const itemIds = new Set(items.map(({ id }) => id))
  const faults: string[] = []
  const expect = (ids: Set<string>, id: string, field: string, what: string): void => {
    if (!ids.has(id)) faults.push(`${field} refers to the ${what} ${JSON.stringify(id)}, which this plan does not have`)
  }
  for (const [name, list] of Object.entries({ groups, items, gates, conflicts })) {
    const visited = new Set<string>()
    for (const [index, { id }] of list.entries()) {
      if (visited.has(id)) faults.push(`${name}[${index}].id repeats ${JSON.stringify(id)}`)
      visited.add(id)
    }
  }
  for (const [index, item] of items.entries()) expect(groupIds, item.group_id, `items[${index}].group_id`, 'group')
  for (const [index, gate] of gates.entries()) {
    expect(groupIds, gate.after_group_id, `gates[${index}].after_group_id`, 'group')
  }
  for (const [index, { item_id: item, depends_on: other }] of dependencies.entries()) {
    expect(itemIds, item, `dependencies[${index}].item_id`, 'item')
    expect(itemIds, other, `dependencies[${index}].depends_on`, 'item')
  }
  for (const [index, { item_ids: ids }] of conflicts.entries()) {
    for (const [at, id] of ids.entries()) expect(itemIds, id, `conflicts[${index}].item_ids[${at}]`, 'item')
  }
  return faults
}
