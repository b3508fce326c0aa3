/** How the search index stands, and making it anew. */
import type { FastifyInstance } from 'fastify'
import indexState from '#schemas/api/search_index.json' with { type: 'json' }
import type { ManagementPorts } from './management-ports.js'
import { responses } from '../schemas.js'
import { ndjsonProgress } from './ndjson-progress.js'

export function searchIndexRoutes (app: FastifyInstance, { searchIndex: index }: ManagementPorts): void {
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
  }, async ({ id, log }, reply) => {
    await index.rebuild()
    const lines = ndjsonProgress((onProgress) => index.settle((progress) => onProgress({ phase: 'embedding', ...progress })), {
      id, log
    })
    return reply.type('application/x-ndjson').send(lines)
  })
}
