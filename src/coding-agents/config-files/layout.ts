/** How a file is laid out: its line ends and its step of indentation. */

export interface Layout { eol: string, step: string }

export const layoutOf = (text: string): Layout => {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const step = /(?:^|\n)([ \t]+)[^\s#/*]/.exec(text)?.[1] ?? '  '
  return { eol, step: step.startsWith('\t') ? '\t' : step.slice(0, 8) }
}

/** The white space that the line of this offset begins with. */
export const indentAt = (text: string, offset: number): string => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
