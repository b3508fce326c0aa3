/**
 * Calls over time, from the audit log. A month of a busy server has millions of events, so each hour is counted once
 * when it is over; a question reads these counts, and only the hours since then from the log itself.
 *
 * Any number of replicas may count: the one with the lock on the row of `usage_progress` counts the next hours, the
 * others leave it. An hour is counted ten minutes after its end. An event has its time before its transaction commits,
 * and no transaction that writes events stays open for minutes, so none is missed.
 */
import type { Database, Queryable } from '../sql/database.js'
import { CALLS, countedEvents, ERRORS, KEYS, LATENCIES, REASON, REFUSALS, REFUSED } from './usage-columns.js'
import { usageStatement, type UsageQuestion } from './usage-statement.js'

const KEPT_DAYS = 93
/** Hours that one transaction counts: with ten million calls a month, well within the time limit of statements. */
const HOURS_AT_ONCE = 6

const PROGRESS = `
  select coalesce(counted_until, (select date_trunc('hour', at) from audit_events
      where at >= date_trunc('hour', now() - interval '${KEPT_DAYS} days') order by at limit 1)) as since,
    date_trunc('hour', now() - interval '10 minutes') as until
  from usage_progress for update skip locked`

const COUNT_HOURS = `
  insert into usage_hours (hour, user_id, credential_id, workspace_id, action, client, outcome, calls, latencies)
  ${countedEvents('a.at >= $1::timestamptz and a.at < $2::timestamptz')}`

// Sums without a subject are those of everybody.
const ADD_UP_HOURS = `
  insert into usage_sums (span, start, subject_id, kind, key, calls, errors, refused, latencies)
  select 'hour', hour, coalesce(workspace_id, user_id), kind, key, ${CALLS}, ${ERRORS}, ${REFUSALS},
    ${LATENCIES}::integer[]
  from (
    select h.*, ${REFUSED} as refused from usage_hours h
    where h.hour >= $1::timestamptz and h.hour < $2::timestamptz
  ) counted cross join lateral (
    values ('all', ''), ${Object.entries(KEYS).map(([kind, key]) => `('${kind}', ${key})`).join(', ')}
    union all
    select 'refusal', ${REASON} where refused
  ) kinds (kind, key)
  group by grouping sets ((hour, kind, key), (hour, workspace_id, kind, key), (hour, user_id, kind, key))
  having (grouping(workspace_id) = 1 or workspace_id is not null) and (grouping(user_id) = 1 or user_id is not null)`

// The days that end in the given hours.
const ADD_UP_DAYS = `
  insert into usage_sums (span, start, subject_id, kind, key, calls, errors, refused, latencies)
  select 'day', date_trunc('day', start, 'UTC') as day, subject_id, kind, key, sum(calls), sum(errors), sum(refused),
    ${LATENCIES}::integer[]
  from usage_sums
  where span = 'hour' and start >= date_trunc('day', $1::timestamptz, 'UTC')
    and start < date_trunc('day', $2::timestamptz, 'UTC')
  group by day, subject_id, kind, key`

export interface UsageCounts {
  /** Answered ones. */
  calls: number
  /** Of these, with an error. */
  errors: number
  refused: number
  /** Calls by step of the latency scale. */
  latencies: number[]
}

interface Part {
  part: 'start' | 'series' | 'group' | 'value' | 'refusal' | 'omitted'
  start: string | null
  key: string | null
  calls: number | null
  errors: number | null
  refused: number | null
  latencies: number[] | null
}

export const sqlUsage = (db: Database) => ({
  /**
   * Answers by the start of each hour or day (RFC 3339): `starts` are all of them, `series` those with calls, `groups`
   * the groups with the most calls, with their calls by start.
   * @throws the database's error for a time zone that it does not know
   */
  async ask (question: UsageQuestion) {
    const { from, to, by, timeZone, users, workspace } = question
    // Hours are counted by UTC.
    const zone = by === 'hour' ? 'UTC' : timeZone
    const rows = await db.query<Part>(
      usageStatement(question), [from, to, by, zone, users ?? null, workspace ?? null])
    const of = (part: Part['part']): Part[] => rows.filter((row) => row.part === part)
    const values = of('value')
    return {
      starts: of('start').map(({ start }) => start ?? '').sort(),
      series: new Map(of('series').map((row) => [row.start ?? '', countsOf(row)])),
      groups: of('group').sort(byCalls).map((row) => ({
        key: row.key ?? '',
        ...countsOf(row),
        values: new Map(values.filter(({ key }) => key === row.key)
          .map(({ start, calls }) => [start ?? '', Number(calls)]))
      })),
      groupsOmitted: Number(of('omitted')[0]?.calls ?? 0),
      refusals: of('refusal').sort(byCalls).map(({ key, calls }) => ({ reason: key ?? '', count: Number(calls) }))
    }
  },

  async isTimeZone (name: string) {
    const [found] = await db.query<{ name: string }>('select name from pg_timezone_names where name = $1', [name])
    return found !== undefined
  },

  /** Counts the hours that are over, and deletes counts that are older than `KEPT_DAYS`. */
  async countHours () {
    while (await db.transaction(countNextHours));
    await db.query('delete from usage_hours where hour < now() - make_interval(days => $1::int)', [KEPT_DAYS])
    await db.query('delete from usage_sums where start < now() - make_interval(days => $1::int)', [KEPT_DAYS])
  }
})

const byCalls = (one: Part, other: Part): number =>
  Number(other.calls) - Number(one.calls) || (one.key ?? '').localeCompare(other.key ?? '')

const countsOf = ({ calls, errors, refused, latencies }: Part): UsageCounts => ({
  calls: Number(calls), errors: Number(errors), refused: Number(refused), latencies: (latencies ?? []).map(Number)
})

/** Counts some hours, of those that are kept; resolves with whether there may be more. */
const countNextHours = async (tx: Queryable): Promise<boolean> => {
  const [progress] = await tx.query<{ since: string | null, until: string }>(
    `select rfc3339(since) as since, rfc3339(until) as until from (${PROGRESS}) progress`)
  if (!progress || progress.since === null || progress.since >= progress.until) return false
  const { since } = progress
  const last = Date.parse(since) + HOURS_AT_ONCE * 3_600_000
  const end = new Date(Math.min(Date.parse(progress.until), last)).toISOString()
  await tx.query(COUNT_HOURS, [since, end])
  await tx.query(ADD_UP_HOURS, [since, end])
  await tx.query(ADD_UP_DAYS, [since, end])
  await tx.query('update usage_progress set counted_until = $1::timestamptz', [end])
  return end < progress.until
}
