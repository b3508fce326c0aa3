/** Handlers: the running server by the command line. */
import { Refusal } from '../../lib/errors.js'
import { SERVER } from '../../config/server-info.js'
import type { Handlers } from '../handler.js'
import { ndjsonProgress } from '../ndjson-progress.js'
import type { serverOperations } from '../operations/server.js'
import type { ImportProgress, ManagementPorts } from '../ports.js'

/** Returns the handlers by method and path. */
export const serverHandlers = (
  { endpoint, observer, searchIndex }: Pick<ManagementPorts, 'endpoint' | 'observer' | 'searchIndex'>
): Handlers<typeof serverOperations> => ({
  'GET /server': async () => ({ name: SERVER.name, version: SERVER.version, endpoint: endpoint?.() ?? null }),

  'GET /observations': async () => {
    if (!observer) throw new Refusal('This server does not observe its clients: start it with --observe.', 'conflict')
    return { clients: observer.report() }
  },

  'GET /search-index': () => searchIndex.state(),

  'POST /search-index/rebuild': async ({ request: { id, log }, reply, record }) => {
    await searchIndex.rebuild()
    await record('search_index/rebuilt')
    const settled = (onProgress: (progress: ImportProgress) => void) =>
      searchIndex.settle((progress) => onProgress({ phase: 'embedding', ...progress }))
    return reply.type('application/x-ndjson').send(ndjsonProgress(settled, { id, log }))
  }
})
