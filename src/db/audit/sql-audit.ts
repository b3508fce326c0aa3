/** The audit log on a database, by months. Concurrent events share one statement; each caller waits for its commit. */
import { createBatchQueue } from '../../lib/async/batch-queue.js'
import type { AuditEvent, AuditLog } from '../../access/audit/audit-log.js'
import { boundedEvent } from '../../access/audit/bounded-event.js'
import type { Queryable } from '../sql/database.js'
import { listAudit } from './sql-audit-list.js'

const MAX_WAITING = 10_000
const BATCH = 500
const PAGE = 1000
const PURGED_AT_ONCE = 5000

// An event that is in the log already, by its event_id, is skipped by a trigger, or by the partition's unique index.
const INSERT = `
  insert into audit_events (user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome,
    duration_ms, request_id, client, remote_address, actor, count, event_id, reported_by)
  select user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms,
    request_id, client, remote_address, actor, coalesce(count, 1), event_id, reported_by
  from jsonb_to_recordset($1::jsonb) as x (user_id uuid, credential_id uuid, credential_kind text, action text,
    workspace_id uuid, exploration_id uuid, outcome text, duration_ms double precision, request_id text, client text,
    remote_address text, actor text, count integer, event_id uuid, reported_by text)
  on conflict do nothing`

/** Writes events by one statement, such as one of a transaction. */
export const insertAuditEvents = async (db: Queryable, events: readonly AuditEvent[]): Promise<void> => {
  await db.query(INSERT, [JSON.stringify(events.map(boundedEvent))])
}

/** The log on `db`. `record` rejects when the database does, and when too many events are waiting. */
export const sqlAuditLog = (db: Queryable): AuditLog => {
  const events = createBatchQueue<AuditEvent>((batch) => insertAuditEvents(db, batch), {
    maxBatch: BATCH, maxQueued: MAX_WAITING, label: 'audit events'
  })

  return {
    record: (event) => events.add(event),

    list: ({ limit, ...filter }) => listAudit(db, filter, limit),

    async * all (filter) {
      let page = await listAudit(db, filter, PAGE)
      while (page.length > 0) {
        yield page
        const last = page.at(-1)
        if (page.length < PAGE || !last) return
        page = await listAudit(db, filter, PAGE, last)
      }
    },

    async purge (days) {
      let all = 0
      for (;;) {
        const [{ deleted } = { deleted: 0 }] = await db.query<{ deleted: number }>(
          'select purge_audit_events($1::int, $2::int) as deleted', [days, PURGED_AT_ONCE])
        all += deleted
        if (deleted < PURGED_AT_ONCE) return all
      }
    },

    async createPartitions () {
      const [{ made } = { made: 0 }] = await db.query<{ made: number }>('select create_audit_partitions() as made')
      return made
    },

    flush: () => events.drain()
  }
}
