/** Memoizes values per object in a WeakMap. */

/** Returns the value that was made for this object and variant, or makes it now. */
export type WeakMemo<Of extends object, Made> = (of: Of, variant: string, make: () => Made) => Made

/** Values live as long as the objects they were made for. `undefined` is made again each time. */
export const weakMemo = <Of extends object, Made>(): WeakMemo<Of, Made> => {
  const cache = new WeakMap<Of, Map<string, Made>>()
  return (of, variant, make) => {
    let variants = cache.get(of)
    if (!variants) cache.set(of, variants = new Map())
    let value = variants.get(variant)
    if (value === undefined) variants.set(variant, value = make())
    return value
  }
}
