/**
 * All operations of the web API, by method and path. Routes are registered from this table, and the browser's client
 * takes its types from it (`import type`): `ResponseOf<Operations['GET /explorations/:id']>`.
 */
import { accountOperations } from './operations/account.js'
import { activityOperations } from './operations/activity.js'
import { administrationOperations } from './operations/administration.js'
import { connectOperations } from './operations/connect.js'
import { credentialsOperations } from './operations/credentials.js'
import { explorationsOperations } from './operations/explorations.js'
import { oauthOperations } from './operations/oauth.js'
import { workspacesOperations } from './operations/workspaces.js'
import type { OperationTable } from './operation.js'

export const operations = {
  ...explorationsOperations,
  ...workspacesOperations,
  ...credentialsOperations,
  ...connectOperations,
  ...oauthOperations,
  ...activityOperations,
  ...administrationOperations,
  ...accountOperations
} as const satisfies OperationTable

export type Operations = typeof operations
export type OperationId = Operations[keyof Operations]['id']
