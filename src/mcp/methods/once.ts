/** Caches one value for each object and key, as long as the object lives. */

/** Creates the cache. `get` returns the cached value, or calls `make` and stores what it returns. */
export const once = <Value> () => {
  const cache = new WeakMap<object, Map<string, Value>>()
  return {
    get (owner: object, key: string, make: () => Value): Value {
      let values = cache.get(owner)
      if (!values) cache.set(owner, values = new Map())
      let value = values.get(key)
      if (value === undefined) values.set(key, value = make())
      return value
    }
  }
}
