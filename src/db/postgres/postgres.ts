/** The database port over a pool of connections to PostgreSQL 17 or newer: to one server, or the primary of several. */
import pg from 'pg'
import { unavailable } from '../../lib/errors.js'
import type { Database, Queryable } from '../sql/database.js'
import { createFairQueue } from '../../lib/async/fair-queue.js'
import { isRead, outageOf, type Outage } from './postgres-outage.js'
import { primaryOf, serversOf } from './postgres-primary.js'
import { postgresTypes } from './postgres-types.js'
import { PG_SETTINGS } from './pg-settings.js'
import { runStatement, STATEMENT_TIMEOUT_MS } from './postgres-statement.js'

export interface PostgresOptions {
  /** Maximum number of connections; one more is opened when needed, to cancel statements. */
  connections?: number
  /** Called when an idle connection breaks. */
  onIdleError?: (error: Error) => void
}

/** So many connections stay open while no one uses them. */
const MAX_IDLE = 10
const LOCK_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000
const OPTIONS = Object.entries(PG_SETTINGS).map(([name, value]) => `-c ${name}=${value}`).join(' ')
// Any number that no other program takes for its advisory lock.
const MIGRATION_LOCK = 7_310_942_118

/** @throws the driver's error when the server cannot be reached */
export const openPostgres = async (
  url: string, { connections = 10, onIdleError = () => {} }: PostgresOptions = {}
): Promise<Database> => {
  const several = serversOf(url).length > 1
  const poolOf = (server: string, max: number): pg.Pool => new pg.Pool({
    connectionString: server,
    max,
    min: Math.min(max, MAX_IDLE),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'exploration-mcp',
    options: OPTIONS,
    keepAlive: true,
    types: postgresTypes
  }).on('error', onIdleError)

  const open = (server: string) => ({
    server,
    pool: poolOf(server, connections),
    // A separate pool: statements are cancelled just when every connection may be in use.
    cancellers: poolOf(server, 1)
  })
  let { server, pool, cancellers } = open(await primaryOf(url))

  // The pool is first come, first served. The queue before it gives callers turns, and each at most a quarter of the
  // connections, because their statements compete for the database's processors.
  const queue = createFairQueue({
    maxRunning: connections,
    maxRunningPerCaller: Math.max(1, Math.ceil(connections / 4)),
    maxWaitMs: CONNECT_TIMEOUT_MS,
    waitedTooLong: () => unavailable('The database has too much to do.', undefined)
  })

  const close = async (): Promise<void> => { await Promise.all([pool.end(), cancellers.end()]) }

  await pool.query('select 1').catch(async (error: unknown) => {
    await close()
    throw error
  })

  /** Runs work on one connection. It returns to the pool unless it broke, or is `spent` by what the work did to it. */
  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>, { spent = false } = {}): Promise<T> => {
    const client = await pool.connect()
    let broken: Error | boolean = spent
    // The pool does not listen while a connection is in use, and an unhandled error event would end the process.
    const onError = (error: Error): void => { broken = error }
    client.on('error', onError)
    try {
      return await work(client)
    } catch (error) {
      // Not even a rollback was possible: do not return this connection to the pool.
      if (outageOf(error) === 'lost') broken = true
      else await client.query('rollback').catch((reason: Error) => { broken = reason })
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  /** Switches to another primary, if there is one by now. Running work finishes on the old pool. */
  const follow = async (): Promise<void> => {
    const primary = await primaryOf(url)
    if (primary === server) return
    close().catch(onIdleError);
    ({ server, pool, cancellers } = open(primary))
  }
  const replace = async (): Promise<void> => {
    for (let idle = pool.idleCount; idle > 0; idle--) (await pool.connect()).release(true)
  }
  let renewing: Promise<void> | undefined
  /** When one connection breaks, the other idle ones are no better: replace the pool. */
  const renew = (outage: Outage): Promise<void> => {
    renewing ??= follow()
      .then(() => outage === 'lost' ? replace() : undefined)
      .catch(onIdleError)
      .finally(() => { renewing = undefined })
    return renewing
  }

  /** Repeats work that may be repeated once, after an outage. A second outage becomes the `Fault` `unavailable`. */
  const lasting = async <T>(mayAgain: () => boolean, work: () => Promise<T>): Promise<T> => {
    const poolBefore = pool
    try {
      return await work()
    } catch (error) {
      const outage = outageOf(error)
      if (outage === undefined) throw error
      if (poolBefore === pool && (outage === 'lost' || several)) await renew(outage)
      if ((outage === 'lost' || poolBefore !== pool) && mayAgain()) return lasting(never, work)
      throw unavailable('The database is away.', error)
    }
  }

  /** Cancels the statement, and keeps the connection until then: a late cancellation would hit the next statement. */
  const cancellable = async <R>(
    client: pg.PoolClient, signal: AbortSignal, text: string, values: readonly unknown[]
  ): Promise<R[]> => {
    signal.throwIfAborted()
    let cancelling: Promise<unknown> | undefined
    const cancel = (): void => {
      const pid = processId(client)
      cancelling = cancellers.query('select pg_cancel_backend(pid) from pg_stat_activity where pid = $1', [pid])
        .catch(onIdleError)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await runStatement<R>(client, text, values)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      await cancelling
    }
  }

  const queryOn = (client: pg.PoolClient): Queryable['query'] => (text, values = [], { signal } = {}) =>
    signal ? cancellable(client, signal, text, values) : runStatement(client, text, values)

  return {
    query: async (text, values = [], { signal, caller } = {}) => {
      signal?.throwIfAborted()
      return queue.run(() => lasting(() => isRead(text), () => signal
        ? withClient((client) => cancellable(client, signal, text, values))
        : runStatement(pool, text, values)), caller)
    },

    transaction: (work) => queue.run(() => lasting(never, () => withClient(async (client) => {
      await client.query('begin')
      const outcome = await work({ query: queryOn(client) })
      await client.query('commit')
      return outcome
    }))),

    script: (text) => withClient(async (client) => { await client.query(text) }),

    async openConnections () {
      const count = Math.min(connections, MAX_IDLE)
      const all = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()))
      for (const connection of all) if (connection.status === 'fulfilled') connection.value.release()
    },

    connections: () => ({
      inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: queue.waiting + pool.waitingCount
    }),

    // The lock and its timeout end with the connection.
    exclusively: (work) => withClient(async (client) => {
      await client.query('set lock_timeout = 0; set statement_timeout = 0')
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      return await work()
    }, { spent: true }),

    close
  }
}

const never = (): boolean => false

/** The id of the server process of a connection, which the driver knows but does not declare. */
const processId = (client: pg.PoolClient): number | null =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : null
