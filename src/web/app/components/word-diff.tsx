/** Two versions of a text as one: what was taken out and what was added are marked, long stretches between left out. */
import { useMemo } from 'preact/hooks'
import { escapeInvisible } from '../../../lib/text/invisible.js'
import { countOf } from '../lib/format-number.js'
import { diffTexts, type DiffPart } from '../lib/text-diff.js'
import './word-diff.css'

/** Lines that stay around a change. */
const CONTEXT = 2

/** The lines of an unchanged stretch that are drawn, with the number of those that are not. */
const ends = (text: string, isFirst: boolean, isLast: boolean): [head: string, hidden: number, tail: string] => {
  const lines = text.split('\n')
  const [head, tail] = [isFirst ? 0 : CONTEXT + 1, isLast ? 0 : CONTEXT + 1]
  const hidden = lines.length - head - tail
  if (hidden < 3) return [text, 0, '']
  return [lines.slice(0, head).join('\n'), hidden, lines.slice(lines.length - tail).join('\n')]
}

/** Invisible characters are written out, as a change may be one of them. */
const visible = (text: string): string =>
  text.split(/([\t\n])/).map((part, at) => at % 2 === 0 ? escapeInvisible(part) : part).join('')

const Part = ({ part: { kind, text }, isFirst, isLast }: { part: DiffPart, isFirst: boolean, isLast: boolean }) => {
  if (kind === 'removed') return <del><span class='visually-hidden'>Removed: </span>{visible(text)}</del>
  if (kind === 'added') return <ins><span class='visually-hidden'>Added: </span>{visible(text)}</ins>
  const [head, hidden, tail] = ends(text, isFirst, isLast)
  return (
    <>
      {visible(head)}
      {hidden > 0 && <span class='word-diff-gap'>{countOf(hidden, 'line')} without a change</span>}
      {visible(tail)}
    </>
  )
}

/** Draws the difference. */
export const WordDiff = ({ before, after }: { before: string, after: string }) => {
  const parts = useMemo(() => diffTexts(before, after), [before, after])
  if (before === after) return <p class='word-diff-same'>No difference.</p>
  return (
    <div class='word-diff'>
      {parts.map((part, at) => <Part key={at} part={part} isFirst={at === 0} isLast={at === parts.length - 1} />)}
    </div>
  )
}
