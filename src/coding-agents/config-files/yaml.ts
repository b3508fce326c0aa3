/**
 * YAML: an entry is put in as lines of its own at the end of its map, and taken out by them; the rest of the text
 * is not written anew.
 */
import { isMap, isScalar, parseAllDocuments } from 'yaml'
import type { Document, Pair, ParsedNode, Scalar, YAMLMap } from 'yaml'
import { Refusal } from '../../lib/errors.js'
import { SyntaxProblem } from './editor.js'
import type { Editor, Path, Tree, Value } from './editor.js'
import { layoutOf } from './layout.js'
import { splice } from './splice.js'
import { at, same, treeOf } from './tree.js'

type BlockMap = YAMLMap.Parsed
type SequenceItem = Pair<ParsedNode, ParsedNode | null>

export const yaml: Editor = {
  read (text) {
    const document = parse(text)
    try {
      return document && toTree(document.toJS({ mapAsMap: true }))
    } catch (error) {
      throw new SyntaxProblem((error as Error).message, 1)
    }
  },

  put (text, path, value) {
    const steps = named(path)
    const { eol } = layoutOf(text)
    const root = rootOf(text)
    if (!root) {
      const written = lines(steps, value, '', '  ').join(eol)
      if (text.trim() === '') return { text: written + eol, trace: { created: steps.length - 1, hollow: text } }
      const from = text.trimEnd().length
      return { text: splice(text, [{ from, to: from, text: eol + written }]), trace: { created: steps.length - 1 } }
    }
    const { map, item, depth } = walk(root, steps)
    const step = stepOf(text, root)
    const write = (indent: string) => lines(steps.slice(depth), value, indent, step).join(eol)
    if (depth === steps.length - 1 && item) {
      if (same(at(this.read(text), path), treeOf(value))) return { text, trace: { created: 0 } }
      requireBlock(map)
      const written = write(indentOf(text, map)).trimStart()
      return {
        text: splice(text, [{ from: startOf(item), to: endOf(text, item), text: written }]), trace: { created: 0 }
      }
    }
    if (item) return underEmpty(text, item, steps.slice(depth + 1), value, { eol, step })
    requireBlock(map)
    const trace = { created: steps.length - 1 - depth }
    const from = endOf(text, map.items.at(-1)!)
    return { text: splice(text, [{ from, to: from, text: eol + write(indentOf(text, map)) }]), trace }
  },

  take (text, path, { created, hollow }) {
    let steps = named(path)
    const root = rootOf(text)
    if (!root) return text
    for (;;) {
      const { map, item, depth, parent } = walk(root, steps)
      if (!item || depth < steps.length - 1) return text
      requireBlock(map)
      const alone = map.items.length === 1 && !(parent && /^\s*#/m.test(text.slice(colonOf(text, parent), startOf(item))))
      if (alone && created > 0) {
        created--
        steps = steps.slice(0, -1)
        continue
      }
      const own = { from: text.slice(0, startOf(item)).trimEnd().length, to: endOf(text, item), text: '' }
      if (map.items.length > 1) {
        return splice(text, [own.from > 0
          ? own
          : {
              ...own, to: own.to + afterFirst(text, own.to)
            }])
      }
      if (!parent) {
        const left = splice(text, [own])
        return hollow !== undefined && left.trim() === '' ? hollow : left
      }
      const colon = colonOf(text, parent)
      return splice(text, [{ from: colon, to: colon, text: hollow ?? ' {}' }, own])
    }
  },

  snippet: (path, value) => lines(named(path), value, '', '  ').join('\n')
}

/** Under a key with nothing behind it, or an empty map in brackets. */
function underEmpty (
  text: string, item: SequenceItem, steps: string[], value: Value, { eol, step }: { eol: string, step: string }
): ReturnType<Editor['put']> {
  const colon = colonOf(text, item)
  const behind = item.value && isMap(item.value) && item.value.items.length === 0 ? item.value.range[1] : colon
  const line = lineEnd(text, behind)
  const indent = ' '.repeat(startOf(item) - (text.lastIndexOf('\n', startOf(item)) + 1)) + step
  const hollow = text.slice(colon, behind)
  return {
    text: splice(text, [
      { from: colon, to: behind, text: '' },
      { from: line, to: line, text: eol + lines(steps, value, indent, step).join(eol) }
    ]),
    trace: { created: steps.length - 1, hollow }
  }
}

function parse (text: string): Document.Parsed | undefined {
  const documents = parseAllDocuments(text, { prettyErrors: true, strict: true })
  if ('empty' in documents) return undefined
  for (const { errors: [error] } of documents) {
    if (error) throw new SyntaxProblem(error.code.toLowerCase().replaceAll('_', ' '), error.linePos?.[0].line ?? 1)
  }
  if (documents.length > 1) throw new Refusal('It holds more than one document.')
  return documents[0]
}

/** Nothing where there are no more than comments and markers. */
const rootOf = (text: string): ParsedNode | undefined => {
  const root = parse(text)?.contents
  return root && isScalar(root) && root.value === null ? undefined : root ?? undefined
}

/**
 * Follows the path as far as it goes: the last map on it, the item of the step there, and the item that holds the
 * map.
 */
function walk (
  root: ParsedNode, steps: string[]
): { map: BlockMap, item: SequenceItem | undefined, depth: number, parent: SequenceItem | undefined } {
  let node: ParsedNode | null = root
  let parent: SequenceItem | undefined
  for (const [depth, step] of steps.entries()) {
    if (!isMap(node)) throw new Refusal(`${steps.slice(0, depth).join('.') || 'The file'} is not a map.`)
    const map: BlockMap = node
    const item = map.items.find(({ key }) => isScalar(key) && String((key as Scalar).value) === step) as SequenceItem | undefined
    const inner = item?.value ?? null
    const isEmpty = inner === null || (isScalar(inner) && inner.value === null) || (isMap(inner) && inner.items.length === 0)
    if (!item || isEmpty || depth === steps.length - 1) return { map, item, depth, parent }
    parent = item
    node = inner
  }
  throw new RangeError('an empty path')
}

const requireBlock = (map: BlockMap): void => {
  if (map.flow || map.items.length === 0) throw new Refusal('It is written in brackets, which are not edited here.')
}

const startOf = (item: SequenceItem): number => item.key.range[0]

/** Where the last line of the item ends, with the comment on it. */
const endOf = (text: string, item: SequenceItem): number => {
  const node = item.value ?? item.key
  const end = Math.max(node.range[1], item.key.range[1])
  return lineEnd(text, text.slice(0, end).trimEnd().length)
}

const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset)
  return text.slice(0, end < 0 ? text.length : end).trimEnd().length
}

const colonOf = (text: string, item: SequenceItem): number => text.indexOf(':', item.key.range[1]) + 1

const afterFirst = (text: string, end: number): number => /^\s*/.exec(text.slice(end))![0].length

const indentOf = (text: string, map: BlockMap): string => {
  const start = startOf(map.items[0] as SequenceItem)
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).replace(/[^ ]/g, ' ')
}

/** As far as the first map inside the root is indented. */
const stepOf = (text: string, root: ParsedNode): string => {
  const inner = isMap(root) ? root.items.find(({ value }) => isMap(value) && !value.flow && value.items.length > 0)?.value : undefined
  const width = isMap(inner) ? indentOf(text, inner as BlockMap).length : 2
  return ' '.repeat(width > 0 ? width : 2)
}

const named = (path: Path): string[] => path.map((step) => {
  if (typeof step !== 'string') throw new Refusal('Lists are not edited in YAML.')
  return step
})

const nested = (steps: string[], value: Value): Value =>
  steps.reduceRight<Value>((inner, step) => ({ [step]: inner }), value)

function lines ([name, ...rest]: string[], value: Value, indent: string, step: string): string[] {
  const inner = rest.length > 0 ? nested(rest, value) : value
  return [`${indent}${plain(name!)}:`, ...Object.entries(inner).flatMap(([key, value]) => pair(key, value as Value, indent + step, step))]
}

const pair = (key: string, value: Value, indent: string, step: string): string[] =>
  typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
    ? lines([key], value, indent, step)
    : [`${indent}${plain(key)}: ${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`]

/** Quoted wherever another reader could take it for something else than this text. */
const plain = (text: string): string =>
  /^[A-Za-z_][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text)

const toTree = (value: unknown): Tree => {
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [String(key), toTree(inner)]))
  if (Array.isArray(value)) return value.map(toTree)
  return (value ?? null) as string | number | boolean | null
}
