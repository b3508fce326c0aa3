/** An advisory lock per replica: exclusive without Valkey, shared with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { primaryOf } from '../db/postgres-primary.js'

export interface ReplicaLock {
  /** Whether it has the place now. */
  readonly held: boolean
  close (): Promise<void>
}

export interface ReplicaLockOptions {
  /** Whether it shares more than the database with the others. */
  sharing: boolean
  /** Told when the place is lost, and, without a reason, when it is there again. */
  onChange: (lost?: Error) => void
  tryEveryMs?: number
}

// Any number that no other program takes for its advisory lock.
const REPLICAS_LOCK = 7_310_942_119

/** Undefined when the others there are do not allow it. */
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
    onChange(new Error('The connection that held the place was lost.'))
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
