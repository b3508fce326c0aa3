/** Connections: the applications that people connected by OAuth. Listed, and ended at once. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import connection from '#schemas/administration/connection.json' with { type: 'json' }
import credentialPath from '#schemas/administration/credential_path.json' with { type: 'json' }
import userQuery from '#schemas/administration/user_query.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import { listOf, responses } from '../http/schemas.js'
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'

const MAX_LISTED = 1000

/** Registers `GET /connections` and `DELETE /connections/:id`. */
export function connectionRoutes (
  app: FastifyInstance, { connections, credentials, directory }: ManagementPorts
): void {
  app.get<{ Querystring: FromSchema<typeof userQuery> }>('/connections', {
    schema: {
      operationId: 'listConnections',
      summary: 'List connections in force, newest first, 1,000 at most',
      tags: ['oauth'],
      querystring: userQuery,
      response: responses(200, listOf('connections', connection))
    }
  }, async ({ query: { user } }) => {
    if (user !== undefined) await directory.findUser(user)
    return { connections: await connections.list({ user, limit: MAX_LISTED }) }
  })

  app.delete<{ Params: FromSchema<typeof credentialPath> }>('/connections/:id', {
    schema: {
      operationId: 'revokeConnection',
      summary: 'End a connection',
      tags: ['oauth'],
      params: credentialPath,
      response: responses(200, connection)
    }
  }, async (request) => {
    const { id } = request.params
    const found = await connections.find(id)
    if (!found) {
      throw new Refusal(
        `There is no connection with the id ${JSON.stringify(id.slice(0, 100))}, or it has ended.`, 'not_found')
    }
    await credentials.revoke('connection', id, actorOf(request))
    return found
  })
}
