/**
 * TOML: an entry is a table of its own, put in as a block of lines after its siblings and taken out with the blank
 * lines before it.
 */
import { parse, TomlError } from 'smol-toml'
import { Refusal } from '../../lib/errors.js'
import { SyntaxProblem } from './editor.js'
import type { Editor, Path, Tree, Value } from './editor.js'
import { layoutOf } from './layout.js'
import { splice } from './splice.js'
import type { TextEdit } from './splice.js'
import { statementsOf } from './toml-statements.js'
import type { Statement } from './toml-statements.js'
import { at, same, treeOf } from './tree.js'

export const toml: Editor = {
  read (text) {
    try {
      return toTree(parse(text, { integersAsBigInt: 'asNeeded' }))
    } catch (error) {
      if (error instanceof TomlError) throw new SyntaxProblem(error.message.split('\n', 1)[0]!.replace('Invalid TOML document: ', ''), error.line)
      if (error instanceof RangeError) throw new SyntaxProblem('it is nested too deeply', 1)
      throw error
    }
  },

  put (text, path, value) {
    const steps = named(path)
    const tree = this.read(text)
    const around = at(tree, steps.slice(0, -1))
    if (around !== undefined && !(around instanceof Map)) throw new Refusal(`${steps.slice(0, -1).join('.')} is not a table.`)
    const { eol } = layoutOf(text)
    const block = write(steps, value).join(eol)
    const old = at(tree, path)
    if (old !== undefined) {
      return { text: same(old, treeOf(value)) ? text : replace(text, steps, block, value), trace: { created: 0 } }
    }
    if (text.trim() === '') return { text: block + eol, trace: { created: 0, hollow: text } }
    const siblings = statementsOf(text).filter(({ path }) => isBelow(path, steps.slice(0, -1)))
    const from = siblings.length > 0 ? overAttached(text, lineEnd(text, siblings.at(-1)!.to)) : text.trimEnd().length
    return { text: splice(text, [{ from, to: from, text: eol + eol + block }]), trace: { created: 0 } }
  },

  take (text, path, { hollow }) {
    const steps = named(path)
    const left = splice(text, blocksOf(text, steps).map((block) => ({ ...withBlankLines(text, block), text: '' })))
    return hollow !== undefined && left.trim() === '' ? hollow : left
  },

  snippet: (path, value) => write(named(path), value).join('\n')
}

/** The lines from a header of the entry, or of a table inside it, to the last pair of that table. */
function blocksOf (text: string, steps: string[]): Array<{ header: Statement, to: number }> {
  const blocks: Array<{ header: Statement, to: number }> = []
  let open = false
  for (const statement of statementsOf(text)) {
    const ours = isBelow(statement.path, steps)
    if (statement.isHeader) {
      open = ours
      if (ours) blocks.push({ header: statement, to: lineEnd(text, statement.to) })
    } else if (ours && !open) {
      throw new Refusal(`${steps.join('.')} is not written as a table of its own.`)
    } else if (ours) {
      blocks.at(-1)!.to = lineEnd(text, statement.to)
    }
  }
  return blocks
}

/** The entry's own block anew; tables inside it go where the new block says the same. */
function replace (text: string, steps: string[], block: string, value: Value): string {
  const blocks = blocksOf(text, steps)
  const own = blocks.find(({ header }) => header.path.length === steps.length)
  if (!own) throw new Refusal(`${steps.join('.')} is not written as a table of its own.`)
  const keys = Object.keys(value)
  const inner = blocks.filter((inner) => inner !== own && keys.includes(inner.header.path[steps.length]!))
  return splice(text, [
    { from: own.header.from, to: own.to, text: block },
    ...inner.map((inner) => ({ ...withBlankLines(text, inner), text: '' }))
  ])
}

/** Without anything before it, the lines after it go instead. */
function withBlankLines (text: string, { header, to }: { header: Statement, to: number }): Omit<TextEdit, 'text'> {
  const from = text.slice(0, header.from).trimEnd().length
  return from > 0 ? { from, to } : { from, to: to + (/^\s*(?:\n|$)/.exec(text.slice(to))?.[0].length ?? 0) }
}

const isBelow = (path: string[], steps: string[]): boolean => steps.every((step, depth) => path[depth] === step)

const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset)
  return text.slice(0, end < 0 ? text.length : end).trimEnd().length
}

/** Over comments right below, unless the next header is right below them. */
const overAttached = (text: string, offset: number): number => {
  ATTACHED.lastIndex = offset
  return offset + (ATTACHED.exec(text)?.[0].trimEnd().length ?? 0)
}

const ATTACHED = /(?:\r?\n[ \t]*#.*)+(?=\s*$|\r?\n[ \t]*\r?\n)/y

const named = (path: Path): string[] => path.map((step) => {
  if (typeof step !== 'string') throw new Refusal('Lists are not edited in TOML.')
  return step
})

const write = (steps: string[], value: Value): string[] => [
  `[${steps.map(key).join('.')}]`,
  ...Object.entries(value).map(([name, inner]) => `${key(name)} = ${inline(inner as Value)}`)
]

const key = (name: string): string => /^[\w-]+$/.test(name) ? name : JSON.stringify(name)

const inline = (value: Value): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{ ${Object.entries(value).map(([name, inner]) => `${key(name)} = ${inline(inner as Value)}`).join(', ')} }`
}

const toTree = (value: unknown): Tree => {
  if (Array.isArray(value)) return value.map(toTree)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value).map(([name, inner]) => [name, toTree(inner)]))
  return value as string | number | boolean | bigint
}
