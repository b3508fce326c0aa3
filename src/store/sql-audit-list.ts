/** Reads the audit log: only the conditions that were asked for are part of the statement, so that each finds its index. */
import type { AuditFilter, AuditRecord } from './audit.js'
import type { Queryable } from './database.js'
import { withoutNulls } from './without-nulls.js'

const CONDITIONS: Record<Exclude<keyof AuditFilter, 'limit'>, (n: number) => string> = {
  user: (n) => `a.user_id in (select u.id from users u where u.id::text = lower($${n}::text) or lower(u.email) = lower($${n}::text))`,
  credential: (n) => `a.credential_id in (select c.id from credentials c where c.id::text = lower($${n}::text) or c.name = $${n}::text)`,
  workspace: (n) => `a.workspace_id in (select w.id from workspaces w where w.id::text = lower($${n}::text) or w.slug = lower($${n}::text))`,
  action: (n) => `starts_with(a.action, $${n}::text)`,
  outcome: (n) => `a.outcome = $${n}::text`,
  since: (n) => `a.at >= $${n}::timestamptz`,
  until: (n) => `a.at < $${n}::timestamptz`
}

export type Conditions = Omit<AuditFilter, 'limit'>

export const listAudit = async (db: Queryable, filter: Conditions, limit: number, before?: string): Promise<AuditRecord[]> => {
  const values: unknown[] = [limit]
  const conditions: string[] = []
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = filter[name as keyof Conditions]
    if (value !== undefined) conditions.push(condition(values.push(value)))
  }
  if (before !== undefined) conditions.push(`a.id < $${values.push(before)}::bigint`)
  const rows = await db.query<AuditRecord>(
    `select a.id::text as id, rfc3339(a.at) as at, a.user_id, a.credential_id, a.credential_kind, a.action, a.workspace_id, a.exploration_id,
       a.outcome, a.duration_ms, a.request_id, a.client, a.remote_address, a.actor, nullif(a.count, 1) as count
     from audit_events a ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by a.id desc limit $1`, values)
  return rows.map(withoutNulls)
}
