/** The end of a list that comes by pages: how many there are so far, and a button for more. */
import { Button } from './button.js'
import './pagination.css'

export interface PaginationProps {
  /** How many are shown. */
  shown: number
  /** What they are: `explorations`. */
  noun: string
  /** How many there are, where that is known. */
  total?: number
  /** Absent at the end of the list. */
  onMore?: (() => void) | undefined
  pending?: boolean
  error?: string | undefined
}

/** Draws the count and, if there is more, the button. */
export const Pagination = ({ shown, noun, total, onMore, pending = false, error }: PaginationProps) => (
  <div class='pagination'>
    <span role='status'>
      {error ?? (total === undefined ? `${shown} ${noun}${onMore ? ' so far' : ''}` : `${shown} of ${total} ${noun}`)}
    </span>
    {onMore && <Button size='s' pending={pending} onClick={onMore}>Show more</Button>}
  </div>
)
