/** What the token of a platform lets it administer, beside what gateways ask: what agents may do in its workspaces. */
import type { FastifyInstance } from 'fastify'
import workspaceAgents from '#schemas/platform-api/workspace_agents.json' with { type: 'json' }
import { workspacesHandlers } from './handlers/workspaces.js'
import { operationRoutes } from './operation-routes.js'
import { workspacesOperations } from './operations/workspaces.js'
import type { ManagementPorts } from './ports.js'
import { operatorDoor } from './socket-server.js'

const UPDATE = 'PATCH /workspaces/:id'
const operations = { [UPDATE]: { ...workspacesOperations[UPDATE], body: workspaceAgents } } as const

/** Adds the operation to a scope that admits only callers with the token. */
export const platformManagement = (
  app: FastifyInstance, ports: Pick<ManagementPorts, 'api' | 'audit' | 'directory'>
): void => {
  operationRoutes(app, operations, workspacesHandlers(ports), operatorDoor(ports, () => 'the platform'))
}
