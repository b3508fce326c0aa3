/**
 * The port to planning data, which the tools and resources read. Every method that lists takes the ids of the
 * workspaces that the caller can see and returns nothing outside them. Methods that fetch the data of one exploration
 * leave this check to their caller, which has to distinguish "unknown" from "not yours". Cursors are opaque strings of
 * the store; it throws a `Refusal` for any other cursor. Times are RFC 3339 UTC with milliseconds.
 */
import type {
  Evidence, ExecutionPlan, Exploration, ExplorationStatus, PlanItem, Recommendation, RequirementPackage, Workspace
} from './records.js'

export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  next_cursor?: string
}

export interface PageRequest {
  limit: number
  cursor?: string | undefined
  signal?: AbortSignal | undefined
}

/** `exploration_count`: those that are not archived. */
export type WorkspaceSummary = Workspace & { exploration_count: number }

export type ArtifactSummary =
  Pick<RequirementPackage, 'artifact_type' | 'title' | 'version' | 'updated_at'> & { total_chars: number }
export type PlanSummary = Pick<ExecutionPlan, 'version' | 'compilation_state' | 'updated_at'>

/** What only callers that may write see of a question. */
export interface QuestionFacts { item_id?: string, asked_by?: string, answered_by?: string, answered_at?: string }

export type ExplorationDetail = Exploration & {
  workspace: Pick<Workspace, 'id' | 'slug' | 'name'>
  artifacts: ArtifactSummary[]
  plan: PlanSummary | null
  /** Number of approved recommendations. */
  recommendation_count: number
}

export type ExplorationSummary =
  Pick<Exploration, 'id' | 'workspace_id' | 'title' | 'status' | 'tags' | 'updated_at'> &
  { artifact_types: string[], has_plan: boolean }

export type PlanState = Pick<ExecutionPlan, 'exploration_id' | 'version' | 'compilation_state' | 'updated_at'> & {
  /** Up to five items that can start now, in the order of the plan; absent where a platform does not say. */
  ready?: Array<{ id: string, title: string }>
  /** Up to three items that the most unfinished items wait for. */
  blocking?: Array<{ id: string, title: string, blocks: number }>
  counts: {
    groups: number
    items: Record<'total' | 'todo' | 'in_progress' | 'done' | 'blocked', number>
    dependencies: number
    gates: Record<'total' | 'open' | 'passed' | 'failed', number>
    conflicts: Record<'total' | 'open' | 'resolved', number>
  }
}

export interface ExplorationPlace { workspace_id: string, artifact_types: readonly string[] }

export interface Workspaces {
  /** Lists the visible workspaces, sorted by name, then id. */
  list (visible: readonly string[], page: PageRequest): Promise<Page<WorkspaceSummary>>
  get (visible: readonly string[], id: string): Promise<WorkspaceSummary | undefined>
  /** Visible workspaces whose id, slug or name starts with the prefix, case-insensitively. */
  complete (
    visible: readonly string[], prefix: string, limit: number
  ): Promise<Array<{ id: string, slug: string, name: string }>>
}

export interface Explorations {
  /**
   * Returns an exploration of the visible workspaces, or of any workspace when `visible` is absent. An invisible one
   * takes as long as one that does not exist, so that timing reveals nothing.
   */
  get (id: string, visible?: readonly string[]): Promise<ExplorationDetail | undefined>
  /** Facts of its questions by their id, for callers that may write. Absent where none may, as at a gateway. */
  questionFacts? (id: string): Promise<ReadonlyMap<string, QuestionFacts>>
  /** The workspace that an exploration belongs to; undefined when there is no such exploration. */
  workspaceOf (id: string): Promise<string | undefined>
  /** Returns, by id, the workspace of each exploration that exists, and which of the given package types it has. */
  locate (
    ids: readonly string[], artifactTypes: readonly string[], signal?: AbortSignal
  ): Promise<ReadonlyMap<string, ExplorationPlace>>
  /** Lists a workspace's explorations, most recently updated first, then by id. */
  list (workspaceId: string, page: PageRequest): Promise<Page<ExplorationSummary>>
  /** Visible explorations whose id or title starts with the prefix, case-insensitively. */
  complete (visible: readonly string[], prefix: string, limit: number): Promise<Array<{ id: string, title: string }>>
}

export interface Packages {
  get (explorationId: string, artifactType: string, signal?: AbortSignal): Promise<RequirementPackage | undefined>
  /** The package types of an exploration, sorted. */
  types (explorationId: string): Promise<string[]>
  /** Types that start with the prefix, of one exploration when given, otherwise of all visible ones. */
  complete (visible: readonly string[], prefix: string, limit: number, explorationId?: string): Promise<string[]>
}

/** A plan with what only callers that may write see of its items. */
export type WritersPlan = Omit<ExecutionPlan, 'items'> & { items: WritersItem[] }
export type WritersItem = PlanItem & {
  revision: number
  claimed_by?: { user: string, credential: string, since: string, until: string }
  lease_expires_at?: string
  evidence?: Evidence[]
  finished?: { proposal_id: string, at: string }
  /** The last three, the newest first, each cut to 300 characters. */
  notes?: Array<{ id: string, text: string, by: string, at: string }>
}

export interface Plans {
  /** Returns the plan with groups, items and gates in order; undefined when there is none. */
  get (explorationId: string, signal?: AbortSignal): Promise<ExecutionPlan | undefined>
  /** The same for callers that may write. Absent where none may, as at a gateway. */
  forWriters? (explorationId: string, signal?: AbortSignal): Promise<WritersPlan | undefined>
  state (explorationId: string): Promise<PlanState | undefined>
}

export interface Recommendations {
  /** Lists the approved recommendations: strategies first, then by title, then id. */
  approved (explorationId: string, kind?: Recommendation['kind']): Promise<Recommendation[]>
}

export interface SearchHit extends ExplorationSummary {
  workspace: Pick<Workspace, 'id' | 'slug' | 'name'>
  /** 0 to 1. */
  score: number
  snippet: string
}

export interface SearchRequest extends PageRequest {
  query: string
  visible: readonly string[]
  status?: readonly ExplorationStatus[] | undefined
  /** Only explorations with exactly this tag. For pages of the web application; platforms are not asked for it. */
  tag?: string | undefined
  /** The id of the credential that asks: its searches run one after the other. */
  caller?: string | undefined
}

export interface Search {
  /** Finds explorations, best first. `notice` says when the search could use words only, not meaning. */
  find (question: SearchRequest): Promise<Page<SearchHit> & { notice?: string }>
}

export interface Store {
  workspaces: Workspaces
  explorations: Explorations
  packages: Packages
  plans: Plans
  recommendations: Recommendations
  search: Search
  /** Returns the same data for the id of a credential, so that callers take turns; absent where they share nothing. */
  forCaller? (caller: string): Store
}
