/** Who may do what in which workspace. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import membership from '#schemas/api/membership.json' with { type: 'json' }
import membershipQuery from '#schemas/api/membership_query.json' with { type: 'json' }
import newMembership from '#schemas/api/new_membership.json' with { type: 'json' }
import type { ManagementPorts } from './management-ports.js'
import { responses } from '../schemas.js'

/**
 * Registers `POST /memberships`, which adds a member or changes a role, and `DELETE /memberships`. An unknown user or
 * workspace is a `Refusal`.
 */
export function memberships (app: FastifyInstance, { directory }: ManagementPorts): void {
  app.post<{ Body: FromSchema<typeof newMembership> }>('/memberships', {
    schema: {
      operationId: 'addMembership',
      summary: 'Add a member or change a role',
      tags: ['people'],
      body: newMembership,
      response: responses(200, membership)
    }
  }, ({ body }) => directory.addMember(body))

  app.delete<{ Querystring: FromSchema<typeof membershipQuery> }>('/memberships', {
    schema: {
      operationId: 'removeMembership',
      summary: 'Remove a member',
      tags: ['people'],
      querystring: membershipQuery,
      response: responses(200, membership)
    }
  }, ({ query }) => directory.removeMember(query))
}
