/** The audit log on a database: events that arrive together share one statement, and each waits until it is committed. */
import { batched } from '../batched.js'
import type { AuditEvent, AuditLog } from './audit.js'
import type { Queryable } from './database.js'
import { listAudit } from './sql-audit-list.js'
import { storable } from './storable.js'
import { isUuid } from './uuid.js'

const MAX_WAITING = 10_000
const BATCH = 500
const PAGE = 1000
const PURGED_AT_ONCE = 5000

const INSERT = `
  insert into audit_events (user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms,
    request_id, client, remote_address, actor, count, event_id)
  select user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms, request_id, client, remote_address,
    actor, coalesce(count, 1), event_id
  from jsonb_to_recordset($1::jsonb) as x (user_id uuid, credential_id uuid, credential_kind text, action text, workspace_id uuid,
    exploration_id uuid, outcome text, duration_ms double precision, request_id text, client text, remote_address text, actor text, count integer, event_id uuid)
  on conflict (event_id) where event_id is not null do nothing`

export const sqlAuditLog = (db: Queryable): AuditLog => {
  const events = batched<AuditEvent>(async (batch) => {
    await db.query(INSERT, [JSON.stringify(batch.map(sanitised))])
  }, { most: BATCH, mostWaiting: MAX_WAITING, what: 'audit events' })

  return {
    record: (event) => events.add(event),

    list: ({ limit, ...filter }) => listAudit(db, filter, limit),

    async * all (filter) {
      let page = await listAudit(db, filter, PAGE)
      while (page.length > 0) {
        yield page
        if (page.length < PAGE) return
        page = await listAudit(db, filter, PAGE, page.at(-1)!.id)
      }
    },

    async purge (days) {
      let all = 0
      for (;;) {
        const [{ gone } = { gone: 0 }] = await db.query<{ gone: number }>('select purge_audit_events($1::int, $2::int) as gone', [days, PURGED_AT_ONCE])
        all += gone
        if (gone < PURGED_AT_ONCE) return all
      }
    },

    flush: () => events.idle()
  }
}

/** Ids that a client made up name nothing, and one event's text must not fail the statement that it shares with others. */
const sanitised = (event: AuditEvent): AuditEvent => ({
  ...event,
  action: storable(event.action),
  outcome: storable(event.outcome),
  request_id: storable(event.request_id),
  remote_address: storable(event.remote_address),
  client: event.client === undefined ? undefined : storable(event.client),
  actor: event.actor === undefined ? undefined : storable(event.actor),
  workspace_id: event.workspace_id !== undefined && isUuid(event.workspace_id) ? event.workspace_id : undefined,
  exploration_id: event.exploration_id !== undefined && isUuid(event.exploration_id) ? event.exploration_id : undefined
})
