/** The port that ends many credentials and sessions at once, as after a restore from an earlier state. */
import type { Revocation } from '../audit/revocations.js'

/** How many of each worked until then. */
export interface EndedCounts { keys: number, tokens: number, connections: number, sessions: number }

export interface CredentialEndings {
  /** Ends again what was revoked, but for what this server's own log has: that had its effect before. */
  replay (revocations: readonly Revocation[], by?: string): Promise<EndedCounts>
  /**
   * Ends all keys, tokens, connections, sessions, invitations and sign-in links that were issued before a time (RFC
   * 3339).
   */
  endIssuedBefore (time: string, by?: string): Promise<EndedCounts>
}
