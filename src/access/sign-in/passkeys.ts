/** The port to passkeys: their public keys, by person. */

export interface Passkey {
  id: string
  name: string
  /** RFC 3339. */
  created_at: string
  last_used_at: string | null
}

export interface NewPasskey {
  userId: string
  name: string
  /** In base64url, as the browser sends it. */
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  /** The host that it works for. */
  rpId: string
}

/** What is needed to verify a sign-in. */
export interface PasskeyKey {
  id: string
  userId: string
  publicKey: Uint8Array
  counter: number
}

export interface Passkeys {
  /** Oldest first. */
  list (userId: string): Promise<Passkey[]>
  /** Those of one host in base64url, so that no authenticator gets a second one. */
  credentialIds (userId: string, rpId: string): Promise<string[]>
  /**
   * Adds one.
   * @throws {Refusal} when it is known already, or the person has as many as they may
   */
  create (passkey: NewPasskey): Promise<Passkey>
  /** By the id that the browser sends; undefined when unknown, of another host, or of someone who was deactivated. */
  find (credentialId: string, rpId: string): Promise<PasskeyKey | undefined>
  /** Stores the counter of a sign-in. False when it did not grow, because the passkey was copied. */
  recordUse (id: string, counter: number): Promise<boolean>
  /** @throws {Refusal} when this person has no such passkey */
  rename (userId: string, id: string, name: string): Promise<Passkey>
  /**
   * Removes one, and with it each session that it opened.
   * @throws {Refusal} when this person has no such passkey
   */
  remove (userId: string, id: string): Promise<Passkey>
  /** Uses a challenge up. False when it was used before, on whichever replica. */
  useChallenge (challenge: Uint8Array, expiresAt: Date): Promise<boolean>
}
