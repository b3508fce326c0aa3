/** Where a key of the keyboard leads from the active target of a picture. */
import type { PlanModel } from './plan-model.js'
import { targetKey, type Picture, type Target } from './layout/picture.js'

/**
 * Returns the target that `key` (of a KeyboardEvent) leads to, or undefined if it leads nowhere: up, down, Home and End
 * go through everything in the order of reading, PageUp and PageDown by groups, left and right along dependencies.
 */
export const nextTarget = (
  { targets }: Picture, { items }: PlanModel, active: Target | undefined, key: string
): Target | undefined => {
  const at = active === undefined ? -1 : targets.findIndex((target) => targetKey(target) === targetKey(active))
  switch (key) {
    case 'ArrowDown': return targets[Math.min(at + 1, targets.length - 1)]
    case 'ArrowUp': return targets[at < 0 ? targets.length - 1 : Math.max(at - 1, 0)]
    case 'Home': return targets[0]
    case 'End': return targets.at(-1)
    case 'PageDown': return targets.find(({ type }, place) => type === 'group' && place > at) ?? targets.at(-1)
    case 'PageUp': return targets.findLast(({ type }, place) => type === 'group' && place < at) ?? targets[0]
    case 'ArrowLeft':
    case 'ArrowRight': {
      if (active?.type !== 'item') return undefined
      const item = items[active.index]
      const others = key === 'ArrowLeft' ? item?.before.map(({ from }) => from) : item?.after.map(({ to }) => to)
      const reachable = new Set(targets.flatMap(({ type, index }) => type === 'item' ? [index] : []))
      const next = others?.find(({ index }) => reachable.has(index)) ?? others?.[0]
      if (next === undefined) return undefined
      // An item of a closed group is reached at the group.
      return reachable.has(next.index)
        ? { type: 'item', index: next.index }
        : { type: 'group', index: next.group.index }
    }
    default: return undefined
  }
}
