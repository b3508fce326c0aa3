/** Figures of the page of usage: sums, calls by groups, what was refused and why, and how near the limits are. */
import type { Answer } from '../../api/call.js'
import { Meter } from '../../components/meter.js'
import { EmptyState, Skeleton, SkeletonText } from '../../components/states.js'
import { Table, type Column } from '../../components/table.js'
import { formatMs, formatNumber } from '../../lib/format.js'
import { sentenceCase } from '../../lib/words.js'

type Usage = Answer<'GET /usage'>

const share = (part: number, whole: number): string | undefined =>
  whole === 0 || part === 0 ? undefined : `${(part / whole * 100).toFixed(part / whole < 0.1 ? 1 : 0)} %`

export const UsageTotals = ({ totals }: { totals: Usage['totals'] | undefined }) => {
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

type Group = Usage['groups'][number]

const HEADERS = { credential: 'Credential', tool: 'Tool', client: 'Client' } as const

const someOf = (count: number): string => count === 0 ? '–' : formatNumber(count)

export const UsageGroups = (
  { groups, omitted, group }: { groups: readonly Group[] | undefined, omitted: number, group: keyof typeof HEADERS }
) => {
  const columns: ReadonlyArray<Column<Group>> = [
    { header: HEADERS[group], cell: ({ label }) => group === 'tool' ? <code>{label}</code> : label },
    {
      header: 'Over time',
      hideBelow: 40,
      width: '9rem',
      cell: ({ values }) => <Sparkline values={values} />
    },
    { header: 'Calls', cell: ({ calls }) => formatNumber(calls), align: 'end' },
    { header: 'Refused', cell: ({ refused }) => someOf(refused), align: 'end', hideBelow: 40 },
    { header: 'Failed', cell: ({ errors }) => someOf(errors), align: 'end', hideBelow: 40 },
    { header: 'Median', cell: ({ p50_ms: p50 }) => formatMs(p50), align: 'end', hideBelow: 54 },
    { header: '95 % within', cell: ({ p95_ms: p95 }) => formatMs(p95), align: 'end' }
  ]
  return (
    <>
      <Table
        label={`Calls by ${group}`} columns={columns} rows={groups} rowKey={({ key }) => key}
        empty={<EmptyState title='Nothing was called in this time' />}
      />
      {omitted > 0 && <p class='usage-omitted'>{`${omitted} more with fewer calls are not listed.`}</p>}
    </>
  )
}

const WIDTH = 120
const HEIGHT = 24

/** The course of numbers as a line; decoration, as the sums stand beside it. */
const Sparkline = ({ values }: { values: readonly number[] }) => {
  const max = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, at) =>
    `${(at * step).toFixed(1)} ${(HEIGHT - 2 - value / max * (HEIGHT - 4)).toFixed(1)}`)
  if (points.length === 0) return null
  return (
    <svg class='sparkline' width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden='true'>
      <path d={`M${points.join('L')}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} class='sparkline-area' />
      <path d={`M${points.join('L')}`} class='sparkline-line' />
    </svg>
  )
}

export const Refusals = ({ refusals }: { refusals: Usage['refusals'] | undefined }) => {
  if (refusals === undefined) return <div class='usage-padded'><SkeletonText lines={3} /></div>
  if (refusals.length === 0) return <EmptyState icon='check' title='Nothing was refused' />
  const max = Math.max(...refusals.map(({ count }) => count))
  return (
    <ul class='rows'>
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

export const UsageLimits = ({ limits }: { limits: Usage['limits'] | undefined }) => {
  if (limits === undefined) return <div class='usage-padded'><SkeletonText lines={3} /></div>
  if (limits.length === 0) return <EmptyState icon='check' title='No credential is near a limit' />
  return (
    <ul class='rows'>
      {limits.map(({ credential, window, used, cap }) => (
        <li key={`${credential.id} ${window}`} class='limit'>
          <div>
            <p class='limit-name'>{credential.name}</p>
            <p class='hint'>
              {/* The hint of an application changes with each of its tokens. */}
              {credential.kind !== 'connection' && <><code>{credential.hint}…</code> </>}
              per {window}, at most {formatNumber(cap)}
            </p>
          </div>
          <Meter used={used} cap={cap} label={`Calls of ${credential.name} this ${window}`} />
        </li>
      ))}
    </ul>
  )
}
