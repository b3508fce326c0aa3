/** What the observer knows of callers and of legacy sessions, and how the checks report a broken rule. */
import { lruSet } from '../../lib/lru.js'
import type { LegacyRevision } from '../revisions.js'
import type { ClientEntry } from './client-registry.js'
import { digest, type ParsedExchange } from './parsed-exchange.js'
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
  ids: InUse
  tokens: InUse
}

/** Ids of requests or progress tokens, by their digests: when each was last in use, in milliseconds since the epoch. */
export type InUse = Map<string, { from: number, to: number }>

const MAX_IN_USE = 50

/** Stores that an exchange uses an id or token. Returns whether another exchange used it at the same time. */
export const isInUse = (inUse: InUse, value: unknown, { at, end }: Pick<ParsedExchange, 'at' | 'end'>): boolean => {
  const key = digest(value)
  const other = inUse.get(key)
  lruSet(inUse, key, { from: at, to: end }, MAX_IN_USE)
  return other !== undefined && other.from < end && other.to > at
}

export interface Declared { answersRequests: boolean, rootsListChanged: boolean }

/** The kinds of requests of the server whose answers differ in shape. */
export type AnswerKind = 'form' | 'url' | 'sampling' | 'roots'

/** A client's answer to a request of the server: not its text, only the kinds of requests whose result it could be. */
export interface AnswerSummary { isError: boolean, fits: ReadonlySet<AnswerKind> }

/** The state of a session. It is incomplete when the handshake was before this process started. */
export interface LegacySessionState {
  client: ClientEntry
  revision?: LegacyRevision | undefined
  /** Undefined when the handshake was not observed. */
  declared?: Declared
  /** A digest, like all ids and tokens here. */
  initializeId?: string
  /** When it happened, in milliseconds since the epoch, as the next two. */
  initializedAt?: number
  goneAt?: number
  lastEnd: number
  lastRequest: { id: string, listened: boolean }
  ids: Map<string, true>
  tokens: InUse
  answers: Map<string, AnswerSummary>
}

export const newLegacySessionState = (
  client: ClientEntry, rest: Partial<LegacySessionState> = {}
): LegacySessionState => ({
  client,
  lastEnd: 0,
  lastRequest: { id: '', listened: false },
  ids: new Map(),
  tokens: new Map(),
  answers: new Map(),
  ...rest
})
