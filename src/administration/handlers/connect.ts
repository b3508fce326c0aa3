/** Handler: guides for connecting coding agents. */
import type { HandlersOf } from '../handler.js'
import type { connectOperations } from '../operations/connect.js'
import type { PageDeps } from '../page-deps.js'

/** Returns the handler by method and path. */
export const connectHandlers = (
  { endpointOf, oauthEndpointOf }: Pick<PageDeps, 'endpointOf' | 'oauthEndpointOf'>
): HandlersOf<typeof connectOperations, 'GET /connect'> => ({
  'GET /connect': async ({ request }) => {
    // Loaded for this page only: it brings parsers of every agent's kind of file.
    const { connectGuides } = await import('../views/connect-guides.js')
    return connectGuides(endpointOf(request), oauthEndpointOf(request))
  }
})
