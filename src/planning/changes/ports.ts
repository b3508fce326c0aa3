/** The port of the one write path: what tools, pages and commands call. */
import type { RequestContext } from '../../engine/request-context.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { Page } from '../store.js'
import type { Change } from './change.js'
import type { Answer } from './change-store.js'
import type { ChangeNote, HistoryRow, Proposal, ProposalFilter, State } from './records.js'

/** A call of a writing tool. */
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

/** A person who decides. */
export interface PersonCall { user: { id: string, email: string }, client?: string | undefined }

export interface PlanChanges {
  /**
   * Runs the work of a writing tool: access, idempotency key, change, history, audit row in one transaction.
   * @throws {WriteRefusal} when it is refused in a way that the model can mend
   * @throws {Fault} `forbidden` when the credential or its user may not write there
   */
  byAgent (call: AgentCall, work: (change: Change) => Promise<Answer>): Promise<Answer>
  /** What happened since a cursor, oldest first. */
  since (principal: UserPrincipal, request: ChangesRequest): Promise<{ changes: ChangeNote[], next_cursor: string }>

  /** Accepts an open proposal in the name of a person. @throws {Refusal} when they may not, or it is decided */
  accept (by: PersonCall, proposalId: string): Promise<Proposal>
  /** Dismisses an open proposal. @throws as `accept` */
  dismiss (by: PersonCall, proposalId: string, reason: string): Promise<Proposal>
  /** Answers a question. @throws {Refusal} when they may not, or there is no such question */
  answer (by: PersonCall, explorationId: string, questionId: string, text: string): Promise<State>
  /** Undoes one row. @throws {Refusal} when they may not, or it was overwritten, and then it names the later row */
  undo (by: PersonCall, historyId: string): Promise<HistoryRow>
  /** Newest first. `before` is a cursor. */
  history (explorationId: string, page: { limit: number, before?: string | undefined }): Promise<Page<HistoryRow>>
  /** Newest first, of these workspaces. */
  proposals (filter: ProposalFilter): Promise<Proposal[]>
  /** Ends leases that have lapsed, and deletes idempotency keys after 7 days, in small steps. */
  tidy (): Promise<void>
}

export interface ChangesRequest { exploration?: string | undefined, since?: string | undefined, limit: number }
