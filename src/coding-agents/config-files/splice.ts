/** Changes to a text, by place: everything between them stays as it is. */

export interface TextEdit { from: number, to: number, text: string }

export const splice = (text: string, changes: TextEdit[]): string => {
  let done = ''
  let position = 0
  for (const change of [...changes].sort((one, other) => one.from - other.from || one.to - other.to)) {
    done += text.slice(position, change.from) + change.text
    position = change.to
  }
  return done + text.slice(position)
}
