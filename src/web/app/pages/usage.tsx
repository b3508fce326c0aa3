/** How much is used: calls over time and by whom, what was refused and why, latency, how near the limits are. */
import { useMemo } from 'preact/hooks'
import type { Answer } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { WorkspaceSelect } from '../components/fields.js'
import { Card, PageHeader, Tabs } from '../components/layout.js'
import { Meter } from '../components/meter.js'
import { EmptyState, ErrorState, Skeleton, SkeletonText } from '../components/states.js'
import { type Column, Table } from '../components/table.js'
import { formatMs, formatNumber } from '../lib/format.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState, useTimeZone } from '../lib/session.js'
import { sentenceCase } from '../lib/words.js'
import { CallsChart } from './usage/calls-chart.js'
import './usage/usage.css'

const DAY_MS = 86_400_000

const RANGES = [
  { value: '24h', label: '24 hours', days: 1, by: 'hour' },
  { value: '7d', label: '7 days', days: 7, by: 'hour' },
  { value: '30d', label: '30 days', days: 30, by: 'day' }
] as const

const GROUPS = [
  { value: 'credential', label: 'Credential' },
  { value: 'tool', label: 'Tool' },
  { value: 'client', label: 'Client' }
] as const

const OWNERS = [{ value: 'me', label: 'Mine' }, { value: 'all', label: 'Everybody’s' }] as const

const OTHERS = { others: 'include' } as const

const FILTERS = { range: [RANGES[1], ...RANGES], group: [GROUPS[1], ...GROUPS], owner: OWNERS, workspace: [] } as const

const Usage = () => {
  const { values, set, bind } = useQueryState(FILTERS)
  const timeZone = useTimeZone()
  const session = useSessionState()?.session
  const range = RANGES.find(({ value }) => value === values.range) ?? RANGES[1]
  const { group } = values
  const mayAll = session?.server_admin === true
  const owner = mayAll ? values.owner : 'me'
  const workspaces = useOperation('GET /workspaces', { query: OTHERS }).value?.workspaces ?? []
  // A whole number of minutes, so that the address of the request does not change with every drawing.
  const from = useMemo(
    () => new Date(Math.floor(Date.now() / 60_000) * 60_000 - range.days * DAY_MS).toISOString(), [range]
  )
  const { value, error, ...loading } = useOperation('GET /usage', {
    query: {
      from,
      by: range.by,
      group,
      owner,
      time_zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...values.workspace !== '' && { workspace: values.workspace }
    }
  })
  const isMissing = error !== undefined && value === undefined
  return (
    <>
      <PageHeader
        title='Usage' description='Calls of agents and programs, what was refused, and how near the limits are.'
      />
      <div class='usage-bar'>
        <Tabs label='Time' tabs={RANGES} value={range.value} onChange={(next) => set({ range: next })} />
        {mayAll && (
          <Tabs label='Whose' tabs={OWNERS} value={owner} onChange={(next) => set({ owner: next })} />
        )}
        {workspaces.length > 1 && (
          <WorkspaceSelect which={OTHERS} hideLabel {...bind('workspace')} />
        )}
      </div>
      {isMissing && <Card><ErrorState error={error} {...loading} /></Card>}
      {!isMissing && (
        <>
          <UsageTotals totals={value?.totals} />
          <Card title='Calls' description={range.by === 'hour' ? 'Per hour' : 'Per day'}>
            {value?.totals.calls === 0
              ? (
                <div class='chart-empty'>
                  <EmptyState icon='chart' title='No calls in this time'>
                    Connect an agent, or choose a longer time.
                  </EmptyState>
                </div>
                )
              : <CallsChart series={value?.series} by={range.by} />}
          </Card>
          <Card
            title='Where calls come from' flush
            actions={<Tabs label='By' tabs={GROUPS} value={group} onChange={(next) => set({ group: next })} />}
          >
            <UsageGroups groups={value?.groups} omitted={value?.groups_omitted ?? 0} group={group} />
          </Card>
          <div class='usage-columns'>
            <Card title='Refused' description='Calls that were turned away, by reason' flush>
              <Refusals refusals={value?.refusals} />
            </Card>
            <Card title='Limits' description='Credentials nearest to theirs' flush>
              <UsageLimits limits={value?.limits} />
            </Card>
          </div>
        </>
      )}
    </>
  )
}

type UsageAnswer = Answer<'GET /usage'>

const share = (part: number, whole: number): string | undefined =>
  whole === 0 || part === 0 ? undefined : `${(part / whole * 100).toFixed(part / whole < 0.1 ? 1 : 0)} %`

const UsageTotals = ({ totals }: { totals: UsageAnswer['totals'] | undefined }) => {
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

type Group = UsageAnswer['groups'][number]
type GroupName = typeof GROUPS[number]['value']

const someOf = (count: number): string => count === 0 ? '–' : formatNumber(count)

const UsageGroups = (
  { groups, omitted, group }: { groups: readonly Group[] | undefined, omitted: number, group: GroupName }
) => {
  const columns: ReadonlyArray<Column<Group>> = [
    { header: sentenceCase(group), cell: ({ label }) => group === 'tool' ? <code>{label}</code> : label },
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

const Refusals = ({ refusals }: { refusals: UsageAnswer['refusals'] | undefined }) => {
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

const UsageLimits = ({ limits }: { limits: UsageAnswer['limits'] | undefined }) => {
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

export default Usage
