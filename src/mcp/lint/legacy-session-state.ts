/** A legacy client's conversation, from its handshake on. */
import type { LegacyRevision } from '../revisions.js'
import type { ClientEntry } from './client-registry.js'

/** What a conversation declared, as far as the checks ask. */
export interface Declared { answersRequests: boolean, rootsListChanged: boolean }

/** What the client answered to a request of the server: not the answer, but of which methods it could be one. */
export interface AnswerSummary { isError: boolean, fits: ReadonlySet<string> }

/** What is known of a conversation since its handshake; in part only, when that was before the observer's time. */
export interface LegacySessionState {
  client: ClientEntry
  revision: LegacyRevision | undefined
  /** Undefined when the handshake was before the observer's time. */
  declared: Declared | undefined
  /** As a digest, like all ids and tokens here. */
  initializeId: string | undefined
  /** When each came or became true, in milliseconds since the epoch. */
  initializedAt: number | undefined
  goneAt: number | undefined
  lastEnd: number
  lastRequest: { id: string, listened: boolean }
  ids: Map<string, true>
  tokens: Map<string, { from: number, to: number }>
  answers: Map<string, AnswerSummary>
}

export const newLegacySessionState = (
  client: ClientEntry, rest: Partial<LegacySessionState> = {}
): LegacySessionState => ({
  client,
  revision: undefined,
  declared: undefined,
  initializeId: undefined,
  initializedAt: undefined,
  goneAt: undefined,
  lastEnd: 0,
  lastRequest: { id: '', listened: false },
  ids: new Map(),
  tokens: new Map(),
  answers: new Map(),
  ...rest
})
