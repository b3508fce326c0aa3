/** The port of the one write path: what tools, pages and commands call. */
import type { RequestContext } from '../../engine/request-context.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { Change } from './change.js'
import type { Answer, AuditedEvent, ChangeReader } from './change-store.js'
import type {
  ChangeNote, HistoryRow, Proposal, ProposedChange, RecordKind, ShownRecord, State
} from './records.js'

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

type Read = Pick<ChangeReader, 'history' | 'historyRows' | 'proposals' | 'proposalsOf' | 'tidy'>

export interface PlanChanges extends Read {
  /**
   * Runs the work of a writing tool: access, idempotency key, change, history, audit row in one transaction.
   * @throws {WriteRefusal} when it is refused in a way that the model can mend
   * @throws {Fault} `forbidden` when the credential or its user may not write there
   */
  byAgent (call: AgentCall, work: (change: Change) => Promise<Answer>): Promise<Answer>
  /** What happened since a cursor, oldest first. */
  since (principal: UserPrincipal, request: ChangesRequest): Promise<{ changes: ChangeNote[], next_cursor: string }>

  /**
   * Makes changes in the name of a person, all or none. `revision`: of the record in which they replace something.
   * Returns the rows of the history, and the version of the plan where there is one.
   * @throws {Refusal} `unread` or `stale` when the person has not read what would be replaced
   */
  make (
    by: PersonCall, explorationId: string, changes: readonly ProposedChange[], revision?: number
  ): Promise<{ rows: HistoryRow[], version?: number }>
  /** Makes an exploration, and returns its id. */
  create (by: PersonCall, exploration: NewExploration): Promise<string>
  /** One record as it is; undefined when there is none. */
  record (explorationId: string, kind: RecordKind, id: string): Promise<ShownRecord | undefined>
  /** Accepts an open proposal, or the person's version. @throws {Refusal} when they may not, or it is decided */
  accept (by: PersonCall, proposalId: string, version?: readonly ProposedChange[]): Promise<Proposal & Made>
  /** Dismisses an open proposal. @throws as `accept` */
  dismiss (by: PersonCall, proposalId: string, reason: string): Promise<Proposal & Made>
  /** Answers an open question. @throws {Refusal} when they may not, it is answered, or there is no such question */
  answer (by: PersonCall, explorationId: string, questionId: string, text: string): Promise<State & Made>
  /** Undoes one row. @throws {Refusal} when they may not, or it was overwritten, and then it names the later row */
  undo (by: PersonCall, historyId: string): Promise<HistoryRow>
}

/** The ids of the rows that a decision wrote: undone, the last one first, all is as before. */
export interface Made { rows: string[] }

export interface ChangesRequest { exploration?: string | undefined, since?: string | undefined, limit: number }
