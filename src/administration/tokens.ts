/** Personal access tokens: created once, listed without their secret, revoked at once. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import createdToken from '#schemas/administration/created_token.json' with { type: 'json' }
import credential from '#schemas/administration/credential.json' with { type: 'json' }
import credentialPath from '#schemas/administration/credential_path.json' with { type: 'json' }
import newToken from '#schemas/administration/new_token.json' with { type: 'json' }
import userQuery from '#schemas/administration/user_query.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../http/schemas.js'

/** Registers `POST /tokens`, `GET /tokens` and `DELETE /tokens/:id`. An unknown user or token is a `Refusal`. */
export function tokens (app: FastifyInstance, { credentials, directory }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newToken> }>('/tokens', {
    schema: {
      operationId: 'createToken',
      summary: 'Create a token',
      tags: ['credentials'],
      body: newToken,
      response: responses(201, createdToken)
    }
  }, async (request, reply) => {
    const { expires_in: seconds, ...token } = request.body
    const created = await credentials.createToken({
      ...token, expiresIn: seconds && seconds * 1000, by: actorOf(request)
    })
    return reply.code(201).header('cache-control', 'no-store').send(created)
  })

  app.get<{ Querystring: FromSchema<typeof userQuery> }>('/tokens', {
    schema: {
      operationId: 'listTokens',
      summary: 'List tokens',
      tags: ['credentials'],
      querystring: userQuery,
      response: responses(200, listOf('tokens', credential))
    }
  }, async ({ query }) => {
    if (query.user !== undefined) await directory.findUser(query.user)
    return { tokens: await credentials.list('personal_access_token', query) }
  })

  app.delete<{ Params: FromSchema<typeof credentialPath> }>('/tokens/:id', {
    schema: {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      tags: ['credentials'],
      params: credentialPath,
      response: responses(200, credential)
    }
  }, (request) => credentials.revoke('personal_access_token', request.params.id, actorOf(request)))
}
