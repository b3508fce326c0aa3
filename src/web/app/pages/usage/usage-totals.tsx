/** The sums of the chosen time, each with its name. */
import type { Answer } from '../../api/call.js'
import { Skeleton } from '../../components/states.js'
import { formatNumber } from '../../lib/format-number.js'

export type Totals = Answer<'GET /usage'>['totals']

/** `12 ms`, `1.2 s`; a dash where nothing was measured. */
export const formatMs = (value: number | null): string =>
  value === null ? '–' : value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`

const share = (part: number, whole: number): string | undefined =>
  whole === 0 || part === 0 ? undefined : `${(part / whole * 100).toFixed(part / whole < 0.1 ? 1 : 0)} %`

export const UsageTotals = ({ totals }: { totals: Totals | undefined }) => {
  const entries: ReadonlyArray<readonly [name: string, value: string | undefined, note?: string]> = [
    ['Calls', totals && formatNumber(totals.calls)],
    ['Refused', totals && formatNumber(totals.refused), totals && share(totals.refused, totals.calls)],
    ['Failed', totals && formatNumber(totals.errors), totals && share(totals.errors, totals.calls)],
    ['Median call', totals && formatMs(totals.p50_ms)],
    ['95 % of calls within', totals && formatMs(totals.p95_ms)]
  ]
  return (
    <dl class='totals' aria-busy={totals === undefined}>
      {entries.map(([name, value, note]) => (
        <div key={name} class='total'>
          <dt>{name}</dt>
          <dd>
            {value ?? <Skeleton width='3rem' height='1.25rem' />}{' '}
            {note !== undefined && <span class='total-note'>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
