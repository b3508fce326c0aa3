/** The services that tools and resources receive with each request: the data, and the name of this server. */
import type { RequestContext } from '../../mcp/request-context.js'
import type { Store } from '../store.js'

export interface ToolServices {
  store: Store
  /** The scheme of resource URIs, without the colon. */
  uriScheme: string
  server: { name: string, version: string }
}

export type Context = RequestContext & ToolServices
