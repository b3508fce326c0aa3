/** What an administrator wants to know of the database and of what is in it. */
import type { Queryable } from './database.js'

export interface DatabaseStatus {
  version: string
  size_bytes: number
  workspaces: number
  explorations: number
  people: number
  service_accounts: number
  /** In force. */
  credentials: number
  /** Replicas that hold the lock of replicas on this database; 0 on an embedded one. */
  replicas: number
}

const STATUS = `
  select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size_bytes,
    (select count(*)::int from workspaces where archived_at is null) as workspaces,
    (select count(*)::int from explorations) as explorations,
    (select count(*)::int from users where kind = 'person' and deactivated_at is null) as people,
    (select count(*)::int from users where kind = 'service_account' and deactivated_at is null) as service_accounts,
    (select count(*)::int from credentials
      where revoked_at is null and (expires_at is null or expires_at > now())) as credentials,
    (select count(*)::int from pg_locks l
      where l.locktype = 'advisory' and l.granted and l.classid = ($1::int8 >> 32)::oid
      and l.objid = ($1::int8 & 4294967295)::oid and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())) as replicas`

/** @param replicaLock the key of the advisory lock that each replica holds */
export const sqlDatabaseStatus = (db: Queryable, replicaLock: number) => async (): Promise<DatabaseStatus> => {
  const [status] = await db.query<DatabaseStatus>(STATUS, [replicaLock])
  if (!status) throw new Error('the database did not answer with its state')
  return { ...status, size_bytes: Number(status.size_bytes) }
}
