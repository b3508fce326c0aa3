/** Audit events of another time, as only the owner of the schema can make them. */
import type { Database } from '../../src/db/database.js'

/** Inserts what a query gives: at, action, outcome, duration_ms, request_id, remote_address. */
export const backDated = (owner: Database, rows: string): Promise<void> => owner.script(`
  alter table audit_events disable trigger stamp;
  insert into audit_events (at, action, outcome, duration_ms, request_id, remote_address) ${rows};
  alter table audit_events enable trigger stamp;`)
