/** OAuth clients that an operator registers, and those that registered themselves: created, listed, revoked at once. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import createdClient from '#schemas/administration/created_client.json' with { type: 'json' }
import credentialPath from '#schemas/administration/credential_path.json' with { type: 'json' }
import newClient from '#schemas/administration/new_client.json' with { type: 'json' }
import oauthClient from '#schemas/administration/oauth_client.json' with { type: 'json' }
import { isRedirectUri } from '../access/oauth/redirect-uri.js'
import { Refusal } from '../lib/errors.js'
import { listOf, responses } from '../http/schemas.js'
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { recordOperation } from './record-operation.js'

/** Registers `POST /oauth-clients`, `GET /oauth-clients` and `DELETE /oauth-clients/:id`. */
export function oauthClients (app: FastifyInstance, { oauthClients: clients, audit }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newClient> }>('/oauth-clients', {
    schema: {
      operationId: 'createOAuthClient',
      summary: 'Register an OAuth client',
      tags: ['oauth'],
      body: newClient,
      response: responses(201, createdClient)
    }
  }, async (request, reply) => {
    const { name, redirect_uris: redirectUris, confidential = false } = request.body
    const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
    if (wrong !== undefined) {
      throw new Refusal(`${JSON.stringify(wrong)} cannot be a redirect URI: it has to be https, or http on ` +
        'localhost, 127.0.0.1 or [::1], without a fragment.')
    }
    const actor = actorOf(request)
    const created = await clients.create({
      kind: 'preregistered', name: name.trim(), redirectUris, refreshable: true, confidential, by: actor
    })
    if (!created) throw new Refusal('There are too many clients: revoke some.', 'conflict')
    await recordOperation(audit, { action: `oauth-client/created ${created.id}`, requestId: request.id, actor })
    return reply.code(201).header('cache-control', 'no-store').send({
      client_id: created.id,
      ...created.secret !== undefined && { client_secret: created.secret },
      name: name.trim(),
      redirect_uris: redirectUris,
      created_at: created.created_at
    })
  })

  app.get('/oauth-clients', {
    schema: {
      operationId: 'listOAuthClients',
      summary: 'List OAuth clients in force',
      tags: ['oauth'],
      response: responses(200, listOf('oauth_clients', oauthClient))
    }
  }, async () => ({ oauth_clients: await clients.list() }))

  app.delete<{ Params: FromSchema<typeof credentialPath> }>('/oauth-clients/:id', {
    schema: {
      operationId: 'revokeOAuthClient',
      summary: 'Revoke an OAuth client and its connections',
      tags: ['oauth'],
      params: credentialPath,
      response: responses(200, oauthClient)
    }
  }, async (request) => {
    const actor = actorOf(request)
    const revoked = await clients.revoke(request.params.id, actor)
    await recordOperation(audit, { action: `oauth-client/revoked ${revoked.id}`, requestId: request.id, actor })
    return revoked
  })
}
