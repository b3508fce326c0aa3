/** Who sends, as far as a request shows it, and how what it does wrong is said. */
import type { Entry } from './client-registry.js'
import type { Conversation } from './legacy-session-state.js'
import type { RuleId } from './rules.js'

export type Say = (rule: RuleId, detail: string) => void

/** Whoever sends with one credential and user agent: how requests that name nobody are put down to someone. */
export interface Caller {
  key: string
  client: Entry
  /** Whether a handshake succeeded, and the session that the last one opened while it lasts. */
  shaken: boolean
  session: Conversation | undefined
  refusedVersions: Set<string>
}
