/** A text in which passages are marked: what a search found. */
import type { ComponentChildren } from 'preact'

export interface MarkedTextProps {
  text: string
  /** Places in UTF-16 code units; those that overlap or lie outside are left out. */
  matches: ReadonlyArray<{ start: number, end: number }> | undefined
}

/** Draws the text with its matches, which are ranges in UTF-16 code units, marked. */
export const MarkedText = ({ text, matches = [] }: MarkedTextProps) => {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { start, end } of [...matches].sort((one, other) => one.start - other.start)) {
    if (start < at || end <= start || end > text.length) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return <>{parts}{text.slice(at)}</>
}
