/** Prepares the search when an agent connects, because the first question would wait for the search worker. */
import type { FastifyInstance } from 'fastify'

/** What agents send when they connect, in each revision. */
const CONNECTING: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'tools/list'])

/**
 * Adds a hook to `scope` that calls `prepareSearch` after each answer to a connecting agent whose credential was
 * accepted. Nothing waits for it.
 */
export const prepareSearchOnConnect = (scope: FastifyInstance, prepareSearch: () => void): void => {
  scope.addHook('onResponse', ({ about }, _reply, done) => {
    const operation = about?.operation
    if (operation?.outcome === 'ok' && CONNECTING.has(operation.method)) prepareSearch()
    done()
  })
}
