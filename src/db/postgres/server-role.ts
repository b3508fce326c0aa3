/** The rights of the server's own role on PostgreSQL: all but changing the audit log, the history or the schema. */
import { Refusal } from '../../lib/errors.js'
import type { Database, Queryable } from '../sql/database.js'

// Everything that was granted before is revoked first, so that a grant that is not listed here does not stay. In the
// audit log the role may write only the named columns: neither the id nor the time.
const GRANTS = `
  select format(line, current_schema(), $1::text, current_database()) as grant from unnest(array[
    'revoke all on all tables in schema %1$I from %2$I, public',
    'revoke all on all sequences in schema %1$I from %2$I, public',
    'revoke all on schema %1$I from %2$I',
    'revoke create on schema %1$I from public',
    'revoke create, temporary on database %3$I from %2$I, public',
    'grant usage on schema %1$I to %2$I',
    'grant select, insert, update, delete on all tables in schema %1$I to %2$I',
    'grant usage, select on all sequences in schema %1$I to %2$I',
    'revoke insert, update, delete on %1$I.audit_events, %1$I.audit_retention, %1$I.audit_partitions,
      %1$I.schema_migrations, %1$I.embedders from %2$I',
    'grant insert (user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome,
      duration_ms, request_id, client, remote_address, actor, count, event_id, reported_by)
      on %1$I.audit_events to %2$I',
    'revoke insert, update, delete on %1$I.history from %2$I',
    'grant insert (exploration_id, workspace_id, user_id, "user", credential_id, credential, client, tool, kind, target,
      before, after, undoes, events) on %1$I.history to %2$I',
    -- With its exploration the history of it would go.
    'revoke delete on %1$I.explorations, %1$I.workspaces from %2$I',
    'grant update (unrelated, related) on %1$I.embedders to %2$I'
  ]) line
  union all
  -- Anyone who writes into a partition itself chooses the time.
  select format('revoke all on %s from %I, public', inhrelid::regclass, $1::text) from pg_inherits
  where inhparent = 'audit_events'::regclass
  union all
  -- Functions that run with the rights of the owner.
  select format(line, p.oid::regprocedure, $1::text) from pg_proc p cross join unnest(array[
    'revoke all on function %1$s from %2$I, public',
    'grant execute on function %1$s to %2$I'
  ]) line where p.pronamespace = current_schema()::regnamespace and p.prosecdef
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

// Rights beyond those grants: granted by another role or a superuser, or because the migrating role is not the owner.
const REMAINING = `
  select what from (values
    ('is a member of the schema''s owner', pg_has_role($1::name, current_user, 'member')),
    ('may change the audit log', has_table_privilege($1::name, 'audit_events', 'update, delete, truncate, trigger')),
    ('may change the history', has_table_privilege($1::name, 'history', 'update, delete, truncate, trigger')),
    ('may read or write a partition of the audit log itself', exists (
      select from pg_inherits where inhparent = 'audit_events'::regclass and (
        has_table_privilege($1::name, inhrelid, 'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege($1::name, inhrelid, 'select, insert, update, references')))),
    ('may set the time of audit events', has_column_privilege($1::name, 'audit_events', 'at', 'insert')
      or has_column_privilege($1::name, 'audit_events', 'id', 'insert')),
    ('may change how long audit events are kept',
      has_table_privilege($1::name, 'audit_retention', 'insert, update, delete, truncate')),
    ('may change schema_migrations',
      has_table_privilege($1::name, 'schema_migrations', 'insert, update, delete, truncate')),
    (format('may create in the schema (revoke create on schema %I from ...)', current_schema()),
      has_schema_privilege($1::name, current_schema(), 'create')),
    (format('may create schemas (revoke create on database %I from ...)', current_database()),
      has_database_privilege($1::name, current_database(), 'create')),
    (format('may make temporary tables (revoke temporary on database %I from public)', current_database()),
      has_database_privilege($1::name, current_database(), 'temporary')),
    ('may create roles, replicate or bypass row security',
      (select rolcreaterole or rolreplication or rolbypassrls from pg_roles where rolname = $1))
  ) remaining (what, has) where has`

/**
 * Grants a role what the server needs and revokes everything else, in one transaction: a server that runs as this role
 * notices nothing.
 * @param role name of an existing role that is neither the caller nor a superuser
 * @param retentionDays days for which this role must keep audit events; undefined keeps them for ever
 * @throws {Refusal} when the role does not exist, owns the schema, or would still have a forbidden right
 */
export const admitServerRole = async (db: Database, role: string, retentionDays?: number): Promise<void> => {
  const [found] = await db.query<{ owner: boolean }>(
    'select rolname = current_user or rolsuper as owner from pg_roles where rolname = $1', [role])
  if (!found) {
    throw new Refusal(`There is no role ${JSON.stringify(role.slice(0, 63))}: create it first ` +
      '(create role … login password …).', 'not_found')
  }
  if (found.owner) {
    throw new Refusal('The server\'s role is to be another than the one that migrates, and no superuser.')
  }
  await db.transaction(async (tx) => {
    for (const { grant } of await tx.query<{ grant: string }>(GRANTS, [role])) await tx.query(grant)
    await tx.query('update audit_retention set min_days = $1::int', [retentionDays ?? null])
    await requireNoMore(tx, role)
  })
}

const requireNoMore = async (tx: Queryable, role: string): Promise<void> => {
  const remaining = await tx.query<{ what: string }>(REMAINING, [role])
  if (remaining.length === 0) return
  throw new Refusal(`The role ${JSON.stringify(role)} ${remaining.map(({ what }) => what).join(', ')}. ` +
    'Take that from it as the owner of the database or a superuser, then run this again.')
}
