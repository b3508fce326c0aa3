/** People and service accounts. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import newUser from '#schemas/administration/new_user.json' with { type: 'json' }
import user from '#schemas/administration/user.json' with { type: 'json' }
import changedUser from '#schemas/administration/changed_user.json' with { type: 'json' }
import signOut from '#schemas/administration/sign_out.json' with { type: 'json' }
import signedOutUser from '#schemas/administration/signed_out_user.json' with { type: 'json' }
import userChange from '#schemas/administration/user_change.json' with { type: 'json' }
import userPath from '#schemas/administration/user_path.json' with { type: 'json' }
import userEntry from '#schemas/administration/user_entry.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { recordOperation } from './record-operation.js'
import { responses, listOf } from '../http/schemas.js'

/** A service account has `service_account/created`, which the database writes. */
export const USER_CREATED = 'user/created'
const MADE_ADMIN = 'user/made server administrator'
const UNMADE_ADMIN = 'user/no server administrator any more'

/**
 * Registers `POST /users`, `GET /users` and `PATCH /users/:user`. A user that exists already is a `Refusal`, and so is
 * the removal of the last server administrator.
 */
export function users (app: FastifyInstance, { directory, audit }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newUser> }>('/users', {
    schema: {
      operationId: 'createUser',
      summary: 'Create a user',
      tags: ['people'],
      body: newUser,
      response: responses(201, user)
    }
  }, async (request, reply) => {
    const { server_admin: serverAdmin, ...user } = request.body
    const created = await directory.createUser({ ...user, serverAdmin, by: actorOf(request) })
    if (created.kind === 'person') {
      const about = { userId: created.id, requestId: request.id, actor: actorOf(request) }
      await recordOperation(audit, { action: USER_CREATED, ...about })
      if (serverAdmin) await recordOperation(audit, { action: MADE_ADMIN, ...about })
    }
    return reply.code(201).send(created)
  })

  app.patch<{ Params: FromSchema<typeof userPath>, Body: FromSchema<typeof userChange> }>('/users/:user', {
    schema: {
      operationId: 'changeUser',
      summary: 'Make a server administrator or none, deactivate or activate',
      tags: ['people'],
      params: userPath,
      body: userChange,
      response: responses(200, changedUser)
    }
  }, async (request) => {
    const { server_admin: serverAdmin, active } = request.body
    const changed = await directory.changeUser({ user: request.params.user, serverAdmin, active })
    const actions = [
      ...(serverAdmin === undefined ? [] : [serverAdmin ? MADE_ADMIN : UNMADE_ADMIN]),
      ...(active === undefined ? [] : [active ? 'user/activated' : 'user/deactivated'])
    ]
    await Promise.all(actions.map((action) => recordOperation(
      audit, { action, userId: changed.id, requestId: request.id, actor: actorOf(request) })))
    return changed
  })

  app.post<{ Params: FromSchema<typeof userPath>, Body: FromSchema<typeof signOut> }>('/users/:user/sign-out', {
    schema: {
      operationId: 'signOutUser',
      summary: 'End all sessions of a user',
      tags: ['people'],
      params: userPath,
      body: signOut,
      response: responses(200, signedOutUser)
    }
  }, async (request) => {
    const ended = await directory.signOut({ user: request.params.user, passkeys: request.body.passkeys })
    await recordOperation(audit, {
      action: request.body.passkeys ? 'user/signed out, passkeys removed' : 'user/signed out',
      userId: ended.user.id,
      requestId: request.id,
      actor: actorOf(request)
    })
    return ended
  })

  app.get('/users', {
    schema: {
      operationId: 'listUsers',
      summary: 'List users',
      tags: ['people'],
      response: responses(200, listOf('users', userEntry))
    }
  }, async () => ({ users: await directory.listUsers() }))
}
