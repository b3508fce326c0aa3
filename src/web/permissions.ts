/**
 * Who may do what in the web application: one row for each operation of its API. Every route reads its row;
 * docs/reference/web-permissions.md and the test of permissions are made from the same table.
 */
import type { OperationId } from './api/operations.js'

/**
 * What a role reaches with an operation. `own`: records of the person, and those of service accounts that they own.
 * `workspace`: records of the workspaces in which they have the role. `all`: every record of the server.
 */
export type Reach = 'none' | 'own' | 'workspace' | 'all'

export interface Permission {
  /** Whoever is signed in, also without any membership. */
  anyone: Reach
  viewer: Reach
  editor: Reach
  admin: Reach
  serverAdmin: Reach
}

/** The person of a session. */
export interface WebPerson {
  user: { id: string, email: string, name: string }
  serverAdmin: boolean
  memberships: ReadonlyArray<{
    workspace: { id: string, slug: string, name: string },
    role: 'viewer' | 'editor' | 'admin'
  }>
}

const row = (anyone: Reach, viewer: Reach, editor: Reach, admin: Reach, serverAdmin: Reach): Permission =>
  ({ anyone, viewer, editor, admin, serverAdmin })

const READERS = row('none', 'workspace', 'workspace', 'workspace', 'none')
const MEMBERS = row('none', 'workspace', 'workspace', 'workspace', 'all')
const WORKSPACE_ADMINS = row('none', 'none', 'none', 'workspace', 'all')
const SERVER_ADMINS = row('none', 'none', 'none', 'none', 'all')
const OWN = row('own', 'own', 'own', 'own', 'own')
const OWN_OR_ALL = row('own', 'own', 'own', 'own', 'all')
/** The workspace's admin reaches the credentials that are limited to workspaces of theirs. */
const CREDENTIALS = row('own', 'own', 'own', 'workspace', 'all')

export const permissions: Readonly<Record<OperationId, Permission>> = {
  listExplorations: READERS,
  listTags: READERS,
  getExploration: READERS,
  getPackage: READERS,
  getPlan: READERS,
  getAgentView: READERS,

  listWorkspaces: MEMBERS,
  createWorkspace: SERVER_ADMINS,
  updateWorkspace: SERVER_ADMINS,
  listMembers: WORKSPACE_ADMINS,
  setMembership: WORKSPACE_ADMINS,
  removeMembership: WORKSPACE_ADMINS,

  listKeys: CREDENTIALS,
  createKey: OWN,
  rotateKey: OWN,
  testKey: OWN,
  revokeKey: CREDENTIALS,
  listTokens: CREDENTIALS,
  createToken: OWN,
  rotateToken: OWN,
  testToken: OWN,
  revokeToken: CREDENTIALS,

  updateAccount: OWN,
  listPasskeys: OWN,
  getPasskeyCreationOptions: OWN,
  createPasskey: OWN,
  renamePasskey: OWN,
  deletePasskey: OWN,
  listSessions: OWN,
  endSession: OWN,
  endOtherSessions: OWN,
  listInvitations: SERVER_ADMINS,
  createInvitation: SERVER_ADMINS,
  revokeInvitation: SERVER_ADMINS,

  getConnect: OWN,
  getDevice: OWN,
  approveDevice: OWN,
  denyDevice: OWN,

  getConsentRequest: OWN,
  getConsentError: OWN,
  decideConsent: OWN,
  listConnections: OWN_OR_ALL,
  disconnect: OWN_OR_ALL,

  getUsage: OWN_OR_ALL,
  listAuditEvents: OWN_OR_ALL,
  exportAuditEvents: OWN_OR_ALL,

  listPeople: SERVER_ADMINS,
  getPerson: SERVER_ADMINS,
  createPerson: SERVER_ADMINS,
  updatePerson: SERVER_ADMINS,
  deletePerson: SERVER_ADMINS,
  listServiceAccounts: OWN_OR_ALL,
  createServiceAccount: SERVER_ADMINS,
  updateServiceAccount: SERVER_ADMINS,
  listAllCredentials: SERVER_ADMINS,
  revokeAnyCredential: SERVER_ADMINS,
  importRecords: SERVER_ADMINS,
  getStatus: SERVER_ADMINS
}

/** What one person reaches with one operation. */
export interface Access {
  /** Own records. */
  own: boolean
  /** Ids of workspaces whose records the person reaches by their role there. */
  workspaces: readonly string[]
  /** Every record. */
  all: boolean
}

/** Returns what the person reaches with the operation, from the row of the table. */
export const accessTo = (operation: OperationId, { serverAdmin, memberships }: WebPerson): Access => {
  const { anyone, serverAdmin: ofServerAdmin, ...roles } = permissions[operation]
  const reaches = [anyone, ...memberships.map(({ role }) => roles[role]), ...serverAdmin ? [ofServerAdmin] : []]
  return {
    // Whoever reaches more reaches own records too, where the operation knows any.
    own: reaches.includes('own') || (anyone === 'own' && reaches.includes('all')),
    workspaces: memberships.filter(({ role }) => roles[role] === 'workspace').map(({ workspace }) => workspace.id),
    all: reaches.includes('all')
  }
}

/**
 * Whether nobody but a server administrator may use the operation: for everybody else it is forbidden before anything
 * is read.
 */
export const isForServerAdmins = (operation: OperationId): boolean => {
  const { serverAdmin, ...others } = permissions[operation]
  return serverAdmin === 'all' && Object.values(others).every((reach) => reach === 'none')
}
