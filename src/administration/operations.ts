/**
 * The table of operations, by method and path. The pages are served those of people under /web/v1, the socket those of
 * the operator, commands call them, and the browser's client takes its types from here (`import type`):
 * `ResponseOf<PageOperations['GET /explorations/:id']>`.
 */
import { accountOperations } from './operations/account.js'
import { activityOperations } from './operations/activity.js'
import { administrationOperations } from './operations/administration.js'
import { changesOperations } from './operations/changes.js'
import { connectOperations } from './operations/connect.js'
import { credentialsOperations } from './operations/credentials.js'
import { explorationsOperations } from './operations/explorations.js'
import { oauthOperations } from './operations/oauth.js'
import { serverOperations, usersOperations } from './operations/server.js'
import { workspacesOperations } from './operations/workspaces.js'
import type { Operation, OperationTable } from './operation.js'
import type { OPERATOR, Permission } from './permission.js'

export const operations = {
  ...explorationsOperations,
  ...changesOperations,
  ...workspacesOperations,
  ...credentialsOperations,
  ...connectOperations,
  ...oauthOperations,
  ...activityOperations,
  ...administrationOperations,
  ...accountOperations,
  ...usersOperations,
  ...serverOperations
} as const satisfies OperationTable

export type Operations = typeof operations

export type PageOperations =
  { [Key in keyof Operations as Operations[Key]['may'] extends typeof OPERATOR ? never : Key]: Operations[Key] }
export type PageOperationId = PageOperations[keyof PageOperations]['id']

export type SocketOperations =
  { [Key in keyof Operations as Operations[Key]['may']['operator'] extends 'all' ? Key : never]: Operations[Key] }

const those = (isMeant: (may: Permission) => boolean): object =>
  Object.fromEntries(Object.entries<Operation>(operations).filter(([, { may }]) => isMeant(may)))

// A filter cannot express which keys stay.
export const pageOperations = those(({ operator, ...people }) =>
  Object.values(people).some((reach) => reach !== 'none')) as PageOperations
export const socketOperations = those(({ operator }) => operator === 'all') as SocketOperations

export const permissions = Object.fromEntries(
  Object.values<Operation>(pageOperations).map(({ id, may }) => [id, may])
) as Readonly<Record<PageOperationId, Permission>>
