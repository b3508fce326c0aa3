/** Edits a file and proves the edit: the text is parsed before and after, and nothing but the entry may differ. */
import { Refusal } from '../../lib/errors.js'
import type { Format } from '../registry/agent.js'
import type { Editor, Trace } from './editor.js'
import { json } from './json.js'
import { toml } from './toml.js'
import { at, same, treeOf, without, type Path, type Tree, type Value } from './tree.js'
import { yaml } from './yaml.js'

const EDITORS: Record<Format, Editor> = { json, toml, yaml }
const MARK = '\uFEFF'

export const readTree = (format: Format, text: string): Tree | undefined => EDITORS[format].read(split(text).body)

/** The entry with the maps around it, as a text to paste into the file. */
export const snippetOf = (format: Format, values: ReadonlyArray<{ path: Path, value: Value }>): string =>
  values.map(({ path, value }) => EDITORS[format].snippet(path, value)).join('\n')

/** Puts the value at the path, or refuses. The same value again gives the same text. */
export function put (format: Format, text: string, path: Path, value: Value): { text: string, trace: Trace } {
  const { mark, body } = split(text)
  const before = EDITORS[format].read(body)
  const { text: after, trace } = EDITORS[format].put(body, path, value)
  const tree = proven(EDITORS[format], after)
  const outer = path.slice(0, path.length - trace.created)
  if (!same(at(tree, path), treeOf(value)) || !same(rest(before, outer), rest(tree, outer))) throw doubt()
  // An entry that could not be removed again byte by byte is not written.
  if (at(before, path) === undefined && EDITORS[format].take(after, path, trace) !== body) throw doubt()
  return { text: mark + after, trace }
}

/** Removes the value at the path, with the maps around it that were created for it and are empty now, or refuses. */
export function take (format: Format, text: string, path: Path, trace: Trace): string {
  const { mark, body } = split(text)
  const before = EDITORS[format].read(body)
  const after = EDITORS[format].take(body, path, trace)
  const tree = proven(EDITORS[format], after)
  const outer = path.slice(0, path.length - trace.created)
  if (at(tree, path) !== undefined || !same(rest(without(before, path), outer), rest(tree, outer))) throw doubt()
  return mark + after
}

/** The tree without the path. Empty maps around it count as absent: they come and go with the entry. */
function rest (tree: Tree | undefined, path: Path): Tree | undefined {
  let left = without(tree, path)
  for (let end = path.length - 1; end >= 0; end--) {
    const around = at(left, path.slice(0, end))
    if (isEmpty(around)) left = without(left, path.slice(0, end))
  }
  return left
}

const isEmpty = (tree: Tree | undefined): boolean =>
  tree === null || (tree instanceof Map && tree.size === 0) || (Array.isArray(tree) && tree.length === 0)

function proven (editor: Editor, text: string): Tree | undefined {
  try {
    return editor.read(text)
  } catch {
    throw doubt()
  }
}

const doubt = () => new Refusal('It is written in a way that cannot be changed here with certainty.')

const split = (text: string): { mark: string, body: string } =>
  text.startsWith(MARK) ? { mark: MARK, body: text.slice(1) } : { mark: '', body: text }
