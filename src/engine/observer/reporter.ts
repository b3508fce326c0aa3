/** How the checks report a broken rule, and the caller that they report it for. */
import type { ClientEntry } from './client-registry.js'
import type { LegacySessionState } from './legacy-session-state.js'
import type { InUse } from './in-use.js'
import type { RuleId } from './rules.js'

/** Reports one broken rule. `detail` names the method or header; it is bounded and redacted later. */
export type ReportFinding = (rule: RuleId, detail: string) => void

/** All requests with one credential and user agent. Assigns requests without a client name to a client. */
export interface ObservedCaller {
  key: string
  client: ClientEntry
  /** Whether a handshake succeeded. `session` is the one that the last handshake opened, until it ends. */
  handshakeDone: boolean
  session: LegacySessionState | undefined
  refusedVersions: Set<string>
  /** Ids of requests and progress tokens, by their digests: when each was last in use. */
  ids: InUse
  tokens: InUse
}
