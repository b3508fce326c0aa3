/** Makes values comparable by their JSON, whatever the order of keys. */

/** Returns the same structure for objects that differ only in the order of their keys; objects become pairs. */
export const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([key, inner]) => [key, sorted(inner)])
}
