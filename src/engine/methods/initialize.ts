/** The handshake of the legacy revisions: 2025-11-25 basic/lifecycle#initialization. */
import { supports } from '../revisions.js'
import { capabilities, sharesViews } from './capabilities.js'
import type { Method, ServerIdentity } from './method.js'

/** Returns the negotiated revision, the capabilities and the server info. */
export const initialize: Method = async (_params, { revision, client }, features) => ({
  result: {
    protocolVersion: revision,
    capabilities: capabilities(revision, features, sharesViews(features, { client })),
    serverInfo: identity(features.server, revision),
    instructions: features.instructions
  }
})

const identity = ({ name, title, version, description }: ServerIdentity, revision: string) => ({
  name,
  ...(supports(revision, 'titles') && { title }),
  version,
  ...(supports(revision, 'serverDescription') && { description })
})
