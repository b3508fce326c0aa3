/** What tools and resources are handed besides the call: the data, and how this server names itself. */
import type { RequestContext } from '../../mcp/request-context.js'
import type { Store } from '../store.js'

export interface ToolServices {
  store: Store
  /** The scheme of resource URIs, without the colon. */
  uriScheme: string
  server: { name: string, version: string }
}

export type Context = RequestContext & ToolServices
