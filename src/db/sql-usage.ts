/**
 * Calls over time, from the audit log. A month of a busy server has millions of events, so each hour is counted once
 * when it is over, into `usage_hours`; a question reads those rows, and only the hours since then from the log itself.
 *
 * Any number of replicas may count: whoever holds the lock on the row of `usage_progress` counts the next hours, the
 * others leave it. An hour is counted ten minutes after its end. An event has its time before its transaction commits,
 * and no transaction that writes events stays open for minutes, so none is missed.
 */
import type { Database, Queryable } from './database.js'
import { LATENCY_STEPS, latencyStep } from './latency-scale.js'

export type UsageGroup = 'credential' | 'tool' | 'client'

export interface UsageQuestion {
  /** RFC 3339. The first hour or day is counted whole. */
  from: string
  /** RFC 3339, exclusive. */
  to: string
  by: 'hour' | 'day'
  group: UsageGroup
  /** IANA name; where days begin at midnight. */
  timeZone: string
  /** Ids of users; everybody, and callers without a credential, when absent. */
  users?: readonly string[] | undefined
  /** A workspace's id. */
  workspace?: string | undefined
}

export interface UsageCounts {
  /** Answered ones. */
  calls: number
  /** Of these, with an error. */
  errors: number
  refused: number
  /** Calls by step of the latency scale. */
  latencies: number[]
}

export interface UsageAnswer {
  /** By the start of each hour or day with calls, RFC 3339. */
  series: ReadonlyMap<string, UsageCounts>
  /** The groups with the most calls, by key, with their calls by start. */
  groups: Array<UsageCounts & { key: string, values: ReadonlyMap<string, number> }>
  groupsOmitted: number
  refusals: Array<{ reason: string, count: number }>
  /** The start of every hour or day between `from` and `to`. */
  starts: string[]
}

export interface Usage {
  /** @throws the database's error for a time zone that it does not know */
  ask (question: UsageQuestion): Promise<UsageAnswer>
  /** Whether the database knows the time zone. */
  isTimeZone (name: string): Promise<boolean>
  /** Counts the hours that are over, and drops counts that are older than `KEPT_DAYS`. */
  countHours (): Promise<void>
}

const MAX_GROUPS = 12
const MAX_REASONS = 20
const KEPT_DAYS = 93
/** Hours that one transaction counts: with ten million calls a month, well within the time limit of statements. */
const HOURS_AT_ONCE = 6

// Only methods of MCP and refusals: changes of credentials and of the web application are no usage.
const COUNTED = 'a.action ~ ' +
  "'^((tools|resources|prompts|completion|tasks|subscriptions|logging|server)/|(initialize|ping|refused)( |$))'"
// Clients choose the rest of an action, so that only the names of tools stay.
const ACTION = `case when a.action ~ '^tools/call [a-z_]{1,64}$' then a.action
    when a.action like 'refused %' then left(a.action, 100)
  else split_part(a.action, ' ', 1) end`
const CLIENT = "left(coalesce(split_part(a.client, '/', 1), ''), 64)"

const steps = Array.from({ length: LATENCY_STEPS }, (_, index) => index + 1)

/** Counts the events of a range by hour; `range` is a condition on `audit_events a`. */
const countedEvents = (range: string): string => `
  select hour, user_id, credential_id, workspace_id, action, client, outcome, sum(count)::bigint as calls,
    array[${steps.map((step) => `count(*) filter (where step = ${step})`).join(', ')}]::integer[] as latencies
  from (
    select date_trunc('hour', a.at) as hour, a.user_id, a.credential_id, a.workspace_id, ${ACTION} as action,
      ${CLIENT} as client, a.outcome, a.count,
      case when a.action not like 'refused%' then ${latencyStep('a.duration_ms')} end as step
    from audit_events a where ${range} and ${COUNTED}
  ) event
  group by hour, user_id, credential_id, workspace_id, action, client, outcome`

const REFUSED = `(action like 'refused%' or outcome in ('unauthorized', 'forbidden', 'rate_limited', 'foreign_origin',
  'too_many_streams', 'too_many_tasks', 'unavailable'))`

const KEYS: Record<UsageGroup, string> = {
  credential: "coalesce(credential_id::text, '')",
  tool: "regexp_replace(action, '^tools/call ', '')",
  client: 'client'
}

const SUMS = `
  coalesce(sum(calls) filter (where not refused), 0)::float8 as calls,
  coalesce(sum(calls) filter (where not refused and outcome <> 'ok'), 0)::float8 as errors,
  coalesce(sum(calls) filter (where refused), 0)::float8 as refused,
  array[${steps.map((step) => `coalesce(sum(latencies[${step}]), 0)`).join(', ')}]::float8[] as latencies`
// Of cells, so that each hour is read and added up once.
const TOTALS = `
  sum(calls) as calls, sum(errors) as errors, sum(refused) as refused,
  array[${steps.map((step) => `sum(latencies[${step}])`).join(', ')}]::float8[] as latencies`
const NO_SUMS = 'null::float8, null::float8, null::float8[]'

interface Part {
  part: 'start' | 'series' | 'group' | 'value' | 'refusal' | 'omitted'
  start: string | null
  key: string | null
  calls: number | null
  errors: number | null
  refused: number | null
  latencies: number[] | null
}

const statementFor = ({ group, users, workspace }: UsageQuestion): string => {
  const only = (table: string): string => [
    ...(users ? [`and ${table}.user_id = any($5::uuid[])`] : ['and $5::uuid[] is null']),
    ...(workspace === undefined ? ['and $6::uuid is null'] : [`and ${table}.workspace_id = $6::uuid`])
  ].join(' ')
  return `
  with asked as materialized (
    select date_trunc($3::text, $1::timestamptz, $4::text) as since, $2::timestamptz as until
  ), progress as materialized (
    select coalesce(counted_until, '-infinity') as counted_until from usage_progress
  ), hours as not materialized (
    select date_trunc($3::text, hour, $4::text) as start, ${KEYS[group]} as key, action, outcome, calls, latencies,
      ${REFUSED} as refused
    from (
      select h.hour, h.user_id, h.credential_id, h.workspace_id, h.action, h.client, h.outcome, h.calls, h.latencies
      from usage_hours h
      where h.hour >= (select since from asked) and h.hour < (select until from asked)
        and h.hour < (select counted_until from progress) ${only('h')}
      union all
      ${countedEvents(`a.at >= greatest((select since from asked), (select counted_until from progress))
        and a.at < (select until from asked) ${only('a')}`)}
    ) counted
  ), cells as materialized (
    select start, key, ${SUMS} from hours group by start, key
  ), groups as materialized (
    select key, ${TOTALS}, row_number() over (order by sum(calls) desc, key) as place
    from cells group by key having sum(calls) > 0
  )
  select 'start' as part, rfc3339(start) as start, null as key, null::float8 as calls, null::float8 as errors,
    null::float8 as refused, null::float8[] as latencies
  from (select distinct date_trunc($3::text, hour, $4::text) as start
    from asked, generate_series(since, until - interval '1 microsecond', interval '1 hour') hour) starts
  union all
  select 'series', rfc3339(start), null, ${TOTALS} from cells group by start
  union all
  select 'group', null, key, calls, errors, refused, latencies from groups where place <= ${MAX_GROUPS}
  union all
  select 'omitted', null, null, count(*)::float8, ${NO_SUMS} from groups where place > ${MAX_GROUPS}
  union all
  select 'value', rfc3339(start), key, calls, ${NO_SUMS} from cells
  where calls > 0 and key in (select key from groups where place <= ${MAX_GROUPS})
  union all
  select * from (select 'refusal', null,
    trim(outcome || ' ' || case when action like 'refused %' then substr(action, 9) else '' end) as reason,
    sum(calls)::float8 as count, ${NO_SUMS}
    from hours where refused group by reason order by count desc, reason limit ${MAX_REASONS}) refusals`
}

export const sqlUsage = (db: Database): Usage => ({
  async ask (question) {
    const { from, to, by, timeZone, users, workspace } = question
    // Hours are counted by UTC.
    const zone = by === 'hour' ? 'UTC' : timeZone
    const rows = await db.query<Part>(
      statementFor(question), [from, to, by, zone, users ?? null, workspace ?? null])
    const of = (part: Part['part']): Part[] => rows.filter((row) => row.part === part)
    const values = of('value')
    return {
      starts: of('start').map(({ start }) => start ?? '').sort(),
      series: new Map(of('series').map((row) => [row.start ?? '', countsOf(row)])),
      groups: of('group').map((row) => ({
        key: row.key ?? '',
        ...countsOf(row),
        values: new Map(values.filter(({ key }) => key === row.key)
          .map(({ start, calls }) => [start ?? '', Number(calls)]))
      })),
      groupsOmitted: Number(of('omitted')[0]?.calls ?? 0),
      refusals: of('refusal').map(({ key, calls }) => ({ reason: key ?? '', count: Number(calls) }))
    }
  },

  async isTimeZone (name) {
    const [found] = await db.query<{ name: string }>('select name from pg_timezone_names where name = $1', [name])
    return found !== undefined
  },

  async countHours () {
    while (await db.transaction(countNextHours));
    await db.query('delete from usage_hours where hour < now() - make_interval(days => $1::int)', [KEPT_DAYS])
  }
})

const countsOf = ({ calls, errors, refused, latencies }: Part): UsageCounts => ({
  calls: Number(calls), errors: Number(errors), refused: Number(refused), latencies: (latencies ?? []).map(Number)
})

const PROGRESS = `
  select coalesce(counted_until, (select date_trunc('hour', at) from audit_events
      where at >= date_trunc('hour', now() - interval '${KEPT_DAYS} days') order by at limit 1)) as since,
    date_trunc('hour', now() - interval '10 minutes') as until
  from usage_progress for update skip locked`

/** Counts some hours, of those that are kept; resolves with whether there may be more. */
const countNextHours = async (tx: Queryable): Promise<boolean> => {
  const [progress] = await tx.query<{ since: string | null, until: string }>(
    `select rfc3339(since) as since, rfc3339(until) as until from (${PROGRESS}) progress`)
  if (!progress || progress.since === null || progress.since >= progress.until) return false
  const { since } = progress
  const last = Date.parse(since) + HOURS_AT_ONCE * 3_600_000
  const end = new Date(Math.min(Date.parse(progress.until), last)).toISOString()
  await tx.query(
    `insert into usage_hours (hour, user_id, credential_id, workspace_id, action, client, outcome, calls, latencies)
     ${countedEvents('a.at >= $1::timestamptz and a.at < $2::timestamptz')}`, [since, end])
  await tx.query('update usage_progress set counted_until = $1::timestamptz', [end])
  return end < progress.until
}
