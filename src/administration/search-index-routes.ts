/** State and rebuild of the search index. */
import type { FastifyInstance } from 'fastify'
import indexState from '#schemas/administration/search_index.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ImportProgress, ManagementPorts } from './management-ports.js'
import { responses } from '../http/schemas.js'
import { ndjsonProgress } from './ndjson-progress.js'
import { recordOperation } from './record-operation.js'

/**
 * Registers `GET /search-index`, and `POST /search-index/rebuild`, which streams NDJSON progress until all is
 * embedded.
 */
export function searchIndexRoutes (app: FastifyInstance, { searchIndex: index, audit }: ManagementPorts): void {
  app.get('/search-index', {
    schema: {
      operationId: 'getSearchIndex',
      summary: 'How the search index stands',
      tags: ['search'],
      response: responses(200, indexState)
    }
  }, async () => index.state())

  app.post('/search-index/rebuild', {
    schema: {
      operationId: 'rebuildSearchIndex',
      summary: 'Make the search index anew; what is there answers until then',
      tags: ['search'],
      produces: ['application/x-ndjson']
    }
  }, async (request, reply) => {
    const { id, log } = request
    await index.rebuild()
    await recordOperation(audit, { action: 'search_index/rebuilt', requestId: id, actor: actorOf(request) })
    const settled = (onProgress: (progress: ImportProgress) => void) =>
      index.settle((progress) => onProgress({ phase: 'embedding', ...progress }))
    return reply.type('application/x-ndjson').send(ndjsonProgress(settled, { id, log }))
  })
}
