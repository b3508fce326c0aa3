/** Detects the line ends and the indentation of a file. */

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
