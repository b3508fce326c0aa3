/** The resource of one exploration: all its data as JSON, not truncated. */
import { lookUpExplorationDetail } from '../tools/access.js'
import type { PlanningResource } from '../tools/planning-tool.js'
import { latest, MAX_COMPLETIONS, isSearchable, TTL_MS } from './limits.js'

/** Creates the resource under a URI scheme. */
export const exploration = (scheme: string): PlanningResource => ({
  template: `${scheme}://exploration/{explorationId}`,
  name: 'exploration',
  title: 'Exploration',
  description: 'One exploration in full: metadata, summaries, questions and answers, approved recommendations, ' +
    'what else there is.',
  mimeType: 'application/json',
  ttlMs: TTL_MS,
  async read ({ explorationId = '' }, context) {
    const found = await lookUpExplorationDetail(context, explorationId)
    if (found === undefined) return undefined
    const { plan, ...facts } = found
    const recommendations = await context.store.recommendations.approved(found.id)
    const data = { ...facts, ...(plan !== null && { plan }), recommendations }
    const artifactTimes = found.artifacts.map(({ updated_at: at }) => at)
    const times = [found.updated_at, ...artifactTimes, ...(plan === null ? [] : [plan.updated_at])]
    return { mimeType: 'application/json', text: JSON.stringify(data), ...latest(times) }
  },
  async complete (variable, prefix, _known, { store, principal }) {
    if (variable !== 'explorationId' || !isSearchable(prefix)) return []
    return (await store.explorations.complete(principal.workspaces, prefix, MAX_COMPLETIONS)).map(({ id }) => id)
  }
})
