/** The type of a profile: one way in which a server or a network misbehaves, and how a client is judged by it. */
import type { ClientRequest, Exchange } from '../proxy/exchange.js'
import type { Interceptor } from '../proxy/proxy.js'
import type { SubjectOutcome } from '../grade/subject.js'
import { toClause, toRfcClause, type CheckStatus, type Level, type ReportClause } from '../reports/report.js'

export const ERAS = ['legacy', 'modern'] as const

export interface ProfileContext {
  /** A random text in what a client must not use; it is looked for in what the client does afterwards. */
  marker: string
  token: string
  /** Waits, in milliseconds; tests shorten it. Resolves early when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>
  /** The endpoint of a server of another origin, which sees each request that reaches it. */
  otherOrigin: string
}

export interface Evidence {
  exchanges: readonly Exchange[]
  /** What reached the server of another origin. */
  elsewhere: readonly Exchange[]
  /** Undefined when the client was not started here. */
  subject: SubjectOutcome | undefined
  marker: string
  token: string
}

/** What happens, with a capital, except for the name of a field. */
export const sentenceOf = ({ happens }: Pick<Profile, 'happens'>): string =>
  /^[a-z]+[A-Z_]/.test(happens) ? happens : happens.charAt(0).toUpperCase() + happens.slice(1)

export const clausesOf = (
  { legacy, modern, rfc }: Partial<Record<'legacy' | 'modern' | 'rfc', string>>
): ReportClause[] => [
  ...legacy === undefined ? [] : [toClause('2025-11-25', legacy)],
  ...modern === undefined ? [] : [toClause('2026-07-28', modern)],
  ...rfc === undefined ? [] : [toRfcClause(rfc)]
]

export type Outcome = 'copes' | 'fails in words' | 'accepts it' | 'breaks the rule' | 'hangs' | 'crashes' |
  'leaks its credential' | 'not exercised'

export interface Judgement {
  status: CheckStatus
  outcome: Outcome
  detail: string
  exchange: number | undefined
}

export interface Misbehaviour extends Interceptor {
  /** Whether a call has a credential that was issued in this run. */
  isAuthenticated?(call: ClientRequest): boolean
}

/** A row of the table of profiles; a clause of an era says that it happens in that era. */
export interface ProfileRow {
  id: string
  /** `legal`: the client has to cope with it. `illegal`: the client has to refuse it and stay alive. */
  kind: 'legal' | 'illegal'
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
  happens: string
  expects: string
  judgedBy: string
  create(context: ProfileContext): Misbehaviour
  judge(evidence: Evidence): Judgement
}

export interface Profile extends ProfileRow {
  family: string
  eras: ReadonlyArray<typeof ERAS[number]>
}

/** Returns the profiles of a family. One without a clause happens in both eras. */
export const profilesOf = (family: string, rows: readonly ProfileRow[]): Profile[] => rows.map((row) => {
  const eras = ERAS.filter((era) => row[era] !== undefined)
  return { ...row, family, eras: eras.length > 0 ? eras : ERAS }
})
