/** Sign-in links: whoever may use the command line may let a person into the web application. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import newSignInLink from '#schemas/administration/new_sign_in_link.json' with { type: 'json' }
import signInLink from '#schemas/administration/sign_in_link.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { recordOperation } from './record-operation.js'
import { responses } from '../http/schemas.js'

export const SIGN_IN_LINK_CREATED = 'sign_in_link/created'

/** Registers `POST /sign-in-links`, which answers the link; it is written to the audit log. */
export function signInLinks (app: FastifyInstance, { signInLinks, audit, pages }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newSignInLink> }>('/sign-in-links', {
    schema: {
      operationId: 'createSignInLink',
      summary: 'Create a link that signs a person in, once',
      tags: ['people'],
      body: newSignInLink,
      response: responses(201, signInLink)
    }
  }, async (request, reply) => {
    if (pages === 'off') {
      throw new Refusal('The running server has no web application: start it without WEB=off.', 'conflict')
    }
    const { token, expires_at: expiresAt, user } = await signInLinks.create(request.body.user)
    await recordOperation(audit, {
      action: SIGN_IN_LINK_CREATED, userId: user.id, requestId: request.id, actor: actorOf(request)
    })
    return reply.code(201).send({ token, expires_at: expiresAt, user, base: pages?.() ?? null })
  })
}
