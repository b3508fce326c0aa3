/** Edits of a text by offsets, in the layout of its file. Everything between them stays as it is. */

export interface Layout { eol: string, step: string }

/** The first line end, and the first indentation, of the text; `\n` and two spaces for a text without any. */
export const layoutOf = (text: string): Layout => {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const step = /(?:^|\n)([ \t]+)[^\s#/*]/.exec(text)?.[1] ?? '  '
  return { eol, step: step.startsWith('\t') ? '\t' : step.slice(0, 8) }
}

/** The white space at the start of the offset's line. */
export const indentAt = (text: string, offset: number): string => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** The line number of an offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

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
