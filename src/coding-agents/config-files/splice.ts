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
