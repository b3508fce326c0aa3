/** Calls by credential, tool or client, with their course as a small line. */
import type { Answer } from '../../api/call.js'
import { EmptyState } from '../../components/states.js'
import { type Column, Table } from '../../components/table.js'
import { formatNumber } from '../../lib/format-number.js'
import { formatMs } from './usage-totals.js'

type Group = Answer<'GET /usage'>['groups'][number]

const HEADERS = { credential: 'Credential', tool: 'Tool', client: 'Client' } as const

const someOf = (count: number): string => count === 0 ? '–' : formatNumber(count)

export interface UsageGroupsProps {
  groups: readonly Group[] | undefined
  /** How many smaller ones are left out. */
  omitted: number
  group: keyof typeof HEADERS
}

export const UsageGroups = ({ groups, omitted, group }: UsageGroupsProps) => {
  const columns: ReadonlyArray<Column<Group>> = [
    { id: 'label', header: HEADERS[group], cell: ({ label }) => group === 'tool' ? <code>{label}</code> : label },
    {
      id: 'course',
      header: 'Over time',
      hideBelow: 40,
      width: '9rem',
      cell: ({ values }) => <Sparkline values={values} />
    },
    { id: 'calls', header: 'Calls', cell: ({ calls }) => formatNumber(calls), align: 'end' },
    { id: 'refused', header: 'Refused', cell: ({ refused }) => someOf(refused), align: 'end', hideBelow: 40 },
    { id: 'errors', header: 'Failed', cell: ({ errors }) => someOf(errors), align: 'end', hideBelow: 40 },
    { id: 'p50', header: 'Median', cell: ({ p50_ms: p50 }) => formatMs(p50), align: 'end', hideBelow: 54 },
    { id: 'p95', header: '95 % within', cell: ({ p95_ms: p95 }) => formatMs(p95), align: 'end' }
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
