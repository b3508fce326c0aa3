/** Serves the liveness probe /livez and the readiness probe /readyz. */
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '../lib/async/deadline.js'

export interface HealthDeps {
  /** Rejects when the database does not answer; resolves with whether it has the newest schema. */
  database?: (() => Promise<boolean>) | undefined
  /** Replaces the database in a gateway; `probe` rejects when the platform does not answer. */
  platform?: { probe (): Promise<void> } | undefined
  valkey?: { readonly away: boolean } | undefined
  replicaLock?: { readonly held: boolean } | undefined
  /** The state of the search index in a few words. */
  searchIndex?: (() => Promise<string>) | undefined
  draining: () => boolean
}

const TIMEOUT_MS = 2000
/** The probes need no credential, so a result is reused for this long to bound the work. */
const VALID_MS = 1000

/**
 * Registers the routes. /livez replies 200 while the process runs. /readyz replies 200 when the database or platform
 * answers, the schema is current, the replica holds its lock and the server is not draining; otherwise 503. Valkey and
 * the search index do not count: without them a replica counts limits by itself and searches by words.
 */
export const health = async (app: FastifyInstance, deps: HealthDeps): Promise<void> => {
  const { database, platform, valkey, replicaLock, searchIndex, draining } = deps
  app.get('/livez', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

  const look = async () => {
    const newest = await withinTimeout(database?.() ?? Promise.resolve(true)).catch(() => undefined)
    const there = await withinTimeout(platform?.probe() ?? Promise.resolve()).then(() => true, () => false)
    const indexed = newest === undefined
      ? 'unknown'
      : await withinTimeout(searchIndex?.() ?? Promise.resolve('not used')).catch(() => 'unknown')
    return { newest, there, indexed }
  }
  const looked = createSharedLook(look)

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const { newest, there, indexed } = await looked()
    const placed = replicaLock?.held !== false
    const ready = newest === true && there && placed && !draining()
    if (!ready) reply.code(503).header('retry-after', 1)
    return {
      status: ready ? 'ok' : 'not ready',
      checks: {
        database: platform ? 'not used' : newest === undefined ? 'away' : 'ok',
        migrations: platform ? 'not used' : newest === undefined ? 'unknown' : newest ? 'ok' : 'behind',
        platform: platform === undefined ? 'not used' : there ? 'ok' : 'away',
        valkey: valkey === undefined ? 'not used' : valkey.away ? 'away: this replica counts limits for itself' : 'ok',
        place: placed ? 'ok' : 'lost: another replica may serve this database without sharing anything else',
        search_index: indexed,
        draining: draining()
      }
    }
  })
}

/** Concurrent probes share one look. */
const createSharedLook = <T>(look: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined
  let validUntil = Infinity
  return () => {
    if (found && performance.now() < validUntil) return found
    validUntil = Infinity
    found = look().finally(() => { validUntil = performance.now() + VALID_MS })
    return found
  }
}

const withinTimeout = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, TIMEOUT_MS, () => new Error('no answer in time'))
