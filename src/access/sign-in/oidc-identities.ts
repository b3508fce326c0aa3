/** People of an OpenID provider: who they are here, and the roles that their groups give them. */
import type { WebMembership } from './web-sessions.js'

export type Role = WebMembership['role']

/** What the provider vouches for. */
export interface OidcPerson {
  issuer: string
  /** The provider's own id of the person, which never changes. */
  subject: string
  /** Verified by the provider. */
  email: string
  name: string
}

export type OidcResolution =
  | { userId: string, created: boolean }
  /**
   * `unknown`: no one has this address, and no one is to be created. `deactivated`: that user was. `taken`: the
   * address belongs to a service account or to another person of this provider.
   */
  | { refused: 'unknown' | 'deactivated' | 'taken' }

/** What the groups of one person give them. */
export interface GroupRoles {
  /** Roles in workspaces, by slug or id. */
  roles: ReadonlyMap<string, Role>
  /** The role in every workspace. */
  everywhere: Role | undefined
  /** The workspaces whose members the groups decide, by slug or id; `all` for each. */
  governed: ReadonlySet<string> | 'all'
  /** Undefined where the groups do not decide it. */
  serverAdmin: boolean | undefined
}
