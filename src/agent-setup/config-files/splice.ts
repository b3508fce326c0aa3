/** Applies edits to a text by their offsets. Everything between them stays as it is. */

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
