/** Handlers: OAuth clients and all connections by the command line: created, listed, revoked at once. */
import { isRedirectUri } from '../../access/oauth/redirect-uri.js'
import { Refusal } from '../../lib/errors.js'
import type { HandlersOf } from '../handler.js'
import type { oauthOperations } from '../operations/oauth.js'
import type { ManagementPorts } from '../ports.js'

const MAX_LISTED = 1000

type ClientOperation =
  Extract<keyof typeof oauthOperations, `${string}/oauth-clients${string}` | `${string}/admin/${string}`>

/** Returns the handlers by method and path. */
export const oauthClientsHandlers = (
  { connections, credentials, directory, oauthClients: clients }:
  Pick<ManagementPorts, 'connections' | 'credentials' | 'directory' | 'oauthClients'>
): HandlersOf<typeof oauthOperations, ClientOperation> => ({
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

  'POST /oauth-clients': async ({ body: { name, redirect_uris: redirectUris, confidential }, actor, record }) => {
    const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
    if (wrong !== undefined) {
      throw new Refusal(`${JSON.stringify(wrong)} cannot be a redirect URI: it has to be https, or http on ` +
        'localhost, 127.0.0.1 or [::1], without a fragment.')
    }
    const created = await clients.create({
      kind: 'preregistered', name: name.trim(), redirectUris, refreshable: true, confidential, by: actor
    })
    if (!created) throw new Refusal('There are too many clients: revoke some.', 'conflict')
    await record('oauth-client/created', { target: created.id })
    return {
      client_id: created.id,
      ...created.secret !== undefined && { client_secret: created.secret },
      name: name.trim(),
      redirect_uris: redirectUris,
      created_at: created.created_at
    }
  },

  'GET /oauth-clients': async () => ({ oauth_clients: await clients.list() }),

  'DELETE /oauth-clients/:id': async ({ params: { id }, actor, record }) => {
    const revoked = await clients.revoke(id, actor)
    await record('oauth-client/revoked', { target: revoked.id })
    return revoked
  }
})
