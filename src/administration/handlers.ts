/** The handlers of the table of operations, by method and path. */
import type { HandlersOf, Handlers } from './handler.js'
import { activityHandlers } from './handlers/activity.js'
import { administrationHandlers } from './handlers/administration.js'
import { allAuditEventsHandlers } from './handlers/all-audit-events.js'
import { changesHandlers } from './handlers/changes.js'
import { connectHandlers } from './handlers/connect.js'
import { credentialEndingsHandlers } from './handlers/credential-endings.js'
import { credentialsHandlers, credentialTestHandlers, type CredentialDeps } from './handlers/credentials.js'
import { devicesHandlers } from './handlers/devices.js'
import { explorationsHandlers } from './handlers/explorations.js'
import { importsHandlers } from './handlers/imports.js'
import { inboxHandlers } from './handlers/inbox.js'
import { invitationsHandlers } from './handlers/invitations.js'
import { membershipsHandlers } from './handlers/memberships.js'
import { oauthClientsHandlers } from './handlers/oauth-clients.js'
import { oauthHandlers } from './handlers/oauth.js'
import { serverHandlers } from './handlers/server.js'
import { usersHandlers } from './handlers/users.js'
import { allWorkspacesHandlers, sharedWorkspacesHandlers, workspacesHandlers } from './handlers/workspaces.js'
import type { PageOperations, SocketOperations } from './operations.js'
import type { PageDeps } from './page-deps.js'
import type { ManagementPorts } from './ports.js'

/** What a person does with their own account: it needs the browser's session, so the web application handles it. */
type OwnAccount = '/account' | `/passkeys${string}` | `/sessions${string}`
export type AccountOperations =
  Pick<PageOperations, Extract<keyof PageOperations, `${string} ${OwnAccount}`>>

/** Those that both pages and the socket serve. */
const sharedHandlers = (deps: CredentialDeps & Omit<ManagementPorts, 'api'>) => ({
  ...credentialsHandlers(deps),
  ...membershipsHandlers(deps),
  ...sharedWorkspacesHandlers(deps),
  ...devicesHandlers(deps),
  ...importsHandlers(deps),
  ...changesHandlers(deps)
})

/** Returns the handlers of the pages, but for a person's own account. */
export const pageHandlers = (
  deps: PageDeps
): HandlersOf<PageOperations, Exclude<keyof PageOperations, keyof AccountOperations>> => ({
  ...sharedHandlers(deps),
  ...explorationsHandlers(deps),
  ...inboxHandlers(deps),
  ...workspacesHandlers(deps),
  ...credentialTestHandlers(deps),
  ...connectHandlers(deps),
  ...oauthHandlers(deps),
  ...activityHandlers(deps),
  ...administrationHandlers(deps),
  ...invitationsHandlers(deps)
})

/** Returns the handlers of the socket. */
export const socketHandlers = (ports: ManagementPorts): Handlers<SocketOperations> => ({
  ...sharedHandlers({ ...ports, web: ports.api }),
  ...usersHandlers(ports),
  ...allWorkspacesHandlers(ports),
  ...oauthClientsHandlers(ports),
  ...credentialEndingsHandlers(ports),
  ...allAuditEventsHandlers(ports),
  ...serverHandlers(ports)
})
