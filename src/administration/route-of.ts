/** Turns an operation of a table into the options of its route. */
import type { HTTPMethods } from 'fastify'
import { responses } from '../http/schemas.js'
import type { RouteDescription, RouteTable } from './operation.js'

interface RouteOptions { method: HTTPMethods, url: string, schema: object }

/** Returns the route's schema: what is checked, and what the OpenAPI document says. */
export const schemaOf = (
  { id, summary, tag, params, query, body, response, consumes, produces, status }: RouteDescription
) => ({
  operationId: id,
  summary,
  tags: [tag],
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
  ...(consumes && { consumes: [...consumes] }),
  ...(produces && { produces: [...produces] }),
  ...(typeof response === 'object' && { response: responses(status ?? 200, response) })
})

/** Returns method, address and schema of the operation with this key, such as `GET /session`. */
export const routeOf = <Table extends RouteTable>(table: Table, key: keyof Table & keyof RouteTable): RouteOptions => {
  const [method = '', url = ''] = key.split(' ')
  const operation: RouteDescription | undefined = table[key]
  if (!operation) throw new Error(`there is no operation ${key}`)
  return { method: method as HTTPMethods, url, schema: schemaOf(operation) }
}
