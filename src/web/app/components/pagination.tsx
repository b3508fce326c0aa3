/** The end of a list that comes by pages: how many there are so far, and a button for more. */
import type { PagedList } from '../api/pages.js'
import { countOf, formatNumber } from '../lib/format-number.js'
import { Button } from './button.js'
import './pagination.css'

interface PaginationProps {
  list: Pick<PagedList<unknown, unknown>, 'rows' | 'onMore' | 'morePending' | 'moreError'>
  /** What they are: `exploration`. */
  noun: string
  plural?: string
  /** How many there are in all, where that is known. */
  total?: number | undefined
}

/** Draws the count and, if there is more, the button; nothing for a list without rows. */
export const Pagination = (
  { list: { rows = [], onMore, morePending, moreError }, noun, plural = `${noun}s`, total }: PaginationProps
) => rows.length > 0 && (
  <div class='pagination'>
    <span role='status'>
      {moreError ?? (onMore && total !== undefined && total > rows.length
        ? `${formatNumber(rows.length)} of ${countOf(total, noun, plural)}`
        : `${countOf(rows.length, noun, plural)}${onMore ? ' so far' : ''}`)}
    </span>
    {onMore && <Button size='s' pending={morePending} onClick={onMore}>Show more</Button>}
  </div>
)
