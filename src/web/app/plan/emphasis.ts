/** What is brought forward in the picture: by the selection, by a search or a filter, by *Longest chain*. */
import type { Edge, Target } from './layout/picture.js'
import type { PlanItem, PlanModel } from './plan-model.js'

export type Emphasis = ReturnType<typeof createEmphasis>

export interface EmphasisOptions {
  active: Target | undefined
  /** What a search or a filter chose; undefined without one. */
  chosen: readonly PlanItem[] | undefined
  /** Empty unless it is shown. */
  chain: readonly PlanItem[]
}

export const createEmphasis = (model: PlanModel, { active, chosen, chain }: EmphasisOptions) => {
  const selected = active?.type === 'item' ? model.items[active.index] : undefined
  return {
    /** Everything else is dimmed; undefined if nothing is. */
    items: selected !== undefined ? relatedItems(selected) : chosen && new Set(chosen),
    chain: new Set(chain),
    /** Pairs of the chain, as `from:to` of item indexes. */
    chainLinks: new Set(chain.slice(1).map((item, at) => `${chain[at]?.index}:${item.index}`))
  }
}

export const isDimmed = ({ items }: Emphasis, item: PlanItem): boolean => items !== undefined && !items.has(item)

/** Whether a line is drawn pale: none of its links joins two items that are brought forward. */
export const isEdgeDimmed = ({ items }: Emphasis, { links }: Edge): boolean =>
  items !== undefined && !links.some(({ from, to }) => items.has(from) && items.has(to))

export const isInChain = ({ chainLinks }: Emphasis, { links }: Edge): boolean =>
  chainLinks.size > 0 && links.some(({ from, to }) => chainLinks.has(`${from.index}:${to.index}`))

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
