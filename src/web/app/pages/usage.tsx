/**
 * How much is used: calls over time, by credential, tool or client; what was refused and why; latency; how near the
 * limits are.
 */
import { useMemo } from 'preact/hooks'
import { useOperation } from '../api/resource.js'
import { Card, PageHeader, Tabs } from '../components/layout.js'
import { EmptyState, ErrorState } from '../components/states.js'
import { WorkspaceSelect } from '../components/fields.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState, useTimeZone } from '../lib/session.js'
import { CallsChart } from './usage/calls-chart.js'
import { Refusals, UsageGroups, UsageLimits, UsageTotals } from './usage/figures.js'
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

const OTHERS = { others: 'include' } as const

const Usage = () => {
  const { values, set, bind } = useQueryState(['range', 'group', 'owner', 'workspace'])
  const timeZone = useTimeZone()
  const session = useSessionState()?.session
  const range = RANGES.find(({ value }) => value === values.range) ?? RANGES[1]
  const group = GROUPS.find(({ value }) => value === values.group)?.value ?? 'tool'
  const mayAll = session?.server_admin === true
  const owner = mayAll && values.owner === 'all' ? 'all' : 'me'
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
  return (
    <>
      <PageHeader
        title='Usage' description='Calls of agents and programs, what was refused, and how near the limits are.'
      />
      <div class='usage-bar'>
        <Tabs label='Time' tabs={RANGES} value={range.value} onChange={(next) => set({ range: next })} />
        {mayAll && (
          <Tabs
            label='Whose' tabs={[{ value: 'me', label: 'Mine' }, { value: 'all', label: 'Everybody’s' }]} value={owner}
            onChange={(next) => set({ owner: next })}
          />
        )}
        {workspaces.length > 1 && (
          <WorkspaceSelect which={OTHERS} hideLabel {...bind('workspace')} />
        )}
      </div>
      {error !== undefined && value === undefined && (
        <Card><ErrorState error={error} {...loading} /></Card>
      )}
      {error === undefined && (
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

export default Usage
