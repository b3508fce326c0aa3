/** Who sends, as far as a request shows it, and how what it does wrong is said. */
import type { ClientEntry } from './client-registry.js'
import type { LegacySessionState } from './legacy-session-state.js'
import type { RuleId } from './rules.js'

export type Report = (rule: RuleId, detail: string) => void

/** Whoever sends with one credential and user agent: how requests that name nobody are put down to someone. */
export interface ObservedCaller {
  key: string
  client: ClientEntry
  /** Whether a handshake succeeded, and the session that the last one opened while it lasts. */
  handshakeDone: boolean
  session: LegacySessionState | undefined
  refusedVersions: Set<string>
}
