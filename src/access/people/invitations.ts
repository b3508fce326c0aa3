/** The port to invitations: a link that makes one person an account, once, within seven days. */
import type { WebMembership } from '../sign-in/web-sessions.js'

export type InvitationState = 'open' | 'accepted' | 'expired' | 'revoked'

export interface Invitation {
  id: string
  email: string
  server_admin: boolean
  memberships: WebMembership[]
  /** Null when that user was deleted. */
  invited_by: { id: string, email: string, name: string } | null
  /** RFC 3339. */
  created_at: string
  expires_at: string
  state: InvitationState
}

export interface NewInvitation {
  email: string
  serverAdmin: boolean
  /** Workspaces by id or slug. */
  memberships: ReadonlyArray<{ workspace: string, role: WebMembership['role'] }>
  /** The id of the server administrator who invites. */
  invitedBy: string
}

export interface Invitations {
  /**
   * Creates one. Another open one for the same address is revoked.
   * @throws {Refusal} when someone has this address already, or there is no such workspace
   */
  create (invitation: NewInvitation): Promise<{ invitation: Invitation, token: string }>
  /** Newest first. */
  list (page: { limit: number, cursor?: string | undefined }): Promise<{ items: Invitation[], next_cursor?: string }>
  /**
   * Revokes one that is open.
   * @throws {Refusal} when there is none
   */
  revoke (id: string): Promise<Invitation>
  /** The open invitation of a token. One whose inviter is no active server administrator any more is not open. */
  find (token: string): Promise<Invitation | undefined>
  /**
   * Uses the token up and creates the person with their memberships. Resolves with the user's id; undefined when the
   * token is unknown, used, revoked or expired.
   * @throws {Refusal} when someone has this address by now
   */
  accept (token: string, name: string): Promise<string | undefined>
}
