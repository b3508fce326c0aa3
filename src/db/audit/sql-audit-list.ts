/** Reads the audit log. A statement contains only the conditions of its filter, so that it can use their index. */
import type { AuditFilter, AuditRecord } from '../../access/audit/audit-log.js'
import type { Queryable } from '../sql/database.js'
import { credentialCondition, userCondition } from '../sql/conditions.js'
import { isUuid } from '../../lib/uuid.js'
import { omitNulls } from '../sql/rows.js'

const CONDITIONS: Record<keyof Omit<Conditions, 'users' | 'before'>, (value: string, n: number) => string> = {
  user: (user, n) => isUuid(user)
    ? `a.user_id = $${n}::uuid`
    : `a.user_id = (select u.id from users u where ${userCondition(user, n)})`,
  credential: (credential, n) => isUuid(credential)
    ? `a.credential_id = $${n}::uuid`
    : `a.credential_id = any(array(select c.id from credentials c where ${credentialCondition(credential, n)}))`,
  workspace: (workspace, n) => isUuid(workspace)
    ? `a.workspace_id = $${n}::uuid`
    : `a.workspace_id = (select w.id from workspaces w where w.slug = lower($${n}::text))`,
  // A range: from the prefix to the last text that begins with it.
  action: (_prefix, n) => `a.action >= $${n}::text and a.action < $${n}::text || chr(1114111)`,
  // The index covers only outcomes other than `ok`, which nearly all are.
  outcome: (outcome, n) => outcome === 'ok'
    ? `a.outcome = $${n}::text`
    : `a.outcome <> 'ok' and a.outcome = $${n}::text`,
  since: (_time, n) => `a.at >= $${n}::timestamptz`,
  until: (_time, n) => `a.at < $${n}::timestamptz`
}

const NAMES = ['user', 'credential', 'workspace', 'action', 'outcome', 'since', 'until'] as const

export type Conditions = Omit<AuditFilter, 'limit'>

/**
 * The newest events that match the filter, at most `limit`; those that the list shows after the event at `before`.
 *
 * Reads the months of one window after the other: asked for all at once, the database may collect the matches of every
 * month, before it sorts them and takes the newest.
 */
export const listAudit = async (
  db: Queryable, filter: Conditions, limit: number, before = filter.before
): Promise<AuditRecord[]> => {
  const found: AuditRecord[] = []
  for (const window of monthWindows(before?.at ?? filter.until, filter.since)) {
    found.push(...await listWindow(db, { ...filter, before }, limit - found.length, window))
    if (found.length >= limit) break
  }
  return found
}

const listWindow = async (
  db: Queryable, { before, ...filter }: Conditions, limit: number, window: Conditions
): Promise<AuditRecord[]> => {
  const values: unknown[] = [limit]
  const conditions: string[] = []
  for (const given of [filter, window]) {
    for (const name of NAMES) {
      const value = given[name]
      if (value !== undefined) conditions.push(CONDITIONS[name](value, values.push(value)))
    }
  }
  const { users } = filter
  // One user's events are in an index in the order of the list.
  if (users?.length === 1) conditions.push(`a.user_id = $${values.push(users[0])}::uuid`)
  else if (users) conditions.push(`a.user_id = any($${values.push(users)}::uuid[])`)
  if (before !== undefined) {
    const at = `$${values.push(before.at)}::timestamptz`
    const id = `$${values.push(before.id)}::bigint`
    // The time of a position has milliseconds, that of an event microseconds.
    const next = `${at} + interval '1 millisecond'`
    const exactTime = `select b.at from audit_events b where b.at >= ${at} and b.at < ${next} and b.id = ${id}`
    // The first condition only passes over the partitions of later months.
    conditions.push(`a.at < ${next} and (a.at, a.id) < ((${exactTime}), ${id})`)
  }
  const rows = await db.query<AuditRecord>(
    `select a.id::text as id, rfc3339(a.at) as at, a.user_id, a.credential_id, a.credential_kind, a.action,
       a.workspace_id, a.exploration_id, a.outcome, a.duration_ms, a.request_id, a.client, a.remote_address, a.actor,
       nullif(a.count, 1) as count, a.reported_by
     from audit_events a ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by a.at desc, a.id desc limit $1`, values)
  return rows.map(omitNulls)
}

/** Months before that of the newest time, at whose start a window begins: they have 1, 2, 4 and 8 months. */
const STARTS = [0, 2, 6, 14]
// Before the year 100 Date.UTC means another century.
const EARLIEST = Date.UTC(1000, 0)

/**
 * Yields windows of whole months (UTC) without gaps: the month of `newest` and all that is later, then ever more
 * months, then the rest. Ends with the window that contains `oldest`.
 * @param newest RFC 3339; now when absent
 * @param oldest RFC 3339
 */
function * monthWindows (newest: string | undefined, oldest: string | undefined): Generator<Conditions> {
  const time = newest === undefined ? new Date() : new Date(newest)
  let until: string | undefined
  if (time.getTime() >= EARLIEST) {
    for (const months of STARTS) {
      const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months))
      yield { since: start.toISOString(), until }
      if (oldest !== undefined && Date.parse(oldest) >= start.getTime()) return
      until = start.toISOString()
    }
  }
  yield { until }
}
