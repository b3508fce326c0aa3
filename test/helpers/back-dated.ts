/** Audit events of another time, as only the owner of the schema can make them. */
import type { Database } from '../../src/db/sql/database.js'

const COLUMNS = 'at, action, outcome, duration_ms, request_id, remote_address'

/**
 * Inserts what a query gives for these columns. No trigger stamps these events; the schema stays as it is, so that an embedded database can
 * be used again.
 */
export const backDated = (owner: Database, rows: string, columns = COLUMNS): Promise<void> => owner.transaction(async (tx) => {
  await tx.query('set local session_replication_role = replica')
  await tx.query(`insert into audit_events (${columns}) ${rows}`)
})
