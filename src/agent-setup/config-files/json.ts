/**
 * Edits JSON with comments and trailing commas, as agents write it. New entries go after the existing ones; only an
 * entry's own tokens are removed.
 */
import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { Refusal } from '../../lib/errors.js'
import { layoutOf, splice, unparsable, type Editor, type TextEdit, type Trace } from './editor.js'
import { same, treeOf, type Path, type Tree, type Value } from './tree.js'

type PathStep = Path[number]

export const json: Editor = {
  read (text) {
    const root = parse(text)
    return root && toTree(root)
  },

  put (text, path, value) {
    const root = parse(text)
    const { eol, step } = layoutOf(text)
    if (!root) {
      return {
        text: write(nest(path, value), eol, step) + eol, trace: { created: path.length - 1, hollow: text }
      }
    }
    const { container, item, depth, step: name } = walk(root, path)
    if (item) {
      const old = contentOf(item)
      if (same(toTree(old), treeOf(value))) return { text, trace: { created: 0 } }
      const written = isOneLine(text, old) ? JSON.stringify(value) : write(value, eol, step, indentAt(text, old.offset))
      return { text: splice(text, [{ from: old.offset, to: endOf(old), text: written }]), trace: { created: 0 } }
    }
    const rest = path.slice(depth + 1)
    const trace: Trace = { created: rest.length }
    const inner = nest(rest, value)
    const last = container.children?.at(-1)
    if (!last && blankInside(text, container)) {
      const indent = indentAt(text, container.offset)
      const [open, close] = [text.charAt(container.offset), text.charAt(endOf(container) - 1)]
      const written = open + eol + indent + step + write(inner, eol, step, indent + step, name) + eol + indent + close
      trace.hollow = text.slice(container.offset, endOf(container))
      return { text: splice(text, [{ from: container.offset, to: endOf(container), text: written }]), trace }
    }
    return { text: splice(text, insertion(text, container, inner, name)), trace }
  },

  take (text, path, { created, hollow }) {
    const root = parse(text)
    if (!root) return text
    let target = path
    for (;;) {
      const { container, item } = walk(root, target)
      if (!item) return text
      const alone = container.children?.length === 1 && onlyTokenIn(text, container, item)
      if (alone && created > 0) {
        created--
        target = target.slice(0, -1)
        if (target.length > 0) continue
      }
      if (alone && hollow !== undefined) {
        if (hollow.trim() !== '') return splice(text, [{ from: container.offset, to: endOf(container), text: hollow }])
        // A file without a value, unless there are comments around the entry now.
        if ((text.slice(0, container.offset) + text.slice(endOf(container))).trim() === '') return hollow
      }
      return splice(text, removal(text, container, item))
    }
  },

  snippet: (path, value) => write(nest(path, value), '\n', '  ')
}

function parse (text: string): Node | undefined {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  } catch (error) {
    if (error instanceof RangeError) throw unparsable('it is nested too deeply', 1)
    throw error
  }
  const [error] = errors
  if (error) {
    const reason = printParseErrorCode(error.error).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
    throw unparsable(reason, text.slice(0, error.offset).split('\n').length)
  }
  if (!root && text.trim() !== '') throw unparsable('there are comments but no value', 1)
  return root
}

function walk (root: Node, path: Path): { container: Node, item: Node | undefined, depth: number, step: PathStep } {
  let container = root
  for (const [depth, step] of path.entries()) {
    const expected = typeof step === 'string' ? 'object' : 'array'
    if (container.type !== expected) {
      const where = pathText(path.slice(0, depth))
      throw new Refusal(`${where} is ${nameOf(container.type)} where ${nameOf(expected)} is expected.`)
    }
    const found = (container.children ?? []).filter((child) => isAt(child, step))
    if (found.length > 1) throw new Refusal(`${pathText(path.slice(0, depth + 1))} stands there ${found.length} times.`)
    const [item] = found
    if (!item || depth === path.length - 1) return { container, item, depth, step }
    container = contentOf(item)
  }
  throw new RangeError('an empty path')
}

const isAt = (child: Node, step: PathStep): boolean => typeof step === 'string'
  ? child.children?.[0]?.value === step
  : child.type === 'object' && (child.children ?? []).some(({ children: [key, value] = [] }) =>
    key?.value === 'id' && value?.value === step.id)

const contentOf = (item: Node): Node => (item.type === 'property' && item.children?.[1]) || item
const endOf = ({ offset, length }: Node): number => offset + length
const isOneLine = (text: string, node: Node): boolean => !text.slice(node.offset, endOf(node)).includes('\n')
const blankInside = (text: string, node: Node): boolean => text.slice(node.offset + 1, endOf(node) - 1).trim() === ''

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? ''

/** Inserts after the last token, a comment included; with a trailing comma when the list has one. */
function insertion (text: string, container: Node, inner: Value, name: PathStep): TextEdit[] {
  const { eol, step } = layoutOf(text)
  const last = container.children?.at(-1)
  const start = last ? endOf(last) : container.offset + 1
  const tokens = tokensBetween(text, start, endOf(container) - 1)
  const comma = tokens.some(({ isComma }) => isComma)
  const from = tokens.at(-1)?.end ?? start
  const first = container.children?.[0] ?? container
  const space = text.slice(container.offset + 1, first.offset)
  const indent = indentOf(text, container, last, step)
  const written = last && isOneLine(text, container)
    ? (/^ *$/.test(space) ? space : ' ') + write(inner, eol, undefined, '', name)
    : eol + indent + write(inner, eol, step, indent, name)
  const changes = [{ from, to: from, text: written + (comma ? ',' : '') }]
  return comma || !last ? changes : [{ from: endOf(last), to: endOf(last), text: ',' }, ...changes]
}

/** The indentation of the last child, when it begins its line. */
const indentOf = (text: string, container: Node, last: Node | undefined, step: string): string => {
  const own = last && /\n[ \t]*$/.test(text.slice(container.offset, last.offset))
  return own ? indentAt(text, last.offset) : indentAt(text, container.offset) + step
}

function removal (text: string, container: Node, item: Node): TextEdit[] {
  const before = tokensBetween(text, container.offset, item.offset)
  const after = tokensBetween(text, endOf(item), endOf(container) - 1)
  const from = before.at(-1)?.end ?? item.offset
  // A comma before a comment belongs to the preceding element, unless this was the only one after it.
  const hasOthers = (container.children?.length ?? 0) > 1
  const comma = after.find(({ isComma }) => isComma) ?? before.findLast(({ isComma }) => isComma && hasOthers)
  const own = { from, to: endOf(item), text: '' }
  return comma ? [own, { from: comma.start, to: comma.end, text: '' }] : [own]
}

interface JsonToken { isComma: boolean, start: number, end: number }

/** Comments are tokens, white space is not. */
function tokensBetween (text: string, from: number, to: number): JsonToken[] {
  const scanner = createScanner(text.slice(from, to), false)
  const tokens: JsonToken[] = []
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = from + scanner.getTokenOffset()
    if (text.slice(start, start + scanner.getTokenLength()).trim() === '') continue
    tokens.push({ isComma: text[start] === ',', start, end: start + scanner.getTokenLength() })
  }
  return tokens
}

const onlyTokenIn = (text: string, container: Node, item: Node): boolean =>
  tokensBetween(text, container.offset, item.offset).length === 1 &&
  tokensBetween(text, endOf(item), endOf(container) - 1).every(({ isComma }) => isComma)

const nest = (path: Path, value: Value): Value =>
  path.reduceRight<Value>((inner, step) => typeof step === 'string' ? { [step]: inner } : [inner], value)

/** Without a `step` on one line; with the `name` of a property before it. */
function write (value: Value, eol: string, step?: string, indent = '', name?: PathStep): string {
  const text = JSON.stringify(value, null, step).split('\n').join(eol + indent)
  return typeof name === 'string' ? `${JSON.stringify(name)}: ${text}` : text
}

function toTree (node: Node): Tree {
  if (node.type === 'array') return (node.children ?? []).map(toTree)
  if (node.type !== 'object') return treeOf(node.value)
  return new Map((node.children ?? []).flatMap(({ children: [key, value] = [] }): Array<[string, Tree]> =>
    key && value ? [[String(key.value), toTree(value)]] : []))
}

const pathText = (path: Path): string =>
  path.length === 0 ? 'The file' : path.map((step) => typeof step === 'string' ? step : step.id).join('.')
const nameOf = (type: string): string => type === 'object' ? 'an object' : type === 'array' ? 'a list' : `a ${type}`
