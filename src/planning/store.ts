/**
 * What the tools and resources read: the port to planning data. Every method that lists takes the ids of the workspaces the
 * caller can see and returns nothing outside them; every method that fetches one exploration's data leaves that check to
 * the caller, who has to tell "unknown" from "not yours". Cursors are opaque strings made and checked by the store; a
 * cursor it did not make is a `Refusal`. Times are RFC 3339 UTC with milliseconds.
 */
import type {
  ExecutionPlan, Exploration, ExplorationStatus, Recommendation, RequirementPackage, Workspace
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

export type WorkspaceSummary = Workspace & { exploration_count: number }

export type ArtifactSummary = Pick<RequirementPackage, 'artifact_type' | 'title' | 'version' | 'updated_at'> & { total_chars: number }
export type PlanSummary = Pick<ExecutionPlan, 'version' | 'compilation_state' | 'updated_at'>

/** One exploration with what else there is of it. */
export type ExplorationDetail = Exploration & {
  workspace: Pick<Workspace, 'id' | 'slug' | 'name'>
  artifacts: ArtifactSummary[]
  plan: PlanSummary | null
  /** Approved ones only. */
  recommendation_count: number
}

export type ExplorationSummary =
  Pick<Exploration, 'id' | 'workspace_id' | 'title' | 'status' | 'tags' | 'updated_at'> & { artifact_types: string[], has_plan: boolean }

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
  /** By name, then id. */
  list (visible: readonly string[], page: PageRequest): Promise<Page<WorkspaceSummary>>
  /** One of the visible ones, or undefined. */
  get (visible: readonly string[], id: string): Promise<WorkspaceSummary | undefined>
  /** Visible workspaces whose id, slug or name starts with the prefix, case-insensitively. */
  complete (
    visible: readonly string[], prefix: string, limit: number
  ): Promise<Array<{ id: string, slug: string, name: string }>>
}

export interface Explorations {
  /** Of the visible workspaces, or of any when they are left out; what is not visible takes as long as what is not there. */
  get (id: string, visible?: readonly string[]): Promise<ExplorationDetail | undefined>
  /** The workspace that an exploration belongs to; undefined when there is no such exploration. */
  workspaceOf (id: string): Promise<string | undefined>
  /** Where those of these explorations are that exist, by id, and which of these types of packages each has. */
  locate (
    ids: readonly string[], artifactTypes: readonly string[], signal?: AbortSignal
  ): Promise<ReadonlyMap<string, ExplorationPlace>>
  /** One workspace's, most recently updated first, then id. */
  list (workspaceId: string, page: PageRequest): Promise<Page<ExplorationSummary>>
  /** Visible explorations whose id or title starts with the prefix, case-insensitively. */
  complete (visible: readonly string[], prefix: string, limit: number): Promise<Array<{ id: string, title: string }>>
}

export interface Packages {
  get (explorationId: string, artifactType: string, signal?: AbortSignal): Promise<RequirementPackage | undefined>
  /** Sorted by type. */
  types (explorationId: string): Promise<string[]>
  /** Types that start with the prefix, of one exploration when given, else of any that the caller can see. */
  complete (visible: readonly string[], prefix: string, limit: number, explorationId?: string): Promise<string[]>
}

export interface Plans {
  /** Groups, items, gates in order; undefined when there is no plan. */
  get (explorationId: string, signal?: AbortSignal): Promise<ExecutionPlan | undefined>
  state (explorationId: string): Promise<PlanState | undefined>
}

export interface Recommendations {
  /** Approved ones only: strategies first, then by title, then id. */
  approved (explorationId: string, kind?: Recommendation['kind']): Promise<Recommendation[]>
}

export interface SearchHit extends ExplorationSummary {
  workspace: Pick<Workspace, 'id' | 'slug' | 'name'>
  /** 0 to 1. */
  score: number
  /** The passage that made it match. */
  snippet: string
}

export interface SearchRequest extends PageRequest {
  query: string
  visible: readonly string[]
  status?: readonly ExplorationStatus[] | undefined
}

export interface Search {
  /** Best first; with a notice when it had to do without meaning. */
  find (question: SearchRequest): Promise<Page<SearchHit> & { notice?: string }>
}

export interface Store {
  workspaces: Workspaces
  explorations: Explorations
  packages: Packages
  plans: Plans
  recommendations: Recommendations
  search: Search
}
