/** The four resources under the configured URI scheme. */
import type { PlanningResource } from '../tools/planning-tool.js'
import { artifact } from './artifact.js'
import { exploration } from './exploration.js'
import { workspaceExplorations } from './workspace-explorations.js'
import { workspaces } from './workspaces.js'

/** Creates the resources; `scheme` is the URI scheme without the colon. */
export const resources = (scheme: string): ReadonlyArray<PlanningResource> =>
  [workspaces(scheme), workspaceExplorations(scheme), exploration(scheme), artifact(scheme)]
