/** What agents and people write beside the records of an import, and the history of it. */
import type { Criterion, Evidence, ItemStatus } from '../records.js'

/** Who holds an item, and until when. `credential` and `user` are a name and an e-mail address. */
export interface Lease {
  id: string
  credential_id: string
  credential: string
  user_id: string
  user: string
  /** RFC 3339, as `until`. */
  since: string
  until: string
  /** Whether it is over; `until` may have passed for a minute before. */
  lapsed: boolean
}

/** A record of any kind, by the names of its fields. A field that is null is absent. */
export type State = Readonly<Record<string, unknown>>

export type RecordKind =
  'exploration' | 'group' | 'item' | 'dependency' | 'gate' | 'conflict' | 'question' | 'note' | 'package' |
  'recommendation' | 'proposal'

export type WrittenKind = Exclude<RecordKind, 'group'>

/** A change of a lease has the id of its item, whose fields it changes. */
export type HistoryKind = WrittenKind | 'lease' | 'import'

/** An item of a plan, with all that only those who may write see. */
export interface ItemState extends State {
  id: string
  group_id: string
  title: string
  description: string | null
  status: ItemStatus
  order: number
  position: number
  acceptance: Criterion[] | null
  evidence: Evidence[] | null
  repository: string | null
  source: { path: string, line?: number } | null
  finished: { proposal_id: string, at: string } | null
  status_before_question: string | null
  revision: number
  lease: Lease | null
}

/** One change of a proposal: see `kinds` for what each kind has. */
export interface ProposedChange {
  kind: string
  [field: string]: unknown
}

export interface Author { user: string, credential?: string, client?: string }

export type ProposalState = 'open' | 'accepted' | 'dismissed' | 'superseded'

export interface Proposal {
  id: string
  exploration_id: string
  state: ProposalState
  changes: ProposedChange[]
  rationale?: string
  confidence?: 'low' | 'medium' | 'high'
  proposed_by: Author
  created_at: string
  decided_by?: string
  decided_at?: string
  /** Whether it was accepted in the version of the person who did. */
  edited?: boolean
  /** Why it was dismissed. */
  reason?: string
}

/** What `get_changes` says of a row of the history. */
export interface ChangeEvent {
  kind: 'answered' | 'proposal_accepted' | 'proposal_dismissed' | 'proposal_superseded' | 'item_ready' |
    'item_changed' | 'lease_ended' | 'plan_version' | 'package_version'
  item_id?: string
  question_id?: string
  proposal_id?: string
  text?: string
}

/** One change by anyone. `before` and `after` have the fields that changed; null where there is no record. */
export interface HistoryRow {
  id: string
  at: string
  /** An e-mail address; absent where the server did it, such as for a lease that lapsed. */
  user?: string
  credential?: string
  client?: string
  tool?: string
  target: { kind: HistoryKind, id: string }
  before: State | null
  after: State | null
  /** The id of the row that it undoes. */
  undoes?: string
}

export type ChangeNote = ChangeEvent & { at: string, exploration_id: string, by?: string }

export interface ProposalFilter {
  workspaces?: readonly string[] | undefined
  state?: ProposalState | undefined
  limit: number
  cursor?: string | undefined
}

/** One record as it is, for a form that edits it: raw texts, and the revision that a change of it names. */
export interface ShownRecord {
  kind: RecordKind
  id: string
  /** Of an item and an exploration their revision, of a package its version; null for other records. */
  revision: number | null
  fields: State
}
