/** Finds a cycle among dependencies. */
import type { ExecutionPlanLine } from '../../planning/records.js'

/** The ids along one cycle of `blocks`, the first repeated at the end; undefined without one. Chains may be long. */
export const findCycle = (dependencies: Readonly<ExecutionPlanLine['dependencies']>): string[] | undefined => {
  const after = new Map<string, string[]>()
  for (const { item_id: from, depends_on: to, kind } of dependencies) {
    if (kind === 'blocks') after.set(from, [...(after.get(from) ?? []), to])
  }
  const finished = new Set<string>()
  for (const start of after.keys()) {
    const path: Array<{ id: string; next: number }> = [{ id: start, next: 0 }]
    const onPath = new Set([start])
    for (let here = path.at(-1); here && !finished.has(start); here = path.at(-1)) {
      const to = after.get(here.id)?.[here.next++]
      if (to === undefined) {
        finished.add(here.id)
        onPath.delete(here.id)
        path.pop()
      } else if (onPath.has(to)) {
        const ids = path.map(({ id }) => id)
        return [...ids.slice(ids.indexOf(to)), to]
      } else if (!finished.has(to)) {
        path.push({ id: to, next: 0 })
        onPath.add(to)
      }
    }
  }
  return undefined
}
