/** Tools that wait for a token (RFC 8628): who waits, and the decision. The tools themselves ask at the public listener. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import decision from '#schemas/api/device_decision.json' with { type: 'json' }
import pendingDevice from '#schemas/api/pending_device.json' with { type: 'json' }
import { actorOf } from './actor.js'
import type { ManagementPorts } from './ports.js'
import { answers, listOf } from './schemas.js'

export function devices (app: FastifyInstance, { devices }: ManagementPorts): void {
  app.get('/device/approvals', {
    schema: { operationId: 'listDevices', summary: 'List tools that wait for approval', tags: ['credentials'], response: answers(200, listOf('devices', pendingDevice)) }
  }, async () => ({ devices: await devices.list() }))

  app.post<{ Body: FromSchema<typeof decision> }>('/device/approvals', {
    schema: { operationId: 'decideDevice', summary: 'Approve or deny a code', tags: ['credentials'], body: decision, response: answers(200, pendingDevice) }
  }, (request) => {
    const { user_code: code, decision, user } = request.body
    return decision === 'approve' ? devices.approve(code, user, actorOf(request)) : devices.deny(code, actorOf(request))
  })
}
