/** Memoizes values per object in a WeakMap. */

/** Gives what was made of the object in this variant, or makes it. */
export type WeakMemo<Of extends object, Made> = (of: Of, variant: string, make: () => Made) => Made

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
