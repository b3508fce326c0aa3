/** An advisory lock per replica: exclusive without Valkey, shared with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { primaryOf } from '../db/postgres/postgres-primary.js'
import { REPLICAS_LOCK } from './replica-lock-key.js'

export interface ReplicaLock {
  readonly held: boolean
  close (): Promise<void>
}

export interface ReplicaLockOptions {
  /** Whether the replicas share their state through Valkey. If so, several may hold the lock at once. */
  sharing: boolean
  /** Called with the reason when the lock is lost, and without a reason when it is held again. */
  onChange: (lost?: Error) => void
  tryEveryMs?: number
}

/**
 * Takes the lock on the primary of `url`, over a connection of its own; undefined when another replica holds one that
 * excludes it. A lost lock is tried again. @throws the driver's error when the database cannot be reached
 */
export const acquireReplicaLock = async (
  url: string, { sharing, onChange, tryEveryMs = 500 }: ReplicaLockOptions
): Promise<ReplicaLock | undefined> => {
  const closing = new AbortController()
  let client: pg.Client | undefined

  const take = async (): Promise<boolean> => {
    const trying = new pg.Client({
      connectionString: await primaryOf(url),
      connectionTimeoutMillis: 5000,
      application_name: 'exploration-mcp replica',
      keepAlive: true
    })
    trying.on('error', () => {})
    try {
      await trying.connect()
      const { rows } = await trying.query<{ taken: boolean }>(
        `select ${sharing ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'}($1) as taken`, [REPLICAS_LOCK])
      if (rows[0]?.taken && !closing.signal.aborted) {
        trying.once('end', () => { lose().catch(() => {}) })
        client = trying
        return true
      }
    } catch (error) {
      await trying.end().catch(() => {})
      throw error
    }
    await trying.end()
    return false
  }

  const lose = async (): Promise<void> => {
    if (closing.signal.aborted) return
    client = undefined
    onChange(new Error('The connection that held the replica lock was lost.'))
    while (!await take().catch(() => false)) await sleep(tryEveryMs, undefined, { ref: false, signal: closing.signal })
    onChange()
  }

  if (!await take()) return undefined
  return {
    get held () {
      return client !== undefined
    },
    async close () {
      closing.abort()
      await client?.end()
    }
  }
}
