/** What the linter knows of a legacy session since its handshake. */
import type { LegacyRevision } from '../revisions.js'
import type { ClientEntry } from './client-registry.js'
import type { InUse } from './in-use.js'

/** The declared capabilities that the checks need. */
export interface Declared { answersRequests: boolean, rootsListChanged: boolean }

/** The kinds of requests of the server whose answers differ in shape. */
export type AnswerKind = 'form' | 'url' | 'sampling' | 'roots'

/** A client's answer to a request of the server: not its text, only the kinds of requests whose result it could be. */
export interface AnswerSummary { isError: boolean, fits: ReadonlySet<AnswerKind> }

/** The state of a session. It is incomplete when the handshake was before this process started. */
export interface LegacySessionState {
  client: ClientEntry
  revision: LegacyRevision | undefined
  /** Undefined when the handshake was not observed. */
  declared: Declared | undefined
  /** A digest, like all ids and tokens here. */
  initializeId: string | undefined
  /** When it happened, in milliseconds since the epoch, as the next two. */
  initializedAt: number | undefined
  goneAt: number | undefined
  lastEnd: number
  lastRequest: { id: string, listened: boolean }
  ids: Map<string, true>
  tokens: InUse
  answers: Map<string, AnswerSummary>
}

/** Creates the state of a session; `rest` overrides the empty defaults. */
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
