/** Encodes and decodes cursors of plans, each bound to the plan's version and time and to the group. */
import { Refusal } from '../../lib/errors.js'
import type { ExecutionPlan } from '../records.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'

type PlanIdentity = Pick<ExecutionPlan, 'exploration_id' | 'version' | 'updated_at' | 'items'>

const binding = (plan: PlanIdentity, group: string | undefined): unknown[] =>
  [plan.exploration_id, plan.version, plan.updated_at, group ?? null]

export const planCursor = (plan: PlanIdentity, group: string | undefined, next: number): string =>
  Buffer.from(JSON.stringify([next, ...binding(plan, group)])).toString('base64url')

/** Returns the index of the page's first item. @throws {Refusal} for a cursor of another plan or group */
export const readPlanCursor = (cursor: string, plan: PlanIdentity, group: string | undefined): number => {
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
