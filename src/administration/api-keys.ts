/** API keys: created once, listed without their secret, revoked at once. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import createdKey from '#schemas/administration/created_key.json' with { type: 'json' }
import credential from '#schemas/administration/credential.json' with { type: 'json' }
import credentialPath from '#schemas/administration/credential_path.json' with { type: 'json' }
import newKey from '#schemas/administration/new_key.json' with { type: 'json' }
import userQuery from '#schemas/administration/user_query.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../http/schemas.js'

/** Registers `POST /api-keys`, `GET /api-keys` and `DELETE /api-keys/:id`. An unknown user or key is a `Refusal`. */
export function apiKeys (app: FastifyInstance, { credentials, directory }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newKey> }>('/api-keys', {
    schema: {
      operationId: 'createApiKey',
      summary: 'Create an API key',
      tags: ['credentials'],
      body: newKey,
      response: responses(201, createdKey)
    }
  }, async (request, reply) => {
    const { expires_in: seconds, ...key } = request.body
    const created = await credentials.createKey({ ...key, expiresIn: seconds && seconds * 1000, by: actorOf(request) })
    return reply.code(201).header('cache-control', 'no-store').send(created)
  })

  app.get<{ Querystring: FromSchema<typeof userQuery> }>('/api-keys', {
    schema: {
      operationId: 'listApiKeys',
      summary: 'List API keys',
      tags: ['credentials'],
      querystring: userQuery,
      response: responses(200, listOf('api_keys', credential))
    }
  }, async ({ query }) => {
    if (query.user !== undefined) await directory.findUser(query.user)
    return { api_keys: await credentials.list('api_key', query) }
  })

  app.delete<{ Params: FromSchema<typeof credentialPath> }>('/api-keys/:id', {
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      tags: ['credentials'],
      params: credentialPath,
      response: responses(200, credential)
    }
  }, (request) => credentials.revoke('api_key', request.params.id, actorOf(request)))
}
