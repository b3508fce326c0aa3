/** The plan as it arrives: what the record holds and the web API and the tool `get_planning_full` answer. */

export type ItemStatus = 'todo' | 'in_progress' | 'done' | 'blocked'
export type GateStatus = 'open' | 'passed' | 'failed'
export type Severity = 'low' | 'medium' | 'high'

export interface PlanRecord {
  groups: ReadonlyArray<{ id: string, title: string, order: number }>
  items: ReadonlyArray<{
    id: string
    group_id: string
    title: string
    description?: string
    acceptance?: ReadonlyArray<{ text: string, met: boolean }>
    status: ItemStatus
    order: number
    /** Who works on it, for those who may write. */
    claimed_by?: { user: string }
    /** The proposal that says it is done, while it waits for a person. */
    finished?: { proposal_id: string }
  }>
  /** `item_id` waits for `depends_on` if the kind is `blocks`. */
  dependencies: ReadonlyArray<{ item_id: string, depends_on: string, kind: 'blocks' | 'relates' }>
  gates: ReadonlyArray<{
    id: string, title: string, after_group_id: string, criteria: readonly string[], status: GateStatus
  }>
  conflicts: ReadonlyArray<{
    id: string,
    item_ids: readonly string[],
    description: string,
    severity: Severity,
    status: 'open' | 'resolved',
    resolution?: string
  }>
}
