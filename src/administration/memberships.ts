/** Who may do what in which workspace. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import membership from '#schemas/administration/membership.json' with { type: 'json' }
import membershipQuery from '#schemas/administration/membership_query.json' with { type: 'json' }
import newMembership from '#schemas/administration/new_membership.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { recordOperation } from './record-operation.js'
import { responses } from '../http/schemas.js'
import type { Membership } from '../planning/records.js'

/**
 * Registers `POST /memberships`, which adds a member or changes a role, and `DELETE /memberships`. An unknown user or
 * workspace is a `Refusal`.
 */
export function memberships (app: FastifyInstance, { directory, audit }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newMembership> }>('/memberships', {
    schema: {
      operationId: 'addMembership',
      summary: 'Add a member or change a role',
      tags: ['people'],
      body: newMembership,
      response: responses(200, membership)
    }
  }, async (request) => {
    const member = await directory.addMember(request.body)
    await recordOperation(audit, {
      action: `membership/set ${member.role}`, ...aboutMember(member), requestId: request.id, actor: actorOf(request)
    })
    return member
  })

  app.delete<{ Querystring: FromSchema<typeof membershipQuery> }>('/memberships', {
    schema: {
      operationId: 'removeMembership',
      summary: 'Remove a member',
      tags: ['people'],
      querystring: membershipQuery,
      response: responses(200, membership)
    }
  }, async (request) => {
    const member = await directory.removeMember(request.query)
    await recordOperation(audit, {
      action: 'membership/removed', ...aboutMember(member), requestId: request.id, actor: actorOf(request)
    })
    return member
  })
}

const aboutMember = (member: Membership): { userId: string, workspaceId: string } =>
  ({ userId: member.user_id, workspaceId: member.workspace_id })
