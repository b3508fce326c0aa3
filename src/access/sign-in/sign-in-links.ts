/** The port to sign-in links: a token that signs one person in, once, within fifteen minutes. */

export interface SignInLink {
  token: string
  /** RFC 3339. */
  expires_at: string
  user: { id: string, email: string, name: string }
}

export interface SignInLinks {
  /**
   * Creates a link for a person who is named by id or e-mail address.
   * @throws {Refusal} when there is no such user, it is a service account, or it was deactivated
   */
  create (user: string): Promise<SignInLink>
  /** Whom the token would sign in, without using it up; undefined when it is unknown, used or expired. */
  find (token: string): Promise<SignInLink['user'] | undefined>
  /** Uses the token up. Resolves with its user; undefined when it is unknown, used or expired. */
  redeem (token: string): Promise<string | undefined>
}
