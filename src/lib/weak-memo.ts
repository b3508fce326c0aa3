/** What is made of an object, kept as long as the object is. */

/** Gives what was made of the object in this variant, or makes it. */
export type Kept<Of extends object, Made> = (of: Of, variant: string, make: () => Made) => Made

export const kept = <Of extends object, Made>(): Kept<Of, Made> => {
  const made = new WeakMap<Of, Map<string, Made>>()
  return (of, variant, make) => {
    let variants = made.get(of)
    if (!variants) made.set(of, variants = new Map())
    let known = variants.get(variant)
    if (known === undefined) variants.set(variant, known = make())
    return known
  }
}
