/** The server itself: its version, and where clients reach it. */
import type { FastifyInstance } from 'fastify'
import server from '#schemas/administration/server.json' with { type: 'json' }
import { SERVER } from '../config/server-info.js'
import type { ManagementPorts } from './management-ports.js'
import { responses } from '../http/schemas.js'

/** Registers `GET /server`: name, version and the URL of the MCP endpoint, null before it listens. */
export function serverStatus (app: FastifyInstance, { endpoint }: ManagementPorts): void {
  app.get('/server', {
    schema: {
      operationId: 'getServer',
      summary: 'Version and address of the running server',
      tags: ['server'],
      response: responses(200, server)
    }
  }, async () => ({ name: SERVER.name, version: SERVER.version, endpoint: endpoint?.() ?? null }))
}
