/**
 * Edits TOML: an entry is a table of its own, inserted as a block of lines after its siblings and removed with the
 * blank lines before it.
 */
import { parse, TomlError } from 'smol-toml'
import { Refusal } from '../../lib/errors.js'
import { keysOf, layoutOf, lineEnd, splice, unparsable, type Editor, type TextEdit } from './editor.js'
import { at, entriesOf, same, treeOf, type Value } from './tree.js'

export const toml: Editor = {
  read (text) {
    try {
      return treeOf(parse(text, OPTIONS))
    } catch (error) {
      if (error instanceof TomlError) {
        const [reason = ''] = error.message.split('\n', 1)
        throw unparsable(reason.replace('Invalid TOML document: ', ''), error.line)
      }
      if (error instanceof RangeError) throw unparsable('it is nested too deeply', 1)
      throw error
    }
  },

  put (text, path, value) {
    const steps = keysOf(path, 'TOML')
    const tree = this.read(text)
    const around = at(tree, steps.slice(0, -1))
    if (around !== undefined && !(around instanceof Map)) {
      throw new Refusal(`${steps.slice(0, -1).join('.')} is not a table.`)
    }
    const { eol } = layoutOf(text)
    const block = write(steps, value).join(eol)
    const old = at(tree, path)
    if (old !== undefined) {
      return { text: same(old, treeOf(value)) ? text : replace(text, steps, block, value), trace: { created: 0 } }
    }
    if (text.trim() === '') return { text: block + eol, trace: { created: 0, hollow: text } }
    const sibling = statementsOf(text).findLast(({ path }) => isBelow(path, steps.slice(0, -1)))
    const from = sibling ? overAttached(text, lineEnd(text, sibling.to)) : text.trimEnd().length
    return { text: splice(text, [{ from, to: from, text: eol + eol + block }]), trace: { created: 0 } }
  },

  take (text, path, { hollow }) {
    const steps = keysOf(path, 'TOML')
    const left = splice(text, blocksOf(text, steps).map((block) => ({ ...withBlankLines(text, block), text: '' })))
    return hollow !== undefined && left.trim() === '' ? hollow : left
  },

  snippet: (path, value) => write(keysOf(path, 'TOML'), value).join('\n')
}

/** To parse one value, each time with more lines. */
const MAX_ATTEMPTS = 1000
const OPTIONS = { integersAsBigInt: 'asNeeded' } as const

interface Statement {
  /** Of a header its table; of a pair its table and its keys, those of the tables in its value too. */
  path: string[]
  isHeader: boolean
  from: number
  to: number
}

/** The headers and pairs of a valid text in their order: each is the fewest lines that are valid by themselves. */
function statementsOf (text: string): Statement[] {
  const statements: Statement[] = []
  let table: string[] = []
  let from = 0
  let unfinished = 0
  for (const { index, 0: line } of text.matchAll(/[^\n]*\n?/g)) {
    // A value of several lines ends in one of these.
    if (unfinished > 0 && !/"""|'''|[\]}]/.test(line)) continue
    const lines = text.slice(from, index + line.length)
    const keys = keysIn(lines)
    if (!keys) {
      if (++unfinished > MAX_ATTEMPTS) throw new Refusal('It has a value of too many lines.')
      continue
    }
    unfinished = 0
    const isHeader = lines.trimStart().startsWith('[')
    const path = isHeader ? keys : [...table, ...keys]
    if (isHeader) table = path
    if (keys.length > 0) statements.push({ path, isHeader, from, to: from + lines.trimEnd().length })
    from = index + line.length
  }
  return statements
}

/** The first key in each table of valid lines; undefined when they are not whole. */
const keysIn = (lines: string): string[] | undefined => {
  try {
    const keys: string[] = []
    for (let value: unknown = parse(lines, OPTIONS); typeof value === 'object' && value !== null;) {
      const [first] = Object.entries(value)
      if (!first) break
      if (!Array.isArray(value)) keys.push(first[0])
      value = first[1]
    }
    return keys
  } catch {
    return undefined
  }
}

interface TableBlock { header: Statement, to: number }

/** The lines from a header of the entry, or of a table inside it, to the last pair of that table. */
function blocksOf (text: string, steps: string[]): TableBlock[] {
  const blocks: TableBlock[] = []
  let open: TableBlock | undefined
  for (const statement of statementsOf(text)) {
    const isOwn = isBelow(statement.path, steps)
    if (statement.isHeader) {
      open = isOwn ? { header: statement, to: lineEnd(text, statement.to) } : undefined
      if (open) blocks.push(open)
    } else if (isOwn && !open) {
      throw new Refusal(`${steps.join('.')} is not written as a table of its own.`)
    } else if (isOwn && open) {
      open.to = lineEnd(text, statement.to)
    }
  }
  return blocks
}

/** Replaces the entry's own block. Tables inside it are removed when the new block has the same key. */
function replace (text: string, steps: string[], block: string, value: Value): string {
  const blocks = blocksOf(text, steps)
  const own = blocks.find(({ header }) => header.path.length === steps.length)
  if (!own) throw new Refusal(`${steps.join('.')} is not written as a table of its own.`)
  const keys = Object.keys(value)
  const inner = blocks.filter((block) => {
    const name = block.header.path[steps.length]
    return block !== own && name !== undefined && keys.includes(name)
  })
  return splice(text, [
    { from: own.header.from, to: own.to, text: block },
    ...inner.map((inner) => ({ ...withBlankLines(text, inner), text: '' }))
  ])
}

/** The block with the blank lines before it; at the start of the file, with those after it. */
function withBlankLines (text: string, { header, to }: TableBlock): Omit<TextEdit, 'text'> {
  const from = text.slice(0, header.from).trimEnd().length
  return from > 0 ? { from, to } : { from, to: to + (/^\s*(?:\n|$)/.exec(text.slice(to))?.[0].length ?? 0) }
}

const isBelow = (path: string[], steps: string[]): boolean => steps.every((step, depth) => path[depth] === step)

/** The offset after comments right below, unless the next header follows them directly. */
const overAttached = (text: string, offset: number): number => {
  ATTACHED.lastIndex = offset
  return offset + (ATTACHED.exec(text)?.[0].trimEnd().length ?? 0)
}

const ATTACHED = /(?:\r?\n[ \t]*#.*)+(?=\s*$|\r?\n[ \t]*\r?\n)/y

const write = (steps: string[], value: Value): string[] => [
  `[${steps.map(key).join('.')}]`,
  ...entriesOf(value).map(([name, inner]) => `${key(name)} = ${inline(inner)}`)
]

const key = (name: string): string => /^[\w-]+$/.test(name) ? name : JSON.stringify(name)

const inline = (value: Value): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{ ${entriesOf(value).map(([name, inner]) => `${key(name)} = ${inline(inner)}`).join(', ')} }`
}
