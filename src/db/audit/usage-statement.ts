/**
 * The statement that answers a question about usage. It reads what was counted, and the events since then from the
 * audit log. Questions about everybody, a workspace or some users read `usage_sums`; those about some users in a
 * workspace read `usage_hours`, by the index of users.
 */
import {
  CALLS, countedEvents, ERRORS, KEYS, LATENCIES, REASON, REFUSALS, REFUSED, type UsageGroup
} from './usage-columns.js'

export interface UsageQuestion {
  /** RFC 3339. The first hour or day is counted whole. */
  from: string
  /** RFC 3339, exclusive. An hour that is counted already is counted whole. */
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

const MAX_GROUPS = 12
const MAX_REASONS = 20

// `counted` ends what is read from counts; whole days in UTC lie between `first_day` and `last_day`. Where days begin
// at half past an hour, an hour belongs to the day in which it begins.
const BOUNDS = `
  bounds as materialized (
    select *, greatest(first_day, date_trunc('day', counted, 'UTC')) as last_day from (
      select since, $2::timestamptz as until, least($2::timestamptz, counted_until) as counted, counted_until,
        date_trunc('day', since + interval '24 hours' - interval '1 microsecond', 'UTC') as first_day
      from (select coalesce(counted_until, '-infinity') as counted_until from usage_progress) progress,
        (select date_trunc('hour', date_trunc($3::text, $1::timestamptz, $4::text)
          + interval '1 hour' - interval '1 microsecond') as since) asked
    ) range
  )`
const bound = (name: 'since' | 'until' | 'counted' | 'counted_until' | 'first_day' | 'last_day'): string =>
  `(select ${name} from bounds)`

// Days begin at midnight of the asked time zone; hours are those of UTC.
const startOf = (by: UsageQuestion['by'], hour: string): string =>
  by === 'hour' ? hour : `date_trunc('day', ${hour}, $4::text)`

const inWorkspace = (table: string, workspace: string | undefined): string =>
  workspace === undefined ? 'and $6::uuid is null' : `and ${table}.workspace_id = $6::uuid`

/** The rows since the last count, with the columns of `usage_hours`, `refused`, `start` and `key`. */
const recent = ({ by, group, users, workspace }: UsageQuestion): string => `
  recent as materialized (
    select ${startOf(by, 'hour')} as start, ${KEYS[group]} as key, ${REASON} as reason, ${REFUSED} as refused, outcome,
      calls, latencies
    from (${countedEvents(`a.at >= greatest(${bound('since')}, ${bound('counted_until')}) and a.at < ${bound('until')}
      ${users ? 'and a.user_id = any($5::uuid[])' : 'and $5::uuid[] is null'} ${inWorkspace('a', workspace)}`)}) events
  )`

const SUMMED = `sum(calls) as calls, sum(errors) as errors, sum(refused) as refused, ${LATENCIES} as latencies`
const COUNTED = `${CALLS} as calls, ${ERRORS} as errors, ${REFUSALS} as refused, ${LATENCIES} as latencies`

/**
 * From sums: `series` by start, `totals` by key with their calls only, `widest` the keys with most calls, `groups`
 * these with everything, `cells` their calls by start, `refusals` by reason.
 */
const fromSums = (question: UsageQuestion): string => {
  const { by, group, users, workspace } = question
  const ofAll = workspace === undefined ? 's.subject_id is null' : 's.subject_id = $6::uuid'
  const scope = users ? 's.subject_id = any($5::uuid[])' : ofAll
  const sums = (kind: string, span: 'hour' | 'day', from: string, to: string, columns: string): string => `
    select ${columns} from usage_sums s
    where ${scope} and s.kind = '${kind}' and s.span = '${span}' and s.start >= ${from} and s.start < ${to}`
  /** Whole days, and the hours before and after them. */
  const wholeRange = (kind: string, columns: string, keys = ''): string => [
    sums(kind, 'hour', bound('since'), `least(${bound('first_day')}, ${bound('counted')})`, columns),
    sums(kind, 'day', bound('first_day'), bound('last_day'), columns),
    sums(kind, 'hour', bound('last_day'), bound('counted'), columns)
  ].map((part) => part + keys).join(' union all ')
  const hours = (kind: string, columns: string): string =>
    sums(kind, 'hour', bound('since'), bound('counted'), columns)
  const start = startOf(by, 's.start')
  const topKeys = ' and s.key = any(array(select key from widest))'
  return `${recent(question)}, series as (
    select start, ${SUMMED} from (
      ${hours('all', `${start} as start, s.calls, s.errors, s.refused, s.latencies`)}
      union all select start, ${COUNTED} from recent group by start
    ) parts group by start
  ), totals as materialized (
    select key, sum(calls) as calls from (
      ${wholeRange(group, 's.key, s.calls')} union all select key, calls from recent where not refused
    ) parts group by key having sum(calls) > 0
  ), widest as materialized (
    select key from totals order by calls desc, key limit ${MAX_GROUPS}
  ), groups as (
    select key, ${SUMMED} from (
      ${wholeRange(group, 's.key, s.calls, s.errors, s.refused, s.latencies', topKeys)}
      union all
      select key, ${COUNTED} from recent where key in (select key from widest) group by key
    ) parts group by key
  ), cells as (
    select start, key, sum(calls) as calls from (
      ${hours(group, `${start} as start, s.key, s.calls`)} ${topKeys} and s.calls > 0
      union all
      select start, key, calls from recent where not refused and key in (select key from widest)
    ) parts group by start, key
  ), refusals as (
    select reason, sum(count) as count from (
      ${wholeRange('refusal', 's.key as reason, s.refused as count')}
      union all select reason, calls from recent where refused
    ) parts group by reason
  )`
}

/** The same from `usage_hours`: one pass adds up by start and by key, another the cells of the keys with most calls. */
const fromHours = (question: UsageQuestion): string => {
  const { by, group, workspace } = question
  return `${recent(question)}, hours as not materialized (
    select ${startOf(by, 'h.hour')} as start, ${KEYS[group]} as key, ${REASON} as reason, ${REFUSED} as refused,
      h.outcome, h.calls, h.latencies
    from usage_hours h
    where h.hour >= ${bound('since')} and h.hour < ${bound('counted')} and h.user_id = any($5::uuid[])
      ${inWorkspace('h', workspace)}
    union all
    select start, key, reason, refused, outcome, calls, latencies from recent
  ), added as materialized (
    select start, key, grouping(key) = 1 as is_start, ${COUNTED} from hours group by grouping sets ((start), (key))
  ), series as (
    select start, calls, errors, refused, latencies from added where is_start
  ), totals as (
    select key, calls, errors, refused, latencies from added where not is_start and calls > 0
  ), groups as materialized (
    select key, calls, errors, refused, latencies from totals order by calls desc, key limit ${MAX_GROUPS}
  ), cells as (
    select start, key, sum(calls) as calls from hours
    where not refused and key = any(array(select key from groups)) group by start, key
  ), refusals as (
    select reason, sum(calls) as count from hours where refused group by reason
  )`
}

const ROW = 'calls::float8, errors::float8, refused::float8, latencies::float8[]'
const ONLY_COUNT = 'null::float8, null::float8, null::float8[]'

/** Its values: from, to, `hour` or `day`, the zone (UTC for hours), the users' ids and the workspace's id, or null. */
export const usageStatement = (question: UsageQuestion): string => `
  with ${BOUNDS}, ${question.users && question.workspace ? fromHours(question) : fromSums(question)}
  select 'start' as part, rfc3339(start) as start, null as key, null::float8 as calls, null::float8 as errors,
    null::float8 as refused, null::float8[] as latencies
  from (select distinct ${startOf(question.by, 'hour')} as start
    from bounds, generate_series(since, until - interval '1 microsecond', interval '1 hour') hour) starts
  union all
  select 'series', rfc3339(start), null, ${ROW} from series
  union all
  select * from (select 'group', null, key, ${ROW} from groups order by calls desc, key) groups
  union all
  select 'omitted', null, null, greatest(0, count(*) - ${MAX_GROUPS})::float8, ${ONLY_COUNT} from totals
  union all
  select 'value', rfc3339(start), key, calls::float8, ${ONLY_COUNT} from cells
  union all
  select * from (select 'refusal', null, reason, count::float8, ${ONLY_COUNT}
    from refusals order by count desc, reason limit ${MAX_REASONS}) refusals`
