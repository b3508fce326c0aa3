/** Protocol faults of clients, when the server observes them. */
import type { FastifyInstance } from 'fastify'
import observedClient from '#schemas/administration/observed_client.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../http/schemas.js'

/** Registers `GET /observations`. Without an observer it answers with a `Refusal` `conflict`. */
export function observations (app: FastifyInstance, { observer }: ManagementPorts): void {
  app.get('/observations', {
    schema: {
      operationId: 'listObservations',
      summary: 'List observed clients and what each does wrong',
      tags: ['observations'],
      response: responses(200, listOf('clients', observedClient))
    }
  }, async () => {
    if (!observer) throw new Refusal('This server does not observe its clients: start it with --observe.', 'conflict')
    return { clients: observer.report() }
  })
}
