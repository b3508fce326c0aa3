/** Messages to the model about plans that are missing, unreadable or stale. */
import { Refusal } from '../../lib/errors.js'
import type { ExecutionPlan } from '../records.js'

export const STALE = 'Stale: the exploration has changed since this plan was compiled. ' +
  'Check items against the exploration before you act on them.'

export const noPlan = (): Refusal =>
  new Refusal(
    'This exploration has no plan. Work from get_requirement_package, or ask the team to plan it.', 'not_found')

/** Returns the `Refusal` for a plan that is not compiled; undefined for a compiled or stale plan, which can be read. */
export const unreadable = (
  { compilation_state: state, version }: Pick<ExecutionPlan, 'compilation_state' | 'version'>
): Refusal | undefined => {
  const refuse = (what: string): Refusal => new Refusal(`The plan (version ${version}) is ${state}: ${what}`)
  switch (state) {
    case 'not_compiled': return refuse('the team has to compile it first. Until then work from ' +
      'get_requirement_package.')
    case 'compiling': return refuse('call again in a minute; get_planning_state tells when it is compiled.')
    case 'failed':
      return refuse('its compilation went wrong, so its order cannot be trusted. ' +
        'Tell the team, and work from get_requirement_package meanwhile.')
    case 'compiled':
    case 'stale': return undefined
  }
}
