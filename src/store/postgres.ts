/** The database on a server: PostgreSQL 17 or newer with pgvector and pg_trgm, through a pool of connections. */
import pg from 'pg'
import type { Database, Queryable } from './database.js'

export interface PostgresOptions {
  /** Most connections at a time. */
  connections?: number
  /** Told of a connection that broke while nobody used it. */
  onIdleError?: (error: Error) => void
}

const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000
// Any number that no other program takes for its advisory lock.
const MIGRATION_LOCK = 7_310_942_118

export const openPostgres = async (url: string, { connections = 10, onIdleError = () => {} }: PostgresOptions = {}): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'exploration-mcp'
  })
  pool.on('error', onIdleError)
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end()
    throw error
  })

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      // A connection that cannot even be rolled back is not given back to the pool.
      await client.query('rollback').catch((reason: Error) => { broken = reason })
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    query: queryOn(pool),

    transaction: (work) => withClient(async (client) => {
      await client.query('begin')
      const outcome = await work({ query: queryOn(client) })
      await client.query('commit')
      return outcome
    }),

    script: (text) => withClient(async (client) => { await client.query(text) }),

    exclusively: (work) => withClient(async (client) => {
      await client.query('set lock_timeout = 0; set statement_timeout = 0')
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      try {
        return await work()
      } finally {
        await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
        await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
      }
    }),

    close: () => pool.end()
  }
}

const queryOn = (on: pg.Pool | pg.PoolClient): Queryable['query'] => async <R>(text: string, values: readonly unknown[] = [], options: { signal?: AbortSignal | undefined } = {}) => {
  options.signal?.throwIfAborted()
  const { rows } = await on.query(text, [...values])
  return rows as R[]
}
