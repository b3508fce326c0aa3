/** What the editors of the formats share: an editor changes one entry and keeps every other byte. */
import { Refusal } from '../../lib/errors.js'
import type { Path, Tree, Value } from './tree.js'

/** What an editor created on the way to an entry, to be removed together with it. */
export interface Trace {
  /** How many of the maps around the entry were created. */
  created: number
  /** The text of the innermost existing map when it was empty; of the whole file when it had no value. */
  hollow?: string
}

/** Texts have no byte order mark. Each method throws a `Refusal` for a text that it cannot read or change. */
export interface Editor {
  read (text: string): Tree | undefined
  put (text: string, path: Path, value: Value): { text: string, trace: Trace }
  take (text: string, path: Path, trace: Trace): string
  snippet (path: Path, value: Value): string
}

export const unparsable = (reason: string, line: number): Refusal =>
  new Refusal(`It cannot be read as it stands (line ${line}: ${reason}): correct that first.`)

export const keysOf = (path: Path, format: string): string[] => path.map((step) => {
  if (typeof step !== 'string') throw new Refusal(`Lists are not edited in ${format}.`)
  return step
})

/** The first line end, and the first indentation, of the text; `\n` and two spaces for a text without any. */
export const layoutOf = (text: string): { eol: string, step: string } => {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const step = /(?:^|\n)([ \t]+)[^\s#/*]/.exec(text)?.[1] ?? '  '
  return { eol, step: step.startsWith('\t') ? '\t' : step.slice(0, 8) }
}

export interface TextEdit { from: number, to: number, text: string }

/** The text with the edits applied. They may be in any order and must not overlap. */
export const splice = (text: string, changes: TextEdit[]): string => {
  let done = ''
  let position = 0
  for (const change of [...changes].sort((one, other) => one.from - other.from || one.to - other.to)) {
    done += text.slice(position, change.from) + change.text
    position = change.to
  }
  return done + text.slice(position)
}

/** The offset where the line of `offset` ends, before white space at its end. */
export const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset)
  return text.slice(0, end < 0 ? text.length : end).trimEnd().length
}
