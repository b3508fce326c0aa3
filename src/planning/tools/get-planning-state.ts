/** How far the plan of one exploration is: its state and counts, for every state. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_planning_state.input.json' with { type: 'json' }
import output from '#schemas/tools/get_planning_state.output.json' with { type: 'json' }
import type { PlanState } from '../store.js'
import { requireExploration } from './access.js'
import { READ_ONLY } from './annotations.js'
import { noPlan, STALE } from './plan-states.js'
import type { ToolServices } from './services.js'
import { result, type Tool } from '../../mcp/tools/tool.js'

export const getPlanningState: Tool<FromSchema<typeof input>, ToolServices> = {
  name: 'get_planning_state',
  title: 'Check a plan\'s progress',
  description: 'Counts a plan\'s items, gates and conflicts by status, with its compilation_state. Cheap: call it before get_planning_full.',
  scope: 'read',
  input,
  output,
  annotations: READ_ONLY,
  async run ({ exploration_id: id }, context) {
    const exploration = await requireExploration(context, id)
    const state = await context.store.plans.state(exploration)
    if (state === undefined) throw noPlan()
    const counts = inOrder(state.counts)
    const warning = state.compilation_state === 'stale' && { warning: STALE }
    return result({ ...state, counts, ...warning }, [
      `Plan of exploration ${state.exploration_id}: version ${state.version}, ${state.compilation_state}, updated ${state.updated_at}`,
      ...(warning ? [warning.warning] : []),
      `groups ${counts.groups}, dependencies ${counts.dependencies}`,
      `items ${byStatus(counts.items, 'todo', 'in_progress', 'done', 'blocked')}`,
      `gates ${byStatus(counts.gates, 'open', 'passed', 'failed')}`,
      `conflicts ${byStatus(counts.conflicts, 'open', 'resolved')}`
    ].join('\n'))
  }
}

/** PostgreSQL keeps the keys of `jsonb` by their length: here they come as the schema names them. */
const inOrder = ({ groups, dependencies, items, gates, conflicts }: PlanState['counts']): PlanState['counts'] => ({
  groups,
  dependencies,
  items: {
    total: items.total,
    todo: items.todo,
    in_progress: items.in_progress,
    done: items.done,
    blocked: items.blocked
  },
  gates: { total: gates.total, open: gates.open, passed: gates.passed, failed: gates.failed },
  conflicts: { total: conflicts.total, open: conflicts.open, resolved: conflicts.resolved }
})

const byStatus = <Status extends string>(counts: Record<Status | 'total', number>, ...statuses: Status[]): string =>
  `${counts.total}: ${statuses.map((status) => `${counts[status]} ${status}`).join(', ')}`
