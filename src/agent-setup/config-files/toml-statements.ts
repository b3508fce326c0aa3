/** Finds where the headers and pairs of a valid TOML text begin and end. */
import { parse } from 'smol-toml'

export interface TomlStatement {
  /** Of a header its table; of a pair its table and its key. */
  path: string[]
  isHeader: boolean
  from: number
  to: number
}

/** The headers and pairs in their order; `from` and `to` are offsets into the text. */
export function statementsOf (text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: string[] = []
  let position = 0
  for (;;) {
    position = over(BETWEEN, text, position)
    if (position >= text.length) return statements
    const from = position
    if (text[position] === '[') {
      position = closing(text, position)
      table = keyPath(text.slice(from, position).replace(/^\[\[?|\]\]?$/g, ''))
      statements.push({ path: table, isHeader: true, from, to: position })
    } else {
      const equals = until(text, position, '=')
      position = until(text, equals + 1, '\n#')
      const to = text.slice(0, position).trimEnd().length
      statements.push({ path: [...table, ...keyPath(text.slice(from, equals))], isHeader: false, from, to })
    }
  }
}

const OPENING = '[{'
const CLOSING = ']}'
const BETWEEN = /(?:\s|#.*)*/y
const STRING = /"""[^]*?(?<!\\)(?:\\\\)*"""+|'''[^]*?'''+|"(?:[^"\\]|\\.)*"|'[^']*'/y

/** The offset after a bracket and everything inside it. */
function closing (text: string, from: number): number {
  let depth = 0
  for (let position = from; position < text.length; position++) {
    position = over(STRING, text, position)
    const character = text[position] ?? '\n'
    if (character === '#') position = endOfLine(text, position)
    else if (OPENING.includes(character)) depth++
    else if (CLOSING.includes(character) && --depth === 0) return position + 1
  }
  return text.length
}

/** The offset of the first of these characters outside of strings and brackets. */
function until (text: string, from: number, characters: string): number {
  for (let position = from; position < text.length; position++) {
    if (OPENING.includes(text.charAt(position))) position = closing(text, position)
    else position = over(STRING, text, position)
    if (position >= text.length || characters.includes(text.charAt(position))) return Math.min(position, text.length)
  }
  return text.length
}

const over = (pattern: RegExp, text: string, position: number): number => {
  pattern.lastIndex = position
  return position + (pattern.exec(text)?.[0].length ?? 0)
}

const endOfLine = (text: string, position: number): number => {
  const end = text.indexOf('\n', position)
  return end < 0 ? text.length : end
}

/** The steps of a dotted key, quoted or not. */
const keyPath = (key: string): string[] => {
  if (/^[\w-]+$/.test(key)) return [key]
  const steps: string[] = []
  let value: unknown = parse(`${key} = 0`)
  while (typeof value === 'object' && value !== null) {
    const [step] = Object.entries(value)
    if (!step) break
    steps.push(step[0])
    value = step[1]
  }
  return steps
}
