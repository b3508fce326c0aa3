/** The calls of the one write path: of tools, and of people in pages and commands. */
import type { RequestContext } from '../../engine/request-context.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { AuditedEvent } from './change-store.js'

export interface AgentCall {
  principal: UserPrincipal
  tool: string
  uriScheme: string
  client?: string | undefined
  /** In lower case, and of a workspace that the principal sees. */
  exploration: string
  /** The arguments, for the idempotency key. */
  input: Readonly<Record<string, unknown>> & { idempotency_key?: string }
  /** Of the request: the audit row is written in the transaction of the work. */
  auditWithin: RequestContext<UserPrincipal>['auditWithin']
}

export interface PersonCall {
  user: { id: string, email: string }
  client?: string | undefined
  /** The event of the audit log is written in the transaction of the work. Absent where nothing is recorded. */
  auditWithin?: AuditWithin | undefined
}

/** Runs work that writes the event that `eventOf` returns, once it has succeeded. */
export type AuditWithin = <T>(work: (eventOf: () => AuditedEvent | undefined) => Promise<T>) => Promise<T>

export interface NewExploration {
  /** Its id. */
  workspace: string
  title: string
  package?: { artifact_type: string, markdown: string } | undefined
}

export interface ChangesRequest { exploration?: string | undefined, since?: string | undefined, limit: number }
