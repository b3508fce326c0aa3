/** The handshake of the legacy revisions: 2025-11-25 basic/lifecycle#initialization. */
import { has } from '../revisions.js'
import { capabilities } from './capabilities.js'
import type { Catalogue, Method } from './method.js'

export const initialize: Method = async (_params, { revision }, catalogue) => ({
  result: {
    protocolVersion: revision,
    capabilities: capabilities(revision, catalogue),
    serverInfo: identity(catalogue.server, revision),
    instructions: catalogue.instructions
  }
})

const identity = ({ name, title, version, description }: Catalogue['server'], revision: string) => ({
  name,
  ...(has(revision, 'titles') && { title }),
  version,
  ...(has(revision, 'serverDescription') && { description })
})
