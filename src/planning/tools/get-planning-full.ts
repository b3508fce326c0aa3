/** Reads the plan of an exploration in order, page by page. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_planning_full.input.json' with { type: 'json' }
import output from '#schemas/tools/get_planning_full.output.json' with { type: 'json' }
import { progress } from '../../engine/request-context.js'
import { Refusal } from '../../lib/errors.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import type { ExecutionPlan } from '../records.js'
import { mayWriteIn, requireExploration } from './access.js'
import { planPage, type PlanPage } from './plan-page.js'
import { requireReadable, STALE } from './plan-states.js'
import { planText } from './plan-text.js'
import { quoteId } from './escape-text.js'
import { textBudget, truncationNotice, withinBudget } from './truncate.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { result } from '../../engine/tools/tool.js'

export const getPlanningFull: PlanningTool<FromSchema<typeof input>> = {
  name: 'get_planning_full',
  title: 'Read a plan',
  description: 'Reads a plan in order, by pages of items: groups, items, dependencies (item_id waits for ' +
    'depends_on when it blocks), gates after a group, conflicts.',
  ...READING,
  input,
  output,
  async * run ({ exploration_id: id, group_id: group, limit, cursor }, context) {
    const exploration = await requireExploration(context, id)
    yield progress(1, 3, 'Reading the plan')
    const { plans } = context.store
    const plan = requireReadable(plans.forWriters && await mayWriteIn(context, exploration)
      ? await plans.forWriters(exploration, context.signal)
      : await plans.get(exploration, context.signal))
    if (group !== undefined && !plan.groups.some((candidate) => candidate.id === group)) throw unknownGroup(plan)
    if (plan.compilation_state === 'stale') {
      yield { kind: 'log', level: 'warning', logger: 'get_planning_full', data: STALE }
    }
    const start = cursor === undefined ? 0 : readPlanCursor(cursor, plan, group)

    yield progress(2, 3, 'Putting the page together')
    const { next, ...whole } = planPage(plan, { group, start, limit })
    const { notice, ...page } = withBoundedTexts(whole)
    const warnings = [...plan.compilation_state === 'stale' ? [STALE] : [], ...notice ? [notice] : []]
    const structured = {
      exploration_id: plan.exploration_id,
      version: plan.version,
      compilation_state: plan.compilation_state,
      updated_at: plan.updated_at,
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
      ...page,
      ...(next !== undefined && { next_cursor: planCursor(plan, group, next) })
    }
    return result(structured, planText(structured, start))
  }
}

/** Of all gates and conflicts of a page, in UTF-16 code units. Items bound the page themselves. */
const MAX_CHARS = 100_000

/** Cuts the texts of gates and conflicts; `notice` says so, and is empty when nothing is missing. */
const withBoundedTexts = <Page extends Pick<PlanPage, 'gates' | 'conflicts'>>(page: Page) => {
  const budget = textBudget(MAX_CHARS)
  const gates = page.gates.map((gate) => {
    const criteria = withinBudget(budget, gate.criteria, (text) =>
      budget.take(`criterion of gate ${quoteId(gate.id)}`, text, MAX_CHARS))
    return { ...gate, criteria }
  })
  const conflicts = page.conflicts.map((conflict) => {
    const take = (text: string): string => budget.take(`conflict ${quoteId(conflict.id)}`, text, MAX_CHARS)
    const { description, resolution } = conflict
    return {
      ...conflict, description: take(description), ...(resolution !== undefined && { resolution: take(resolution) })
    }
  })
  const countOf = (list: PlanPage['gates']): number => list.reduce((sum, { criteria }) => sum + criteria.length, 0)
  const omitted = countOf(page.gates) - countOf(gates)
  const notice = truncationNotice(budget.truncations,
    omitted > 0 ? [`${omitted} more criteria of gates left out`] : [],
    'The page of the plan in the web application shows more of them.')
  return { ...page, gates, conflicts, notice }
}

const MAX_NAMED = 50

const unknownGroup = ({ groups }: ExecutionPlan): Refusal => new Refusal(groups.length === 0
  ? 'This plan has no groups. Leave out group_id.'
  : `This plan has no such group. Its groups: ${groups.slice(0, MAX_NAMED).map(({ id }) => quoteId(id)).join(', ')}` +
    `${groups.length > MAX_NAMED ? ` and ${groups.length - MAX_NAMED} more (read the plan without group_id)` : ''}.`,
'not_found')

type PlanIdentity = Pick<ExecutionPlan, 'exploration_id' | 'version' | 'updated_at' | 'items'>

/** A cursor is bound to the version and time of the plan, and to the group. */
const binding = (plan: PlanIdentity, group: string | undefined): unknown[] =>
  [plan.exploration_id, plan.version, plan.updated_at, group ?? null]

const planCursor = (plan: PlanIdentity, group: string | undefined, next: number): string =>
  Buffer.from(JSON.stringify([next, ...binding(plan, group)])).toString('base64url')

/** Returns the index of the page's first item. @throws {Refusal} for a cursor of another plan or group */
const readPlanCursor = (cursor: string, plan: PlanIdentity, group: string | undefined): number => {
  const [next, exploration, version, time, ...rest] = decodeParts(cursor)
  const isIndex = typeof next === 'number' && Number.isSafeInteger(next) && next >= 1
  if (!isIndex || exploration !== plan.exploration_id || rest.length !== 1) {
    throw new Refusal('This cursor does not belong here. ' +
      'Use next_cursor exactly as get_planning_full returned it for this exploration.')
  }
  if (version !== plan.version || time !== plan.updated_at || next >= plan.items.length) {
    throw new Refusal(
      `The plan has changed since that page (it is now version ${plan.version}). Start again without cursor.`)
  }
  if (rest[0] !== (group ?? null)) {
    throw new Refusal('This cursor was made with another group_id. ' +
      'Repeat the same group_id, or start again without cursor.')
  }
  return next
}

const decodeParts = (cursor: string): unknown[] => {
  const value = parseJsonOrUndefined(Buffer.from(cursor, 'base64url').toString())
  return Array.isArray(value) ? value : []
}
