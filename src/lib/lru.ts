/** Puts something into a map that holds only so much: the longest untouched makes room. */
export const lruSet = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): Value => {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) break
    map.delete(oldest)
  }
  return value
}
