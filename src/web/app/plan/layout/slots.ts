/** The columns of the picture as stacks of slots: for a card, the summary of a closed group, or lines that pass. */
import type { MergedLink, NodeKey } from './merged-links.js'

export interface Slot {
  column: number
  height: number
  y: number
  /** The node that is drawn here, undefined where lines pass. */
  node: NodeKey | undefined
  left: Set<Slot>
  right: Set<Slot>
}

/** The way of one link: its slots from the source to the target; two slots only if it does not go forward. */
export interface Route {
  link: MergedLink
  slots: Slot[]
  /** forward: to a later column; sideways: in the same; backward: to an earlier one; below: under all lanes. */
  direction: 'forward' | 'sideways' | 'backward' | 'below'
}

const PASSAGE_HEIGHT = 16
// Beyond this many, lines would fill the columns: the longest ways go below the lanes.
const MAX_PASSAGES = 6000

/** Adds the passages to `columns` and connects all slots; a relation is turned around if it then goes forward. */
export const routeLinks = (
  columns: Slot[][], nodes: ReadonlyMap<NodeKey, Slot>, links: readonly MergedLink[]
): Route[] => {
  const passages = new Map<string, Slot>()
  const passage = (source: NodeKey, column: number): Slot | undefined => {
    const key = `${source}:${column}`
    const existing = passages.get(key)
    if (existing !== undefined || passages.size >= MAX_PASSAGES) return existing
    const slot: Slot = { column, height: PASSAGE_HEIGHT, y: 0, node: undefined, left: new Set(), right: new Set() }
    passages.set(key, slot)
    columns[column]?.push(slot)
    return slot
  }
  const route = (link: MergedLink): Route[] => {
    const [from, to] = [nodes.get(link.from), nodes.get(link.to)]
    if (from === undefined || to === undefined) return []
    if (from.column === to.column) return [{ link, slots: [from, to], direction: 'sideways' }]
    if (from.column > to.column) {
      if (link.kind === 'relates') return route({ ...link, from: link.to, to: link.from })
      return [{ link, slots: [from, to], direction: 'backward' }]
    }
    const slots = [from]
    for (let column = from.column + 1; column < to.column; column++) {
      const next = passage(link.from, column)
      if (next === undefined) return [{ link, slots: [from, to], direction: 'below' }]
      slots.push(next)
    }
    slots.push(to)
    for (const [at, slot] of slots.entries()) {
      const next = slots[at + 1]
      if (next === undefined) break
      slot.right.add(next)
      next.left.add(slot)
    }
    return [{ link, slots, direction: 'forward' }]
  }
  const span = ({ from, to }: MergedLink): number =>
    Math.abs((nodes.get(to)?.column ?? 0) - (nodes.get(from)?.column ?? 0))
  return [...links].sort((one, other) => span(one) - span(other)).flatMap(route)
}
