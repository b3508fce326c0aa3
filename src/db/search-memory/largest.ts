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
  const parted = values.slice()
  const wanted = parted.length - limit
  let [from, to] = [0, parted.length - 1]
  // Hoare's selection: values are parted until all before the wanted place are at most as large, and all behind it at
  // least so. Sorting all of them takes several times as long.
  while (from < to) {
    const middle = parted[(from + to) >>> 1]!
    let [low, high] = [from, to]
    while (low <= high) {
      while (parted[low]! < middle) low++
      while (parted[high]! > middle) high--
      if (low > high) break
      const value = parted[low]!
      parted[low++] = parted[high]!
      parted[high--] = value
    }
    if (wanted <= high) to = high
    else if (wanted >= low) from = low
    else break
  }
  return parted[wanted] ?? 0
}
