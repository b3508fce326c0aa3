/** Messages to the model about plans that are missing, unreadable or stale. */
import { Refusal } from '../../lib/errors.js'
import type { ExecutionPlan } from '../records.js'

export const STALE = 'Stale: the exploration has changed since this plan was compiled. ' +
  'Check items against the exploration before you act on them.'

/** Why a plan in this state is not shown to agents; those that are compiled or stale are. */
const UNREADABLE: Partial<Record<ExecutionPlan['compilation_state'], string>> = {
  not_compiled: 'the team has to compile it first. Until then work from get_requirement_package.',
  compiling: 'call again in a minute; get_planning_state tells when it is compiled.',
  failed: 'its compilation went wrong, so its order cannot be trusted. ' +
    'Tell the team, and work from get_requirement_package meanwhile.'
}

type StateOfPlan = Pick<ExecutionPlan, 'compilation_state' | 'version'>

/** Undefined for a plan that can be read. */
export const whyUnreadable = ({ compilation_state: state, version }: StateOfPlan): string | undefined =>
  UNREADABLE[state] && `The plan (version ${version}) is ${state}: ${UNREADABLE[state]}`

/** @throws {Refusal} `not_found` without a plan */
export const requirePlan = <Plan>(plan: Plan | undefined): Plan => {
  if (plan !== undefined) return plan
  throw new Refusal(
    'This exploration has no plan. Work from get_requirement_package, or ask the team to plan it.', 'not_found')
}

/** @throws {Refusal} also for one that cannot be read */
export const requireReadable = <Plan extends StateOfPlan>(plan: Plan | undefined): Plan => {
  const found = requirePlan(plan)
  const reason = whyUnreadable(found)
  if (reason !== undefined) throw new Refusal(reason)
  return found
}
