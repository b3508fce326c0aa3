/** The handshake of the legacy revisions: 2025-11-25 basic/lifecycle#initialization. */
import { has } from '../revisions.js'
import { capabilities } from './capabilities.js'
import type { Method } from './method.js'

export const initialize: Method = async (_params, { revision }, { server, instructions }) => ({
  result: {
    protocolVersion: revision,
    capabilities: capabilities(revision),
    serverInfo: {
      name: server.name,
      ...(has(revision, 'titles') && { title: server.title }),
      version: server.version,
      ...(has(revision, 'serverDescription') && { description: server.description })
    },
    instructions
  }
})
