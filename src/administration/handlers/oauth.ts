/** Handlers: consent to what an application asks for, and the applications that are connected. */
import type { ConnectionEntry } from '../../db/oauth/sql-connections.js'
import { decodeCursor, encodeCursor, isId, pageOf } from '../../db/sql/cursor.js'
import { Refusal } from '../../lib/errors.js'
import { OAUTH_PATH } from '../../oauth/addresses.js'
import type { AuthorizationServer } from '../../oauth/authorize/authorization-server.js'
import type { WebPerson } from '../permission.js'
import type { HandlersOf } from '../handler.js'
import type { oauthOperations } from '../operations/oauth.js'
import { knownWorkspaces, requireVisibleIds } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

/**
 * Returns the handlers by method and path. They reject with a `Refusal`: for a ticket of another session, a workspace
 * or connection beyond the person's reach, and everywhere when OAuth is off.
 */
export const oauthHandlers = (
  deps: PageDeps
): HandlersOf<typeof oauthOperations, `${string} /oauth/consent${string}` & keyof typeof oauthOperations |
  `${string} /connections${string}` & keyof typeof oauthOperations> => {
  const { connections, credentials, requireSession } = deps

  const requireOAuth = (): AuthorizationServer => {
    if (deps.oauth) return deps.oauth
    throw new Refusal('Applications cannot be connected here: OAuth is off on this server.', 'not_found')
  }

  return {
    'POST /oauth/consent/lookup': async ({ body: { ticket }, person, request }) => {
      const { sessionId } = requireSession(request)
      const { client, redirect, scopes, writes, lifetimeDays, query } = requireOAuth().consentRequest(ticket, sessionId)
      return {
        client: {
          name: client.name,
          ...client.uri !== null && { uri: client.uri },
          vouched_by: { kind: client.kind, host: client.host }
        },
        redirect,
        scopes,
        asks_to_write: writes,
        lifetime_days: lifetimeDays,
        workspaces: person.memberships.map(({ workspace: { id, slug, name } }) => ({ id, slug, name })),
        user: { name: person.user.name, email: person.user.email },
        restart_path: `${OAUTH_PATH}/authorize?${query}`
      }
    },

    'POST /oauth/consent/error': async ({ body: { ticket }, request }) =>
      requireOAuth().consentError(ticket, requireSession(request).sessionId),

    'POST /oauth/consent': async ({ body, person, request, note }) => {
      const { ticket, decision, workspaces = 'all', write = false } = body
      const oauth = requireOAuth()
      const session = requireSession(request)
      const { client } = oauth.consentRequest(ticket, session.sessionId)
      const what = decision === 'allow' && write ? 'allow write' : decision
      note({ target: `${what} ${client.id.slice(0, 200)}` })
      if (decision === 'deny') return { redirect_to: oauth.deny(ticket, session.sessionId) }
      const workspaceIds = workspaces === 'all' ? null : requireVisibleIds(person, workspaces)
      return { redirect_to: await oauth.allow(ticket, session, { workspaceIds, write }) }
    },

    'GET /connections': async ({ query: { owner, cursor, limit = 100 }, person, access }) => {
      const after = decodeCursor('connections', cursor, isId)
      const user = owner === 'all' && access.all ? undefined : person.user.id
      const entries = await connections.list({ user, after: after?.[0], limit: limit + 1 })
      const { items, ...rest } = pageOf(entries, limit, ({ id }) => encodeCursor('connections', [id]))
      return { connections: await withWorkspaces(deps, person, items), ...rest }
    },

    'PATCH /connections/:id': async ({ params: { id }, body: { write }, person, note }) => {
      const found = await connections.find(id)
      if (found?.user.id !== person.user.id) throw unknownConnection()
      note({ credential_id: found.id, target: write ? 'write' : 'read' })
      const changed = await connections.setScope(found.id, write ? 'read_write' : 'read')
      if (!changed) throw unknownConnection()
      return { id: found.id, scope: changed }
    },

    'DELETE /connections/:id': async ({ params: { id }, person, access, note }) => {
      const connection = await connections.find(id)
      if (!connection || !(access.all || connection.user.id === person.user.id)) { throw unknownConnection() }
      note({ credential_id: connection.id })
      await credentials.revoke('connection', connection.id, person.user.email)
      return { id: connection.id }
    }
  }

  async function withWorkspaces ({ web: { workspaces } }: PageDeps, person: WebPerson, items: ConnectionEntry[]) {
    const known = items.some(({ workspace_ids: ids }) => ids !== null) ? await knownWorkspaces(workspaces, person) : []
    return items.map(({ workspace_ids: ids, client: { name, host, kind }, resource: _, ...entry }) => ({
      ...entry,
      client: { name, host, kind },
      workspaces: ids && known.filter(({ id }) => ids.includes(id)).map(({ id, slug, name }) => ({ id, slug, name }))
    }))
  }
}

const unknownConnection = (): Refusal =>
  new Refusal('There is no connected application with this id, or you may not see it.', 'not_found')
