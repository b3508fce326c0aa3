/** The audit log on a database: events that arrive together share one statement, and each waits until it is committed. */
import type { AuditEvent, AuditLog, AuditRecord } from './audit.js'
import type { Queryable } from './database.js'
import { storable } from './storable.js'
import { isUuid } from './uuid.js'
import { withoutNulls } from './without-nulls.js'

const MAX_WAITING = 10_000
const BATCH = 500

const INSERT = `
  insert into audit_events (user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms,
    request_id, client, remote_address)
  select user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms, request_id, client, remote_address
  from jsonb_to_recordset($1::jsonb) as x (user_id uuid, credential_id uuid, credential_kind text, action text, workspace_id uuid,
    exploration_id uuid, outcome text, duration_ms double precision, request_id text, client text, remote_address text)`

const LIST = `
  select a.id::text as id, rfc3339(a.at) as at, a.user_id, a.credential_id, a.credential_kind, a.action, a.workspace_id, a.exploration_id,
    a.outcome, a.duration_ms, a.request_id, a.client, a.remote_address
  from audit_events a
  where ($1::text is null or a.user_id in (select u.id from users u where u.id::text = lower($1) or lower(u.email) = lower($1)))
    and ($2::timestamptz is null or a.at >= $2)
  order by a.id desc limit $3`

interface Waiting { event: AuditEvent, resolve: () => void, reject: (error: unknown) => void }

export const sqlAuditLog = (db: Queryable): AuditLog => {
  const waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      try {
        await db.query(INSERT, [JSON.stringify(batch.map(({ event }) => sanitised(event)))])
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    writing = undefined
  }

  return {
    record (event) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Error('too many audit events are waiting'))
      return new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject })
        writing ??= write()
      })
    },

    list: async ({ user, since, limit }) =>
      (await db.query<AuditRecord>(LIST, [user ?? null, since ?? null, limit])).map(withoutNulls),

    async flush () {
      await writing
    }
  }
}

/** Ids that a client made up name nothing, and one event's text must not fail the statement that it shares with others. */
const sanitised = (event: AuditEvent): AuditEvent => ({
  ...event,
  action: storable(event.action),
  client: event.client === undefined ? undefined : storable(event.client),
  workspace_id: event.workspace_id !== undefined && isUuid(event.workspace_id) ? event.workspace_id : undefined,
  exploration_id: event.exploration_id !== undefined && isUuid(event.exploration_id) ? event.exploration_id : undefined
})
