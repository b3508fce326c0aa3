/**
 * An order of nodes in which links go forward, and the links that no order can carry because they close a circle.
 * Iterative: a chain of 10,000 items must not exhaust the stack.
 */

export interface AcyclicOrder {
  /** All nodes 0 … count-1, each after the sources of its links, apart from links in `backward`. */
  order: number[]
  /** Indexes of links that close a circle. */
  backward: Set<number>
}

/** Orders `count` nodes by links `[from, to]` between them, in linear time. */
export const acyclicOrder = (count: number, links: ReadonlyArray<readonly [number, number]>): AcyclicOrder => {
  const outgoing: number[][] = Array.from({ length: count }, () => [])
  for (const [index, [from]] of links.entries()) outgoing[from]?.push(index)
  const UNVISITED = 0
  const OPEN = 1
  const CLOSED = 2
  const states = new Uint8Array(count)
  const cursors = new Uint32Array(count)
  const backward = new Set<number>()
  const finishOrder: number[] = []
  for (let root = 0; root < count; root++) {
    if (states[root] !== UNVISITED) continue
    const path = [root]
    states[root] = OPEN
    while (path.length > 0) {
      const node = path.at(-1) ?? 0
      const cursor = cursors[node] ?? 0
      const link = outgoing[node]?.[cursor]
      if (link === undefined) {
        states[node] = CLOSED
        finishOrder.push(node)
        path.pop()
        continue
      }
      cursors[node] = cursor + 1
      const target = links[link]?.[1] ?? node
      if (states[target] === OPEN) backward.add(link)
      else if (states[target] === UNVISITED) {
        states[target] = OPEN
        path.push(target)
      }
    }
  }
  return { order: finishOrder.reverse(), backward }
}

/**
 * The longest way to each node over links that are not backward: `lengths[node]` counts its links, `previous[node]` is
 * the node before it on that way, -1 at the beginning.
 */
export const longestWays = (
  count: number, links: ReadonlyArray<readonly [number, number]>
): { lengths: Int32Array, previous: Int32Array } => {
  const { order, backward } = acyclicOrder(count, links)
  const outgoing: number[][] = Array.from({ length: count }, () => [])
  for (const [index, [from, to]] of links.entries()) if (!backward.has(index)) outgoing[from]?.push(to)
  const lengths = new Int32Array(count)
  const previous = new Int32Array(count).fill(-1)
  for (const node of order) {
    const length = (lengths[node] ?? 0) + 1
    for (const target of outgoing[node] ?? []) {
      if (length <= (lengths[target] ?? 0)) continue
      lengths[target] = length
      previous[target] = node
    }
  }
  return { lengths, previous }
}
