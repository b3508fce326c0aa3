/** All handlers of the web API, by method and path. */
import { accountHandlers } from '../account/account-handlers.js'
import { invitationHandlers } from '../account/invitation-handlers.js'
import type { Handlers } from './handler.js'
import { activityHandlers } from './handlers/activity.js'
import { administrationHandlers } from './handlers/administration.js'
import { connectHandlers } from './handlers/connect.js'
import { credentialsHandlers } from './handlers/credentials.js'
import { explorationsHandlers } from './handlers/explorations.js'
import { oauthHandlers } from './handlers/oauth.js'
import { workspacesHandlers } from './handlers/workspaces.js'
import type { Operations } from './operations.js'
import type { WebApiDeps } from './web-api-deps.js'

/** Returns the handlers of all operations. */
export const createHandlers = (deps: WebApiDeps): Handlers<Operations> => ({
  ...explorationsHandlers(deps),
  ...workspacesHandlers(deps),
  ...credentialsHandlers(deps),
  ...connectHandlers(deps),
  ...oauthHandlers(deps),
  ...activityHandlers(deps),
  ...administrationHandlers(deps),
  ...accountHandlers(deps.account),
  ...invitationHandlers(deps.account)
})
