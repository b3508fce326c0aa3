/** The four resources under the configured URI scheme. */
import type { ToolServices } from '../tools/services.js'
import { artifact } from './artifact.js'
import { exploration } from './exploration.js'
import type { Resource } from '../../mcp/resources/resource.js'
import { workspaceExplorations } from './workspace-explorations.js'
import { workspaces } from './workspaces.js'

/** Creates the resources; `scheme` is the URI scheme without the colon. */
export const resources = (scheme: string): ReadonlyArray<Resource<ToolServices>> =>
  [workspaces(scheme), workspaceExplorations(scheme), exploration(scheme), artifact(scheme)]
