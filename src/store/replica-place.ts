/**
 * A server's place beside the others on one database. Whoever shares nothing but the database with them must be alone: its limits, and
 * what it says on its streams, would be no other replica's. PostgreSQL gives the place up when the process ends, however it ends.
 */
import pg from 'pg'

export interface Place { close (): Promise<void> }

// Any number that no other program takes for its advisory lock.
const REPLICAS_LOCK = 7_310_942_119

/** Undefined when the others there are do not allow it. */
export const takePlace = async (url: string, sharing: boolean, lost: (error: Error) => void): Promise<Place | undefined> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: 'exploration-mcp replica', keepAlive: true })
  let closing = false
  client.on('error', (error) => { if (!closing) lost(error) })
  await client.connect()
  const { rows } = await client.query<{ taken: boolean }>(
    `select ${sharing ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'}($1) as taken`, [REPLICAS_LOCK])
  const close = async (): Promise<void> => {
    closing = true
    await client.end()
  }
  if (rows[0]?.taken) return { close }
  await close()
  return undefined
}
