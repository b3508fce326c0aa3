/** The longest way to each node over links that close no circle, without recursion: chains have 10,000 items. */

/** `lengths[node]`: the links of the longest way to it; `previous[node]`: the node before it, -1 at the beginning. */
export const longestWays = (
  count: number, links: ReadonlyArray<readonly [number, number]>
): { lengths: Int32Array, previous: Int32Array } => {
  const outgoing = Array.from({ length: count }, (): number[] => [])
  const forward = outgoing.map((): number[] => [])
  for (const [from, to] of links) outgoing[from]?.push(to)
  const [OPEN, CLOSED] = [1, 2]
  const states = new Uint8Array(count)
  const finishOrder: number[] = []
  for (let root = 0; root < count; root++) {
    const path: Array<{ node: number, targets: Iterator<number> }> = []
    const enter = (node: number): void => {
      states[node] = OPEN
      path.push({ node, targets: (outgoing[node] ?? []).values() })
    }
    if (states[root] === 0) enter(root)
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { node, targets } = last
      const { value: target, done } = targets.next()
      if (done === true) {
        states[node] = CLOSED
        finishOrder.push(node)
        path.pop()
      } else if (states[target] !== OPEN) {
        forward[node]?.push(target)
        if (states[target] !== CLOSED) enter(target)
      }
    }
  }
  const lengths = new Int32Array(count)
  const previous = new Int32Array(count).fill(-1)
  // Each node after the sources of its links.
  for (const node of finishOrder.reverse()) {
    const length = (lengths[node] ?? 0) + 1
    for (const target of forward[node] ?? []) {
      if (length <= (lengths[target] ?? 0)) continue
      lengths[target] = length
      previous[target] = node
    }
  }
  return { lengths, previous }
}
