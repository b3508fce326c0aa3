/** Makes a value once for each key of what it is about, and keeps it as long as that lives. */

export const once = <Value> () => {
  const cache = new WeakMap<object, Map<string, Value>>()
  return {
    get (about: object, key: string, make: () => Value): Value {
      let values = cache.get(about)
      if (!values) cache.set(about, values = new Map())
      let value = values.get(key)
      if (value === undefined) values.set(key, value = make())
      return value
    }
  }
}
