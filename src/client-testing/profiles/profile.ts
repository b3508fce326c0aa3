/** The type of a profile: one way in which a server or a network misbehaves, and how a client is judged by it. */
import type { ClientRequest } from '../proxy/client-request.js'
import type { Exchange } from '../proxy/exchange.js'
import type { Interceptor } from '../proxy/proxy.js'
import type { SubjectOutcome } from '../grade/subject.js'
import { toClause, toRfcClause, type CheckStatus, type Level, type ReportClause } from '../reports/report.js'

export type ProfileEra = 'legacy' | 'modern'

export interface ProfileContext {
  /** A random text that stands in what a client must not use, and is looked for in what the client does afterwards. */
  marker: string
  /** The credential that the correct server accepts. */
  token: string
  /** Waits; tests shorten it. Resolves early when the signal aborts. `ms` is in milliseconds. */
  pause(ms: number, signal?: AbortSignal): Promise<void>
  /** The endpoint of a server of another origin, which sees each request that reaches it. */
  otherOrigin: string
}

/** What is known when the client has ended. */
export interface Evidence {
  exchanges: readonly Exchange[]
  /** What reached the server of another origin. */
  elsewhere: readonly Exchange[]
  /** Undefined when the client was not started here. */
  subject: SubjectOutcome | undefined
  marker: string
  token: string
}

/** What happens, as a sentence without its full stop. The name of a field keeps its small letter. */
export const sentenceOf = ({ happens }: Pick<Profile, 'happens'>): string =>
  /^[a-z]+[A-Z_]/.test(happens) ? happens : happens.charAt(0).toUpperCase() + happens.slice(1)

/** Where it is written: clauses of MCP, or a section of an RFC; nowhere for what is robustness alone. */
export const clausesOf = (
  { legacy, modern, rfc }: Partial<Record<'legacy' | 'modern' | 'rfc', string>>
): ReportClause[] => [
  ...legacy === undefined ? [] : [toClause('2025-11-25', legacy)],
  ...modern === undefined ? [] : [toClause('2026-07-28', modern)],
  ...rfc === undefined ? [] : [toRfcClause(rfc)]
]

export type Outcome =
  | 'copes'
  | 'fails in words'
  | 'accepts it'
  | 'breaks the rule'
  | 'hangs'
  | 'crashes'
  | 'leaks its credential'
  | 'not exercised'

export interface Judgement {
  status: CheckStatus
  outcome: Outcome
  detail: string
  /** The number of the exchange that shows it. */
  exchange: number | undefined
}

/** What a profile does in one run. */
export interface Misbehaviour extends Interceptor {
  /** Whether a call has a credential that was issued in this run. */
  isAuthenticated?(call: Pick<ClientRequest, 'headers'>): boolean
}

export interface Profile {
  id: string
  family: string
  /** `legal`: the client has to cope with it. `illegal`: the client has to refuse it and stay alive. */
  kind: 'legal' | 'illegal'
  eras: readonly ProfileEra[]
  /** The request that it happens to, where it is one method. */
  needs?: 'tools/call'
  /** What a client that is judged wrong has broken; `robustness` where no text demands it. */
  level: Level
  /** The section of an RFC, such as `9110#section-10.2.3`, where no page of MCP says it. */
  rfc?: string
  /** Page and anchor in 2025-11-25. */
  legacy?: string
  /** Page and anchor in 2026-07-28. */
  modern?: string
  /** What the server does. */
  happens: string
  /** What a client has to do. */
  expects: string
  /** What is looked at. */
  judgedBy: string
  create(context: ProfileContext): Misbehaviour
  judge(evidence: Evidence): Judgement
}
