/** Legacy sessions that were ended before their time: remembered until they would have expired, over restarts too. */
import { createHash } from 'node:crypto'
import type { Queryable } from './database.js'
import { gather } from './gather.js'

export interface EndedSessions {
  has (id: string): Promise<boolean>
  /** `expires` in milliseconds since the epoch. */
  add (id: string, expires: number): Promise<void>
}

/** For the one process that owns the database: asked from memory, which starts with what the database remembers. */
export const sqlEndedSessions = async (db: Queryable): Promise<EndedSessions> => {
  await db.query('delete from ended_sessions where expires_at <= now()')
  const rows = await db.query<{ hash: string }>('select encode(id_hash, \'base64\') as hash from ended_sessions')
  const ended = new Set(rows.map(({ hash }) => hash))
  return {
    has: async (id) => ended.size > 0 && ended.has(hashOf(id).toString('base64')),

    async add (id, expires) {
      const hash = hashOf(id)
      await remember(db, hash, expires)
      ended.add(hash.toString('base64'))
    }
  }
}

/** For several processes on one database: asked from it each time. */
export const sharedEndedSessions = (db: Queryable): EndedSessions => {
  const ended = gather(async (hashes) => {
    const rows = await db.query<{ hash: string }>(
      'select encode(id_hash, \'hex\') as hash from ended_sessions where id_hash = any($1::text[]::bytea[])', [hashes.map((hash) => `\\x${hash}`)])
    return new Map(rows.map(({ hash }) => [hash, true]))
  })
  return {
    has: async (id) => await ended(hashOf(id).toString('hex')) === true,
    add: (id, expires) => remember(db, hashOf(id), expires)
  }
}

const remember = async (db: Queryable, hash: Buffer, expires: number): Promise<void> => {
  await db.query(
    'insert into ended_sessions (id_hash, expires_at) values ($1, $2::timestamptz) on conflict do nothing',
    [hash, new Date(expires).toISOString()])
}

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest()
