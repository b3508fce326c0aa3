/** The running server by the command line: its address, its search index, the clients that it observes. */
import observations from '#schemas/administration/observations.json' with { type: 'json' }
import searchIndex from '#schemas/administration/search_index.json' with { type: 'json' }
import server from '#schemas/administration/server.json' with { type: 'json' }
import { tagged } from '../operation.js'
import { OPERATOR } from '../permission.js'

export const serverOperations = tagged('server', {
  'GET /server': {
    id: 'getServer',
    summary: 'Version and address of the running server',
    may: OPERATOR,
    response: server
  },
  'GET /observations': {
    id: 'listObservations',
    summary: 'List observed clients and what each does wrong',
    may: OPERATOR,
    response: observations
  },
  'GET /search-index': {
    id: 'getSearchIndex',
    summary: 'The state of the search index',
    may: OPERATOR,
    response: searchIndex
  },
  'POST /search-index/rebuild': {
    id: 'rebuildSearchIndex',
    summary: 'Rebuild the search index; searches use the old one until then',
    may: OPERATOR,
    audit: ['search_index/rebuilt'],
    produces: ['application/x-ndjson']
  }
})
