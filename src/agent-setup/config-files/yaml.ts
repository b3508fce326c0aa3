/**
 * Edits YAML: an entry is inserted as lines at the end of its map, and removed by its lines. The rest of the text is
 * not formatted again.
 */
import { isMap, isScalar, parseAllDocuments, type Document, type Pair, type ParsedNode, type YAMLMap } from 'yaml'
import { Refusal } from '../../lib/errors.js'
import { keysOf, layoutOf, lineEnd, splice, unparsable, type Editor } from './editor.js'
import { at, entriesOf, same, treeOf, type Value } from './tree.js'

type BlockMap = YAMLMap.Parsed
type SequenceItem = Pair<ParsedNode, ParsedNode | null>

export const yaml: Editor = {
  read (text) {
    const document = parse(text)
    try {
      return document && treeOf(document.toJS({ mapAsMap: true }))
    } catch (error) {
      throw unparsable(error instanceof Error ? error.message : String(error), 1)
    }
  },

  put (text, path, value) {
    const steps = keysOf(path, 'YAML')
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
    const last = requireBlock(map)
    const trace = { created: steps.length - 1 - depth }
    const from = endOf(text, last)
    return { text: splice(text, [{ from, to: from, text: eol + write(indentOf(text, map)) }]), trace }
  },

  take (text, path, { created, hollow }) {
    let steps = keysOf(path, 'YAML')
    const root = rootOf(text)
    if (!root) return text
    for (;;) {
      const { map, item, depth, parent } = walk(root, steps)
      if (!item || depth < steps.length - 1) return text
      requireBlock(map)
      const hasComment = parent && /^\s*#/m.test(text.slice(colonOf(text, parent), startOf(item)))
      const alone = map.items.length === 1 && !hasComment
      if (alone && created > 0) {
        created--
        steps = steps.slice(0, -1)
        continue
      }
      const own = { from: text.slice(0, startOf(item)).trimEnd().length, to: endOf(text, item), text: '' }
      if (map.items.length > 1) {
        return splice(text, [own.from > 0 ? own : { ...own, to: own.to + text.slice(own.to).search(/\S|$/) }])
      }
      if (!parent) {
        const left = splice(text, [own])
        return hollow !== undefined && left.trim() === '' ? hollow : left
      }
      const colon = colonOf(text, parent)
      return splice(text, [{ from: colon, to: colon, text: hollow ?? ' {}' }, own])
    }
  },

  snippet: (path, value) => lines(keysOf(path, 'YAML'), value, '', '  ').join('\n')
}

/** Inserts below a key without a value, or with an empty map in brackets. */
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
    if (error) throw unparsable(error.code.toLowerCase().replaceAll('_', ' '), error.linePos?.[0].line ?? 1)
  }
  if (documents.length > 1) throw new Refusal('It holds more than one document.')
  return documents[0]
}

/** Undefined for a file of comments and markers only. */
const rootOf = (text: string): ParsedNode | undefined => {
  const root = parse(text)?.contents
  return root && isScalar(root) && root.value === null ? undefined : root ?? undefined
}

/** Follows the path as far as it exists: the last map, the item of the step in it, and the item with that map. */
function walk (
  root: ParsedNode, steps: string[]
): { map: BlockMap, item: SequenceItem | undefined, depth: number, parent: SequenceItem | undefined } {
  let node: ParsedNode | null = root
  let parent: SequenceItem | undefined
  for (const [depth, step] of steps.entries()) {
    if (!isMap(node)) throw new Refusal(`${steps.slice(0, depth).join('.') || 'The file'} is not a map.`)
    const map: BlockMap = node
    const item: SequenceItem | undefined = map.items.find(({ key }) => isScalar(key) && String(key.value) === step)
    const inner = item?.value ?? null
    const isEmpty = inner === null || (isScalar(inner) && inner.value === null) ||
      (isMap(inner) && inner.items.length === 0)
    if (!item || isEmpty || depth === steps.length - 1) return { map, item, depth, parent }
    parent = item
    node = inner
  }
  throw new RangeError('an empty path')
}

/** The last item of a map that is written as lines. */
const requireBlock = (map: BlockMap): SequenceItem => {
  const last = map.items.at(-1)
  if (map.flow || !last) throw new Refusal('It is written in brackets, which are not edited here.')
  return last
}

const startOf = (item: SequenceItem): number => item.key.range[0]

/** The end of the item's last line, with the comment on it. */
const endOf = (text: string, item: SequenceItem): number => {
  const node = item.value ?? item.key
  const end = Math.max(node.range[1], item.key.range[1])
  return lineEnd(text, text.slice(0, end).trimEnd().length)
}

const colonOf = (text: string, item: SequenceItem): number => text.indexOf(':', item.key.range[1]) + 1

const indentOf = (text: string, map: BlockMap): string => {
  const [first] = map.items
  const start = first ? startOf(first) : 0
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).replace(/[^ ]/g, ' ')
}

/** The indentation of the first map inside the root. */
const stepOf = (text: string, root: ParsedNode): string => {
  const maps = isMap(root) ? root.items.map(({ value }) => value).filter((value) => isMap(value)) : []
  const inner = maps.find(({ flow, items }) => !flow && items.length > 0)
  const width = inner ? indentOf(text, inner).length : 2
  return ' '.repeat(width > 0 ? width : 2)
}

function lines ([name = '', ...rest]: string[], value: Value, indent: string, step: string): string[] {
  const inner = rest.reduceRight<Value>((inner, step) => ({ [step]: inner }), value)
  return [
    `${indent}${plain(name)}:`,
    ...entriesOf(inner).flatMap(([key, value]) => pair(key, value, indent + step, step))
  ]
}

const pair = (key: string, value: Value, indent: string, step: string): string[] =>
  typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
    ? lines([key], value, indent, step)
    : [`${indent}${plain(key)}: ${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`]

/** Quotes a text that YAML could read as another type. */
const plain = (text: string): string =>
  /^[A-Za-z_][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text)
