/** Chooses the items with the largest values without sorting all of them. */

/** At most `limit` items, in no order; of those with equal values the first by `compare`. */
export const largest = <Item>(
  items: readonly Item[], limit: number, valueOf: (item: Item) => number, compare: (one: Item, other: Item) => number
): Item[] => {
  if (items.length <= limit) return [...items]
  const sorted = Float64Array.from(items, valueOf).sort()
  const least = sorted[sorted.length - limit] ?? 0
  const larger = items.filter((item) => valueOf(item) > least)
  const equal = items.filter((item) => valueOf(item) === least).sort(compare)
  return [...larger, ...equal.slice(0, limit - larger.length)]
}
