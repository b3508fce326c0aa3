/** Chooses the items with the largest values without sorting all of them. */

/** At most `limit` items, in no order; of those with equal values the first by `compare`. */
export const largest = <Item>(
  items: readonly Item[], limit: number, valueOf: (item: Item) => number, compare: (one: Item, other: Item) => number
): Item[] => {
  if (items.length <= limit) return [...items]
  const values = new Float64Array(items.length)
  items.forEach((item, at) => { values[at] = valueOf(item) })
  const least = limitOf(values, limit)
  const larger = items.filter((_, at) => (values[at] ?? 0) > least)
  const equal = items.filter((_, at) => values[at] === least).sort(compare)
  return [...larger, ...equal.slice(0, limit - larger.length)]
}

/** The least of the `limit` largest values, of which there are more; none is NaN. */
export const limitOf = (values: Float64Array, limit: number): number => {
  const sorted = values.slice().sort()
  return sorted[sorted.length - limit] ?? 0
}
