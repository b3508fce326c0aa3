/** Turns an operation of a table into the options of its route. */
import type { HTTPMethods } from 'fastify'
import { responses } from '../../api/schemas.js'
import type { Operation, OperationTable } from './operation.js'

interface RouteOptions { method: HTTPMethods, url: string, schema: object }

/** Returns method, address and schema of the operation with this key, such as `GET /session`. */
export const routeOf = <Table extends OperationTable>(table: Table, key: keyof Table & string): RouteOptions => {
  const [method = '', url = ''] = key.split(' ')
  const { id, summary, tag, params, query, body, response, status }: Operation = table[key as keyof OperationTable]!
  return {
    method: method as HTTPMethods,
    url,
    schema: {
      operationId: id,
      summary,
      tags: [tag],
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(typeof response === 'object' && { response: responses(status ?? 200, response) })
    }
  }
}
