/** Handlers: guides for connecting coding agents, and how far a person is from the first call of one. */
import { CLIENT } from '../credential-check.js'
import type { HandlersOf } from '../handler.js'
import type { connectOperations } from '../operations/connect.js'
import type { PageDeps } from '../page-deps.js'
import { auditItems } from '../views/audit-view.js'
import { visibleWorkspaces } from '../visible-workspaces.js'

const PREFIX = 'tools/call '
// Of the newest calls, as many as tests of keys may have made.
const LATEST = 50

/** Returns the handlers by method and path. */
export const connectHandlers = (
  { endpointOf, oauthEndpointOf, web, audit }: Pick<PageDeps, 'endpointOf' | 'oauthEndpointOf' | 'web' | 'audit'>
): HandlersOf<typeof connectOperations, 'GET /connect' | 'GET /first-steps'> => ({
  'GET /connect': async ({ request }) => {
    // Loaded for this page only: it brings parsers of every agent's kind of file.
    const { connectGuides } = await import('../views/connect-guides.js')
    return connectGuides(endpointOf(request), oauthEndpointOf(request))
  },

  'GET /first-steps': async ({ person, person: { user, serverAdmin } }) => {
    const [workspaces, credentials, calls] = await Promise.all([
      web.workspaces.list(user.id, { others: serverAdmin, archived: false }),
      web.credentials.page({ user: user.id, revoked: false }, { limit: 20 }),
      audit.list({ users: [user.id], action: PREFIX, limit: LATEST })
    ])
    const planned = workspaces.filter(({ exploration_count: count }) => count > 0)
    const call = calls.find(({ client }) => client?.startsWith(CLIENT.name) !== true)
    const scope = { users: [], workspaces: [], explorationsOf: visibleWorkspaces(person) }
    const [item] = call ? await auditItems(web.auditLabels, [call], scope) : []
    return {
      imported: planned.length > 0,
      joined: planned.some(({ role }) => role !== null),
      connected: credentials.items.some(({ state }) => state === 'active'),
      call: item
        ? {
            at: item.at,
            tool: item.action.slice(PREFIX.length),
            ...item.client !== undefined && { client: item.client.replace(/\/[^/]*$/, '') },
            ...item.exploration?.title !== undefined && { exploration: item.exploration.title }
          }
        : null
    }
  }
})
