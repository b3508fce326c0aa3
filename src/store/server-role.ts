/** What the server's own role may do on PostgreSQL, where another owns the schema: all but to change the audit log or the schema. */
import { Refusal } from '../errors.js'
import type { Database } from './database.js'

const GRANTS = `
  select format(line, current_schema(), $1::text) as grant from unnest(array[
    'grant usage on schema %1$I to %2$I',
    'grant select, insert, update, delete on all tables in schema %1$I to %2$I',
    'grant usage, select on all sequences in schema %1$I to %2$I',
    'revoke update, delete, truncate on %1$I.audit_events from %2$I',
    'revoke insert, update, delete, truncate on %1$I.schema_migrations from %2$I',
    'grant execute on function %1$I.purge_audit_events to %2$I',
    'revoke insert, update, delete, truncate on %1$I.embedders from %2$I',
    'grant update (unrelated, related) on %1$I.embedders to %2$I',
    'grant execute on function %1$I.adopt_embedder to %2$I',
    'grant execute on function %1$I.complete_embedder to %2$I',
    'grant execute on function %1$I.index_vectors to %2$I',
    'grant execute on function %1$I.tidy_search_words to %2$I'
  ]) line`

export const admitServerRole = async (db: Database, role: string): Promise<void> => {
  const [found] = await db.query<{ owner: boolean }>('select rolname = current_user or rolsuper as owner from pg_roles where rolname = $1', [role])
  if (!found) throw new Refusal(`There is no role ${JSON.stringify(role.slice(0, 63))}: create it first (create role … login password …).`, 'not_found')
  if (found.owner) throw new Refusal('The server\'s role is to be another than the one that migrates, and no superuser.')
  for (const { grant } of await db.query<{ grant: string }>(GRANTS, [role])) await db.query(grant)
}
