/** The SQL of what counts as usage, and by what it is grouped. */
import { LATENCY_STEPS, latencyStep } from '../postgres/latency-scale.js'

export type UsageGroup = 'credential' | 'tool' | 'client'

// Only methods of MCP and refusals: changes of credentials and of the web application are no usage.
const COUNTED = 'action ~ ' +
  "'^((tools|resources|prompts|completion|tasks|subscriptions|logging|server)/|(initialize|ping|refused)( |$))'"
// Clients choose the rest of an action, so that only the names of tools stay.
const ACTION = `case when action ~ '^tools/call [a-z_]{1,64}$' then action
    when action like 'refused %' then left(action, 100)
  else split_part(action, ' ', 1) end`
const CLIENT = "left(coalesce(split_part(client, '/', 1), ''), 64)"

/** The steps of the latency scale, as subscripts of SQL arrays. */
const STEPS = Array.from({ length: LATENCY_STEPS }, (_, index) => index + 1)

/**
 * Counts the events of a range by hour, as rows of `usage_hours`; `range` is a condition on `audit_events a`.
 *
 * Events of one step and the same texts are counted first, because the texts of an event take ten times as long to look
 * at as its other columns. Without the offset, PostgreSQL would look at the action of each event.
 */
export const countedEvents = (range: string): string => `
  select hour, user_id, credential_id, workspace_id, action, client, outcome, sum(calls)::bigint as calls,
    array[${STEPS.map((step) => `coalesce(sum(answered) filter (where step = ${step}), 0)`).join(', ')}]::integer[]
      as latencies
  from (
    select hour, user_id, credential_id, workspace_id, ${ACTION} as action, ${CLIENT} as client, outcome, calls, step,
      case when action not like 'refused%' then events end as answered
    from (
      select date_trunc('hour', a.at) as hour, a.user_id, a.credential_id, a.workspace_id, a.action, a.client,
        a.outcome, ${latencyStep('a.duration_ms')} as step, count(*) as events, sum(a.count) as calls
      from audit_events a where ${range}
      group by hour, a.user_id, a.credential_id, a.workspace_id, a.action, a.client, a.outcome, step
      offset 0
    ) alike
    where ${COUNTED}
  ) event
  group by hour, user_id, credential_id, workspace_id, action, client, outcome`

// Of rows of `usage_hours`.

export const REFUSED = `(action like 'refused%' or outcome in ('unauthorized', 'forbidden', 'rate_limited',
  'foreign_origin', 'too_many_streams', 'too_many_tasks', 'unavailable'))`
export const REASON = "trim(outcome || ' ' || case when action like 'refused %' then substr(action, 9) else '' end)"
export const KEYS: Readonly<Record<UsageGroup, string>> = {
  credential: "coalesce(credential_id::text, '')",
  tool: "case when action like 'tools/call %' then substr(action, 12) else action end",
  client: 'client'
}
/** Counts of rows that also have a column `refused`. */
export const CALLS = 'coalesce(sum(calls) filter (where not refused), 0)'
export const ERRORS = "coalesce(sum(calls) filter (where not refused and outcome <> 'ok'), 0)"
export const REFUSALS = 'coalesce(sum(calls) filter (where refused), 0)'
/** The sums of arrays by step. */
export const LATENCIES = `array[${STEPS.map((step) => `coalesce(sum(latencies[${step}]), 0)`).join(', ')}]`
