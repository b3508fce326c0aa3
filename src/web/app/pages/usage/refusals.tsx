/** Why calls were turned away, the most frequent reason first. */
import type { Answer } from '../../api/call.js'
import { EmptyState, SkeletonText } from '../../components/states.js'
import { formatNumber } from '../../lib/format-number.js'
import { sentenceCase } from '../../lib/words.js'

type RefusalCount = Answer<'GET /usage'>['refusals'][number]

/** Draws the reasons as bars. */
export const Refusals = ({ refusals }: { refusals: readonly RefusalCount[] | undefined }) => {
  if (refusals === undefined) return <div class='usage-padded'><SkeletonText lines={3} /></div>
  if (refusals.length === 0) return <EmptyState icon='check' title='Nothing was refused' />
  const max = Math.max(...refusals.map(({ count }) => count))
  return (
    <ul class='bars'>
      {refusals.map(({ reason, count }) => (
        <li key={reason} class='bar'>
          <span>{sentenceCase(reason)}</span>
          <span class='bar-value'>{formatNumber(count)}</span>
          <svg class='bar-track' viewBox='0 0 100 4' preserveAspectRatio='none' aria-hidden='true'>
            <rect width='100' height='4' class='bar-ground' />
            <rect width={Math.max(1, count / max * 100)} height='4' class='bar-fill' />
          </svg>
        </li>
      ))}
    </ul>
  )
}
