/** The handlers of the table of operations, by method and path. */
import type { HandlersOf, Handlers } from './handler.js'
import { activityHandlers } from './handlers/activity.js'
import { administrationHandlers } from './handlers/administration.js'
import { changesHandlers } from './handlers/changes.js'
import { connectHandlers } from './handlers/connect.js'
import { credentialsHandlers } from './handlers/credentials.js'
import { explorationsHandlers } from './handlers/explorations.js'
import { importsHandlers } from './handlers/imports.js'
import { oauthHandlers } from './handlers/oauth.js'
import { serverHandlers } from './handlers/server.js'
import { workspacesHandlers } from './handlers/workspaces.js'
import type { PageOperations, SocketOperations } from './operations.js'
import type { AccountOperations } from './operations/account.js'
import type { PageDeps } from './page-deps.js'
import type { ManagementPorts } from './ports.js'

const sharedHandlers = (deps: PageDeps) => ({
  ...changesHandlers(deps),
  ...workspacesHandlers(deps),
  ...credentialsHandlers(deps),
  ...connectHandlers(deps),
  ...oauthHandlers(deps),
  ...activityHandlers(deps),
  ...administrationHandlers(deps),
  ...importsHandlers(deps)
})

/** But for a person's own account: that needs the browser's session, so the web application handles it. */
export const pageHandlers = (
  deps: PageDeps
): HandlersOf<PageOperations, Exclude<keyof PageOperations, keyof AccountOperations>> =>
  ({ ...sharedHandlers(deps), ...explorationsHandlers(deps) })

/** The operations of the socket use nothing that only pages have. */
export const socketHandlers = (ports: ManagementPorts): Handlers<SocketOperations> =>
  ({ ...sharedHandlers(ports as PageDeps), ...serverHandlers(ports) })
