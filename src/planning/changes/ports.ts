/**
 * The ports of the one write path. `PlanChanges` is what tools, pages and commands call; `ChangeStore` is what it
 * needs of a database within one transaction.
 */
import type { Scope, UserPrincipal } from '../../lib/principal.js'
import type { AuditEntry } from '../../engine/audit-entry.js'
import type { RequestContext } from '../../engine/request-context.js'
import type { ExecutionPlan, Membership } from '../records.js'
import type { Page } from '../store.js'
import type { Change } from './change.js'
import type {
  ChangeEvent, HistoryKind, HistoryRow, Proposal, ProposalState, RecordKind, State
} from './records.js'

/** Who writes. A person in the pages or by a command has no credential. */
export interface Actor {
  user: { id: string, email: string }
  credential?: { id: string, name: string }
  /** As it declares itself: `name/version`. */
  client?: string | undefined
  tool?: string
}

/** A call of a writing tool. */
export interface AgentCall {
  principal: UserPrincipal
  tool: string
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

export type Answer = Readonly<Record<string, unknown>>

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

export interface ProposalFilter {
  workspaces?: readonly string[] | undefined
  state?: ProposalState | undefined
  limit: number
}

export interface ChangesRequest { exploration?: string | undefined, since?: string | undefined, limit: number }
export type ChangeNote = ChangeEvent & { at: string, exploration_id: string, by?: string }

/** Of the workspace, of the user there, and of the credential where there is one. */
export interface WriteAccess {
  agents: 'read' | 'propose' | 'report'
  role: Membership['role']
  scope: Scope | null
  /** The name of the workspace. */
  name: string
}

/** A row to be added to the history. */
export interface NewHistory {
  kind: HistoryKind
  target: string
  before: State | null
  after: State | null
  undoes?: string
  events?: ChangeEvent[]
}

export interface OpenProposal { id: string, changes: Proposal['changes'], base: unknown[] }

/** Runs work on an exploration in one transaction, which is committed when the work resolves. */
export type InTransaction = <T>(exploration: string, work: (store: ChangeStore) => Promise<T>) => Promise<T>

/** The database within one transaction, on one exploration. */
export interface ChangeStore {
  /** Waits for others who write to the exploration, and then holds them off. Undefined when it is unknown. */
  lock (): Promise<{ workspace: string } | undefined>
  /** What decides whether the actor may write: it stays so until the end of the transaction. */
  access (workspace: string, actor: Actor): Promise<WriteAccess | undefined>
  /** Takes an idempotency key; returns what was kept under it, if it is taken. */
  takeKey (credential: string, key: string, digest: string): Promise<{ digest: string, answer: Answer } | undefined>
  keepAnswer (credential: string, key: string, answer: Answer): Promise<void>

  read (kind: RecordKind, id: string): Promise<State | undefined>
  /** Inserts or replaces a record, or deletes it without a state. `raise`: whether the revision of an item grows. */
  write (kind: RecordKind, id: string, state: State | undefined, raise: boolean): Promise<void>
  /** The next free `position` of a plan's items or dependencies, or of questions that are asked here. */
  nextPosition (kind: 'item' | 'dependency' | 'question'): Promise<number>
  /** The item as `get_planning_full` shows it to a caller that may write. */
  shown (item: string): Promise<State | undefined>
  /** The first item that can start, else the first that is under way and whose lease is over. */
  nextItem (): Promise<string | undefined>
  /** Whether nothing unfinished stands before the item. */
  isFree (item: string): Promise<boolean>
  /** The items that are to do, waited for this one and wait for nothing now. */
  readyAfter (item: string): Promise<string[]>
  /** The plan's version and state; undefined without a plan. */
  plan (): Promise<{ version: number, compilation_state: ExecutionPlan['compilation_state'] } | undefined>
  /** Raises the plan's version and returns it. */
  raisePlan (): Promise<number>
  dependencies (): Promise<ExecutionPlan['dependencies']>
  /** The orders of a group's items, with their ids, in order; undefined when there is no such group. */
  orders (group: string): Promise<Array<{ id: string, order: number }> | undefined>
  /** The last row of the history that changed an item. */
  lastChange (item: string): Promise<{ user?: string, credential?: string, at: string } | undefined>
  /** Publishes the questions in the record of the exploration. */
  publishQuestions (): Promise<void>
  /** The open questions that block an item. */
  blockingQuestions (item: string): Promise<string[]>
  /** The id of an open question with this text. */
  sameQuestion (text: string): Promise<string | undefined>
  openProposals (): Promise<OpenProposal[]>
  /** Counts no further than `most`. `of`: a credential's id; of notes an item, or null for the exploration's. */
  count (what: 'leases' | 'proposals' | 'notes' | 'keys', of: string | null, most: number): Promise<number>
  /** The text of a version of a package. */
  packageText (type: string, version: number): Promise<string | undefined>
  /** Adds rows to the history and returns their ids. */
  addHistory (actor: Actor | undefined, workspace: string, rows: readonly NewHistory[]): Promise<string[]>
  /** The ids of later rows about the same target that changed one of these fields, the latest first. */
  laterRow (row: HistoryRow, fields: readonly string[]): Promise<string | undefined>
  writeAudit (entry: AuditEntry<UserPrincipal>): Promise<void>
}
