/** Reads and compares the content of a file, whatever its format. */
import { isDeepStrictEqual } from 'node:util'

/** Each step is a key, or the element of a list whose `id` is this one. */
export type Path = ReadonlyArray<string | { id: string }>

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** Maps are `Map`s: a key may be called `__proto__`. */
export type Tree = string | number | boolean | bigint | null | Date | Tree[] | Map<string, Tree>

export const at = (tree: Tree | undefined, path: Path): Tree | undefined => {
  for (const step of path) {
    if (typeof step === 'string') tree = tree instanceof Map ? tree.get(step) : undefined
    else tree = Array.isArray(tree) ? tree.find((element) => isElement(element, step.id)) : undefined
  }
  return tree
}

export const without = (tree: Tree | undefined, [step, ...rest]: Path): Tree | undefined => {
  if (step === undefined) return undefined
  if (typeof step === 'string') {
    if (!(tree instanceof Map) || !tree.has(step)) return tree
    const inner = without(tree.get(step), rest)
    const left = new Map(tree)
    if (inner === undefined) left.delete(step)
    else left.set(step, inner)
    return left
  }
  if (!Array.isArray(tree)) return tree
  return tree.flatMap((element) => {
    const left = isElement(element, step.id) ? without(element, rest) : element
    return left === undefined ? [] : [left]
  })
}

/** Converts a parsed value: objects and maps to `Map`, dates to RFC 3339. */
export const treeOf = (value: unknown): Tree => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(treeOf)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [String(key), treeOf(inner)]))
  if (typeof value === 'object') return new Map(Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ||
    typeof value === 'bigint'
    ? value
    : String(value)
}

export const entriesOf = (value: Value): Array<[string, Value]> =>
  typeof value === 'object' ? Object.entries(value) : []

/** Converts what was read into what can be written. */
export const valueOf = (tree: Tree): Value => {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, inner]) => [key, valueOf(inner)]))
  if (Array.isArray(tree)) return tree.map(valueOf)
  return typeof tree === 'string' || typeof tree === 'number' || typeof tree === 'boolean' ? tree : String(tree)
}

export const same = (one: Tree | undefined, other: Tree | undefined): boolean => isDeepStrictEqual(one, other)

const isElement = (tree: Tree, id: string): boolean => tree instanceof Map && tree.get('id') === id
