/** Handlers: consent to what an application asks for, connected applications, and OAuth clients. */
import { decodeCursor, encodeCursor, isId, pageOf } from '../../db/sql/cursor.js'
import { isRedirectUri } from '../../access/oauth/redirect-uri.js'
import { Refusal } from '../../lib/errors.js'
import { OAUTH_PATH } from '../../oauth/addresses.js'
import type { AuthorizationServer } from '../../oauth/authorize/authorization-server.js'
import type { Handlers } from '../handler.js'
import type { oauthOperations } from '../operations/oauth.js'
import { nameLimits, requireVisibleIds } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

const MAX_LISTED = 1000

export const oauthHandlers = (deps: PageDeps): Handlers<typeof oauthOperations> => {
  const { api, connections, credentials, directory, oauthClients: clients, requireSession } = deps

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
      const namesOf = await nameLimits(api.workspaces, person, items)
      const shown = items.map(({ workspace_ids: ids, client: { name, host, kind }, resource: _, ...entry }) => ({
        ...entry, client: { name, host, kind }, workspaces: namesOf(ids)
      }))
      return { connections: shown, ...rest }
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
      if (!connection || !(access.all || connection.user.id === person.user.id)) throw unknownConnection()
      note({ credential_id: connection.id })
      await credentials.revoke('connection', connection.id, person.user.email)
      return { id: connection.id }
    },

    'GET /admin/connections': async ({ query: { user } }) => {
      if (user !== undefined) await directory.findUser(user)
      return { connections: await connections.list({ user, limit: MAX_LISTED }) }
    },

    'DELETE /admin/connections/:id': async ({ params: { id }, actor }) => {
      const found = await connections.find(id)
      if (!found) {
        throw new Refusal(
          `There is no connection with the id ${JSON.stringify(id.slice(0, 100))}, or it has ended.`, 'not_found')
      }
      await credentials.revoke('connection', id, actor)
      return found
    },

    'POST /oauth-clients': async ({ body: { name, redirect_uris: redirectUris, confidential }, actor, note }) => {
      const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
      if (wrong !== undefined) {
        throw new Refusal(`${JSON.stringify(wrong)} cannot be a redirect URI: it has to be https, or http on ` +
          'localhost, 127.0.0.1 or [::1], without a fragment.')
      }
      const created = await clients.create({
        kind: 'preregistered', name: name.trim(), redirectUris, refreshable: true, confidential, by: actor
      })
      if (!created) throw new Refusal('There are too many clients: revoke some.', 'conflict')
      note({ target: created.id })
      return {
        client_id: created.id,
        ...created.secret !== undefined && { client_secret: created.secret },
        name: name.trim(),
        redirect_uris: redirectUris,
        created_at: created.created_at
      }
    },

    'GET /oauth-clients': async () => ({ oauth_clients: await clients.list() }),

    'DELETE /oauth-clients/:id': async ({ params: { id }, actor, note }) => {
      const revoked = await clients.revoke(id, actor)
      note({ target: revoked.id })
      return revoked
    }
  }
}

const unknownConnection = (): Refusal =>
  new Refusal('There is no connected application with this id, or you may not see it.', 'not_found')
