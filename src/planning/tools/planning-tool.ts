/** The types of the product's tools and resources: the engine's, with the services and the caller that they receive. */
import type { UserPrincipal } from '../../lib/principal.js'
import type { RequestContext } from '../../engine/request-context.js'
import type { Resource } from '../../engine/resources/resource.js'
import type { Tool } from '../../engine/tools/tool.js'
import type { PlanChanges } from '../changes/plan-changes.js'
import type { Store } from '../store.js'

/** What tools and resources receive with each request: the data, and the name of this server. */
export interface ToolServices {
  store: Store
  /** The scheme of resource URIs, without the colon. */
  uriScheme: string
  server: { name: string, version: string }
  /** The write path; absent where no agent writes, as at a gateway. */
  planChanges?: Pick<PlanChanges, 'byAgent' | 'since'> | undefined
  /** The file and line into which the status of an item was written; absent where none is written. */
  placeOf?: ((exploration: string, item: string, status: string) => string | undefined) | undefined
}

export type Context = RequestContext<UserPrincipal> & ToolServices

export type PlanningTool<Input = never> = Tool<Input, ToolServices, UserPrincipal>

export type PlanningResource = Resource<ToolServices, UserPrincipal>

/** Of tools that only read: they may be repeated, and reach nothing outside this server. */
export const READING = {
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
} satisfies Partial<PlanningTool>
