/** Legacy sessions that were ended early. They are stored until they would have expired, across restarts. */
import { hash } from 'node:crypto'
import type { Queryable } from '../sql/database.js'
import { batchLoader } from '../../lib/async/batch-loader.js'
import type { EndedSessionStore } from '../../engine/eras/legacy/session.js'

/** The SHA-256 of a session's id, in hexadecimal: what is stored of a session that ended. */
export const hashOfSession = (id: string): string => hash('sha256', id)

/** For the one process that owns the database: read from memory, which is filled from the database at the start. */
export const sqlEndedSessionStore = async (db: Queryable): Promise<EndedSessionStore> => {
  const rows = await db.query<{ hash: string, expires: number }>(
    `select encode(id_hash, 'hex') as hash, extract(epoch from expires_at)::float8 * 1000 as expires from ended_sessions
     where expires_at > now() order by expires_at`)
  const endedSessions = new Map(rows.map(({ hash, expires }) => [hash, expires]))
  return {
    has: (id) => endedSessions.size > 0 && endedSessions.has(hashOfSession(id)),

    async add (id, expires) {
      await storeEnded(db, id, expires)
      // Insertion order is nearly the order of expiry.
      for (const [hash, at] of endedSessions) {
        if (at > Date.now()) break
        endedSessions.delete(hash)
      }
      endedSessions.set(hashOfSession(id), expires)
    }
  }
}

/** For several processes on one database: read from it each time. */
export const sharedEndedSessionStore = (db: Queryable): EndedSessionStore => {
  const endedSessions = batchLoader(async (hashes) => {
    const rows = await db.query<{ hash: string }>(
      `select encode(id_hash, 'hex') as hash from ended_sessions
       where id_hash = any(array(select decode(hash, 'hex') from unnest($1::text[]) hash))`, [hashes])
    return new Map(rows.map(({ hash }) => [hash, true]))
  })
  return {
    has: async (id) => await endedSessions(hashOfSession(id)) === true,
    add: (id, expires) => storeEnded(db, id, expires)
  }
}

const storeEnded = async (db: Queryable, id: string, expires: number): Promise<void> => {
  await db.query(
    `with expired as (delete from ended_sessions where expires_at <= now())
     insert into ended_sessions (id_hash, expires_at) values (decode($1, 'hex'), $2::timestamptz)
     on conflict do nothing`,
    [hashOfSession(id), new Date(expires).toISOString()])
}
