/** Whether the process lives, for whoever restarts it; whether it should be sent requests, for whoever balances them. */
import type { FastifyInstance } from 'fastify'

export interface HealthParts {
  /** Rejects when the database does not answer; resolves with whether it has the newest schema. */
  database?: (() => Promise<boolean>) | undefined
  /** In place of a database; its `probe` rejects when it is away. */
  platform?: { probe (): Promise<void> } | undefined
  valkey?: { readonly away: boolean } | undefined
  place?: { readonly held: boolean } | undefined
  /** How the search index stands, in a few words. */
  searchIndex?: (() => Promise<string>) | undefined
  draining: () => boolean
}

const PATIENCE_MS = 2000

/**
 * Without Valkey a replica counts limits for itself, without an index of meanings it finds by words: only its database, or the platform in
 * place of it, has to be there.
 */
export const health = async (app: FastifyInstance, parts: HealthParts): Promise<void> => {
  const { database, platform, valkey, place, searchIndex, draining } = parts
  app.get('/livez', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const newest = await soon(database?.() ?? Promise.resolve(true)).catch(() => undefined)
    const there = await soon(platform?.probe() ?? Promise.resolve()).then(() => true, () => false)
    const indexed = newest === undefined ? 'unknown' : await soon(searchIndex?.() ?? Promise.resolve('not used')).catch(() => 'unknown')
    const placed = place?.held !== false
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

const soon = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => { timer = setTimeout(reject, PATIENCE_MS, new Error('no answer in time')) })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
