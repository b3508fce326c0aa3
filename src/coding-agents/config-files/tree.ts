/** Reading and comparing what a file says, whatever its format. */
import { isDeepStrictEqual } from 'node:util'
import type { Path, Tree, Value } from './editor.js'

export const at = (tree: Tree | undefined, path: Path): Tree | undefined => {
  for (const step of path) {
    if (typeof step === 'string') tree = tree instanceof Map ? tree.get(step) : undefined
    else tree = Array.isArray(tree) ? tree.find((element) => isElement(element, step.id)) : undefined
  }
  return tree
}

/** The tree without what is at the path. */
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

export const treeOf = (value: Value | null): Tree => {
  if (Array.isArray(value)) return value.map(treeOf)
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]))
  return value as string | number | boolean | null
}

/** Back again: what was read, as what can be written. */
export const valueOf = (tree: Tree): Value => {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, inner]) => [key, valueOf(inner)]))
  if (Array.isArray(tree)) return tree.map(valueOf)
  return typeof tree === 'string' || typeof tree === 'number' || typeof tree === 'boolean' ? tree : String(tree)
}

export const same = (one: Tree | undefined, other: Tree | undefined): boolean => isDeepStrictEqual(one, other)

const isElement = (tree: Tree, id: string): boolean => tree instanceof Map && tree.get('id') === id
