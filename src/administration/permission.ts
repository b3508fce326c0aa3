/**
 * Who may do what: each row of the table of operations has one of these. Nothing is imported, so that the browser's
 * code can take the types.
 */

/**
 * What a role reaches with an operation. `own`: records of the person, and those of service accounts that they own.
 * `workspace`: records of the workspaces in which they have the role. `all`: every record of the server.
 */
export type Reach = 'none' | 'own' | 'workspace' | 'all'

export interface Permission {
  /** Anyone who is signed in, also without any membership. */
  anyone: Reach
  viewer: Reach
  editor: Reach
  admin: Reach
  serverAdmin: Reach
  /** The operator of the management socket, which only the owner's user account can open. Pages never have it. */
  operator: 'none' | 'all'
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

const row = (anyone: Reach, viewer: Reach, editor: Reach, admin: Reach, serverAdmin: Reach) =>
  ({ anyone, viewer, editor, admin, serverAdmin, operator: 'none' as const })

const withOperator = (people: Permission) => ({ ...people, operator: 'all' as const })

export const READERS = row('none', 'workspace', 'workspace', 'workspace', 'none')
export const EDITORS = row('none', 'none', 'workspace', 'workspace', 'none')
export const MEMBERS = row('none', 'workspace', 'workspace', 'workspace', 'all')
export const WORKSPACE_ADMINS = row('none', 'none', 'none', 'workspace', 'all')
export const SERVER_ADMINS = row('none', 'none', 'none', 'none', 'all')
export const OWN = row('own', 'own', 'own', 'own', 'own')
export const OWN_OR_ALL = row('own', 'own', 'own', 'own', 'all')
/** The workspace's admin reaches the credentials that are limited to workspaces of theirs. */
export const CREDENTIALS = row('own', 'own', 'own', 'workspace', 'all')

export const READERS_OR_OPERATOR = withOperator(READERS)
export const EDITORS_OR_OPERATOR = withOperator(EDITORS)
export const OWN_OR_OPERATOR = withOperator(OWN)
export const CREDENTIALS_OR_OPERATOR = withOperator(CREDENTIALS)
export const WORKSPACE_ADMINS_OR_OPERATOR = withOperator(WORKSPACE_ADMINS)
export const SERVER_ADMINS_OR_OPERATOR = withOperator(SERVER_ADMINS)
/** No page serves it. */
export const OPERATOR = {
  anyone: 'none', viewer: 'none', editor: 'none', admin: 'none', serverAdmin: 'none', operator: 'all'
} as const

export interface Access {
  own: boolean
  /** Ids of workspaces whose records the person reaches by their role there. */
  workspaces: readonly string[]
  all: boolean
}

export const accessTo = (
  { anyone, serverAdmin: ofServerAdmin, ...roles }: Permission, { serverAdmin, memberships }: WebPerson
): Access => {
  const reaches = [anyone, ...memberships.map(({ role }) => roles[role]), ...serverAdmin ? [ofServerAdmin] : []]
  return {
    // Anyone who reaches more reaches own records too, where the operation knows any.
    own: reaches.includes('own') || (anyone === 'own' && reaches.includes('all')),
    workspaces: memberships.filter(({ role }) => roles[role] === 'workspace').map(({ workspace }) => workspace.id),
    all: reaches.includes('all')
  }
}

/** To all others the operation of the pages is forbidden before anything is read. */
export const isForServerAdmins = ({ anyone, viewer, editor, admin, serverAdmin }: Permission): boolean =>
  serverAdmin === 'all' && [anyone, viewer, editor, admin].every((reach) => reach === 'none')
