/** People and service accounts. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import newUser from '#schemas/api/new_user.json' with { type: 'json' }
import user from '#schemas/api/user.json' with { type: 'json' }
import userEntry from '#schemas/api/user_entry.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../schemas.js'

/** Registers `POST /users` and `GET /users`. A user that exists already is a `Refusal`. */
export function users (app: FastifyInstance, { directory }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newUser> }>('/users', {
    schema: {
      operationId: 'createUser',
      summary: 'Create a user',
      tags: ['people'],
      body: newUser,
      response: responses(201, user)
    }
  }, async (request, reply) => reply.code(201).send(await directory.createUser({
    ...request.body, by: actorOf(request)
  })))

  app.get('/users', {
    schema: {
      operationId: 'listUsers',
      summary: 'List users',
      tags: ['people'],
      response: responses(200, listOf('users', userEntry))
    }
  }, async () => ({ users: await directory.listUsers() }))
}
