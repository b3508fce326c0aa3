/**
 * Calls over time, from the audit log. A month of a busy server has millions of events, so each hour is counted once
 * when it is over; a question reads these counts, and only the hours since then from the log itself.
 */
import type { Database } from '../sql/database.js'
import type { UsageGroup } from './usage-columns.js'
import { countUsage } from './usage-counting.js'
import { usageStatement } from './usage-statement.js'

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

  countHours: () => countUsage(db)
})

const byCalls = (one: Part, other: Part): number =>
  Number(other.calls) - Number(one.calls) || (one.key ?? '').localeCompare(other.key ?? '')

const countsOf = ({ calls, errors, refused, latencies }: Part): UsageCounts => ({
  calls: Number(calls), errors: Number(errors), refused: Number(refused), latencies: (latencies ?? []).map(Number)
})
