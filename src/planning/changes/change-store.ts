/** The port of the write path to a database, within one transaction. */
import type { Scope } from '../../lib/principal.js'
import type { Criterion, ExecutionPlan, Membership } from '../records.js'
import type { Page } from '../store.js'
import type {
  ChangeEvent, ChangeNote, HistoryKind, HistoryRow, Proposal, ProposalFilter, RecordKind, State
} from './records.js'

/** Who writes. A person in the pages or by a command has no credential. */
export interface Actor {
  user: { id: string, email: string }
  credential?: { id: string, name: string }
  /** As it declares itself: `name/version`. */
  client?: string | undefined
  tool?: string
}

/** An event as the port of the audit log takes it. */
export type AuditedEvent = object

/** What a call is answered, as `structuredContent`. */
export type Answer = Readonly<Record<string, unknown>>

/** Of the workspace, of the user there, and of the credential where there is one. */
export interface WriteAccess {
  agents: 'read' | 'propose' | 'report'
  role: Membership['role']
  scope: Scope | null
  /** When the credential ends; RFC 3339. */
  ends: string | null
  name: string
}

export interface NewHistory {
  kind: HistoryKind
  target: string
  before: State | null
  after: State | null
  undoes?: string
  events?: ChangeEvent[]
}

export type Counted = 'leases' | 'proposals' | 'notes' | 'keys' | 'questions'

export interface OpenProposal { id: string, changes: Proposal['changes'], base: unknown[] }

/** What the holder of an item has to know; lists are short, and texts of notes and packages cut. */
export interface ItemFacts {
  acceptance: Criterion[]
  waits_for: Array<{ id: string, title: string, status: string }>
  unblocks: Array<{ id: string, title: string }>
  held: Array<{ id: string, credential: string }>
  questions: Array<{ id: string, question: string }>
  notes: Array<{ text: string, by: string }>
  packages: Array<{ type: string, excerpt: string }>
}

/** Runs work on an exploration in one transaction, which is committed when the work resolves. */
export type InTransaction = <T>(exploration: string, work: (store: ChangeStore) => Promise<T>) => Promise<T>

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
  facts (item: string): Promise<ItemFacts>
  /** The first item that can start, else the first that is under way and whose lease is over. */
  nextItem (): Promise<string | undefined>
  /** Whether nothing unfinished stands before the item. */
  isFree (item: string): Promise<boolean>
  /** The items that are to do, waited for one of these and wait for nothing now. */
  readyAfter (items: readonly string[]): Promise<string[]>
  plan (): Promise<{ version: number, compilation_state: ExecutionPlan['compilation_state'] } | undefined>
  raisePlan (): Promise<number>
  dependencies (): Promise<ExecutionPlan['dependencies']>
  itemIds (): Promise<string[]>
  /** A group's items in order, each `of` the group with this title; undefined when there is no such group. */
  orders (group: string): Promise<Array<{ id: string, of: string, order: number }> | undefined>
  lastChange (kind: RecordKind, id: string): Promise<{ user?: string, credential?: string, at: string } | undefined>
  /** Publishes the questions in the record of the exploration. */
  publishQuestions (): Promise<void>
  blockingQuestions (item: string): Promise<string[]>
  sameQuestion (text: string, options: readonly string[]): Promise<string | undefined>
  /** `naming`: those that change a dependency, or name one of these texts. */
  openProposals (naming?: readonly string[]): Promise<OpenProposal[]>
  /** Counts no further than `most`. `of`: a credential's id; of notes an item, or null for the exploration's. */
  count (what: Counted, of: string | null, most: number): Promise<number>
  packageText (type: string, version: number): Promise<string | undefined>
  addHistory (actor: Actor | undefined, workspace: string, rows: readonly NewHistory[]): Promise<string[]>
  /** The ids of later rows about the same target that changed one of these fields, the latest first. */
  laterRow (row: HistoryRow, fields: readonly string[]): Promise<string | undefined>
  /** Makes the search find the texts of the exploration as they are now. */
  indexWords (): Promise<void>
  writeAudit (event: AuditedEvent): Promise<void>
}

/** `before` is the id of a row; `item`: only what is about this item of the plan. */
export interface HistoryPage { limit: number, before?: string | undefined, item?: string | undefined }

/** What is read outside of a transaction. */
export interface ChangeReader {
  proposalsOf (ids: readonly string[]): Promise<Proposal[]>
  /** The newest first, of these workspaces. A page may be shorter than its limit, as that of `history`. */
  proposals (filter: ProposalFilter): Promise<Page<Proposal>>
  /** The rows with these ids, the oldest first. */
  historyRows (ids: readonly string[]): Promise<Array<HistoryRow & { exploration_id: string }>>
  record (exploration: string, kind: RecordKind, id: string): Promise<State | undefined>
  /** The newest first; the cursor is the id of its last row. @throws {Refusal} for what is no id */
  history (exploration: string, page: HistoryPage): Promise<Page<HistoryRow>>
  /** Events after a cursor, the oldest first, each with the cursor after it; `cursor` is that before the first. */
  events (request: {
    workspaces: readonly string[], exploration?: string | undefined, since?: string | undefined, limit: number
  }): Promise<{ events: Array<{ note: ChangeNote, after: string }>, cursor: string }>
  /** Ends leases that have lapsed, and deletes idempotency keys after 7 days, in small steps. */
  tidy (): Promise<void>
}
