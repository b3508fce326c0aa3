/** Device grants (RFC 8628): pending requests and their decision. The tools themselves poll at the public listener. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import decision from '#schemas/administration/device_decision.json' with { type: 'json' }
import lookup from '#schemas/administration/device_lookup.json' with { type: 'json' }
import pendingDevice from '#schemas/administration/pending_device.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './management-ports.js'
import { recordOperation } from './record-operation.js'
import { responses, listOf } from '../http/schemas.js'

/**
 * Registers `GET` and `POST /device/approvals` and `POST /device/lookups`. An unknown or expired code is a `Refusal`.
 */
export function devices (app: FastifyInstance, { devices, audit }: ManagementPorts): void {
  app.get('/device/approvals', {
    schema: {
      operationId: 'listDevices',
      summary: 'List tools that wait for approval',
      tags: ['credentials'],
      response: responses(200, listOf('devices', pendingDevice))
    }
  }, async () => ({ devices: await devices.list() }))

  app.post<{ Body: FromSchema<typeof decision> }>('/device/approvals', {
    schema: {
      operationId: 'decideDevice',
      summary: 'Approve or deny a code',
      tags: ['credentials'],
      body: decision,
      response: responses(200, pendingDevice)
    }
  }, async (request) => {
    const { user_code: code, decision, user, scope, workspaces, expires_in: seconds } = request.body
    const actor = actorOf(request)
    const limits = { scope, workspaces, expiresIn: seconds && seconds * 1000 }
    const decided = decision === 'approve'
      ? await devices.approve(code, user, actor, limits)
      : await devices.deny(code, actor)
    await recordOperation(audit, {
      action: decision === 'approve' ? 'device/approved' : 'device/denied', requestId: request.id, actor
    })
    return decided
  })

  app.post<{ Body: FromSchema<typeof lookup> }>('/device/lookups', {
    schema: {
      operationId: 'showDevice',
      summary: 'Show who asks with a code',
      tags: ['credentials'],
      body: lookup,
      response: responses(200, pendingDevice)
    }
  }, (request) => devices.find(request.body.user_code))
}
