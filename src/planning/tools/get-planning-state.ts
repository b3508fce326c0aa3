/** Reads the progress of an exploration's plan: its compilation state, and counts by status. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_planning_state.input.json' with { type: 'json' }
import output from '#schemas/tools/get_planning_state.output.json' with { type: 'json' }
import { weakMemo } from '../../lib/weak-memo.js'
import type { PlanState } from '../store.js'
import { requireExploration } from './access.js'
import { requirePlan, STALE, whyUnreadable } from './plan-states.js'
import { pluralize } from '../../lib/text/text.js'
import { quoteId, quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { PLAN_VIEW_URI } from '../views/plan-view.js'
import { result, type ToolResult } from '../../engine/tools/tool.js'

export const getPlanningState: PlanningTool<FromSchema<typeof input>> = {
  name: 'get_planning_state',
  title: 'Check a plan\'s progress',
  description: 'Counts a plan by status; says what can start now and what blocks most. ' +
    'Cheap: call it before get_planning_full.',
  ...READING,
  input,
  output,
  // The model reads a few lines, a person sees the whole plan: one picture for each question about it.
  view: { resourceUri: PLAN_VIEW_URI },
  async run ({ exploration_id: id }, context) {
    const exploration = await requireExploration(context, id)
    const state = requirePlan(await context.store.plans.state(exploration))
    return results(state, '', () => show(state))
  }
}

// The store returns the same object while the plan does not change.
const results = weakMemo<PlanState, ToolResult>()

const show = (state: PlanState): ToolResult => {
  const { ready = [], blocking = [], ...rest } = state
  const counts: PlanState['counts'] = JSON.parse(JSON.stringify(state.counts, KEYS))
  // The order of a plan that is not compiled cannot be trusted.
  const next = whyUnreadable(state) ? undefined : { ready: ready.map(brief), blocking: blocking.map(brief) }
  const warning = state.compilation_state === 'stale' && { warning: STALE }
  const text = [
    `Plan of exploration ${state.exploration_id}: version ${state.version}, ${state.compilation_state}, updated ` +
      `${state.updated_at}`,
    ...(warning ? [warning.warning] : []),
    `groups ${counts.groups}, dependencies ${counts.dependencies}`,
    `items ${byStatus(counts.items, 'todo', 'in_progress', 'done', 'blocked')}`,
    `gates ${byStatus(counts.gates, 'open', 'passed', 'failed')}`,
    `conflicts ${byStatus(counts.conflicts, 'open', 'resolved')}`,
    ...(next ? startText(next, counts.items) : [])
  ].join('\n')
  return { ...result({ ...rest, counts, ...next, ...warning }, text), constant: true }
}

/** The keys of the counts in the order of the schema: PostgreSQL sorts those of `jsonb` by length. */
const KEYS = [
  'groups', 'dependencies', 'items', 'gates', 'conflicts',
  'total', 'todo', 'in_progress', 'done', 'blocked', 'open', 'passed', 'failed', 'resolved'
]

const startText = (
  { ready, blocking }: Required<Pick<PlanState, 'ready' | 'blocking'>>, { total, done }: PlanState['counts']['items']
): string[] => [
  ready.length > 0 ? 'can start now, in order:' : nothingText(done === total),
  ...ready.map(({ id, title }) => `- ${quoteId(id)} ${quoteText(title)}`),
  ...(blocking.length > 0 ? ['blocks most:'] : []),
  ...blocking.map(({ id, title, blocks }) => `- ${quoteId(id)} ${quoteText(title)}, ${pluralize(blocks, 'item')} ` +
    'waiting')
]

const nothingText = (finished: boolean): string =>
  finished ? 'nothing is left to start' : 'nothing can start: what is not done waits, is under way or is blocked'

const MAX_TITLE = 200

/** Key by key: PostgreSQL keeps those of `jsonb` by their length. */
const brief = <Item extends { id: string, title: string }>({ id, title, ...rest }: Item) =>
  ({ id, title: title.length > MAX_TITLE ? `${[...title].slice(0, MAX_TITLE).join('')}…` : title, ...rest })

const byStatus = <Status extends string>(counts: Record<Status | 'total', number>, ...statuses: Status[]): string =>
  `${counts.total}: ${statuses.map((status) => `${counts[status]} ${status}`).join(', ')}`
