/** Two versions of a text as one: what was taken out and what was added are marked, long stretches between left out. */
import { Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import { escapeInvisible } from '../../../lib/text/invisible.js'
import { countOf } from '../lib/format.js'
import { diffTexts } from '../lib/text-diff.js'
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

export const WordDiff = ({ before, after }: { before: string, after: string }) => {
  const hunks = useMemo(() => diffTexts(before, after), [before, after])
  if (before === after) return <p class='quiet'>No difference.</p>
  return (
    <div class='word-diff'>
      {hunks.map(({ removed, added, same }, at) => {
        const [head, hidden, tail] = ends(same, removed + added === '', at === hunks.length - 1)
        return (
          <Fragment key={at}>
            {removed !== '' && <del><span class='visually-hidden'>Removed: </span>{visible(removed)}</del>}
            {added !== '' && <ins><span class='visually-hidden'>Added: </span>{visible(added)}</ins>}
            {visible(head)}
            {hidden > 0 && <span class='word-diff-gap'>{countOf(hidden, 'line')} without a change</span>}
            {visible(tail)}
          </Fragment>
        )
      })}
    </div>
  )
}
