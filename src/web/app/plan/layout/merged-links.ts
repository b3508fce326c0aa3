/** Dependencies between what is drawn: a link of a card inside a closed group becomes a link of that group. */
import type { PlanItem, PlanLink, PlanModel } from '../plan-model.js'

/** A node that is drawn: the index of an item, or -1 - index of a closed group. */
export type NodeKey = number

export interface MergedLink {
  from: NodeKey
  to: NodeKey
  links: PlanLink[]
  kind: 'blocks' | 'relates'
}

export const groupNode = (index: number): NodeKey => -1 - index

/** Returns one link for each pair of drawn nodes; links within one closed group are left out. */
export const mergeLinks = ({ links }: PlanModel, open: ReadonlySet<number>): MergedLink[] => {
  const node = ({ index, group }: PlanItem): NodeKey => open.has(group.index) ? index : groupNode(group.index)
  const merged = new Map<string, MergedLink>()
  for (const link of links) {
    const [from, to] = [node(link.from), node(link.to)]
    if (from === to) continue
    const key = `${from}:${to}`
    const same = merged.get(key)
    if (same === undefined) merged.set(key, { from, to, links: [link], kind: link.kind })
    else {
      same.links.push(link)
      if (link.kind === 'blocks') same.kind = 'blocks'
    }
  }
  return [...merged.values()]
}
