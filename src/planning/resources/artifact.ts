/** The resource of one requirement package: its markdown, unchanged. */
import { isArtifactType, lookUpExploration } from '../tools/access.js'
import type { PlanningResource } from '../tools/planning-tool.js'
import { MAX_COMPLETIONS, isSearchable, TTL_MS } from './limits.js'
import { locateNamed } from './locate.js'

/** Creates the resource under a URI scheme. */
export const artifact = (scheme: string): PlanningResource => ({
  template: `${scheme}://exploration/{explorationId}/artifact/{artifactType}`,
  name: 'artifact',
  title: 'Requirement package',
  description: 'The markdown of one requirement package, typically of type design or code.',
  mimeType: 'text/markdown',
  ttlMs: TTL_MS,
  async read ({ explorationId = '', artifactType = '' }, context) {
    const id = await lookUpExploration(context, explorationId)
    if (id === undefined || !isArtifactType(artifactType)) return undefined
    const found = await context.store.packages.get(id, artifactType, context.signal)
    return found && { mimeType: 'text/markdown', text: found.markdown, lastModified: found.updated_at }
  },
  async complete (variable, prefix, { explorationId }, context) {
    const { store, principal } = context
    if (!isSearchable(prefix)) return []
    if (variable === 'explorationId') {
      return (await store.explorations.complete(principal.workspaces, prefix, MAX_COMPLETIONS)).map(({ id }) => id)
    }
    if (variable !== 'artifactType') return []
    if (explorationId === undefined || explorationId === '') {
      return store.packages.complete(principal.workspaces, prefix, MAX_COMPLETIONS)
    }
    const [isVisible] = await locateNamed([{ explorationId }], context)
    return isVisible ? store.packages.complete(principal.workspaces, prefix, MAX_COMPLETIONS, explorationId) : []
  }
})
