/** `clients create`, `clients list`, `clients revoke`: manage the OAuth clients of the server. */
import type { ClientSummary } from '../../access/oauth/oauth-clients.js'
import { listed, managed } from '../managed.js'
import { stripControlChars, type Columns } from '../print/print.js'

/**
 * Registers a client and prints its id and, once, its secret.
 * @throws {Refusal} for an address that answers may not go to
 */
export const create = managed(
  (api, { name, redirectUri, confidential = false }: { name: string, redirectUri: string[], confidential?: boolean }) =>
    api.call('POST /oauth-clients', { body: { name, redirect_uris: redirectUri, confidential } }),
  ({ client_id: id, client_secret: secret }) => `client_id ${id}\n${secret === undefined
    ? 'It has no secret.'
    : `client_secret ${secret}\n\nThis is the only time the secret is shown.`}`
)

const columns: Columns<ClientSummary> = [
  ['ID', ({ id }) => id], ['NAME', ({ name }) => name],
  ['REGISTERED BY', ({ kind, created_by: by }) => kind === 'registered' ? 'itself' : by],
  ['SECRET', ({ confidential }) => confidential ? 'yes' : 'no'], ['CONNECTIONS', ({ connections }) => connections],
  ['ANSWERS GO TO', ({ redirect_uris: uris }) => uris.join(' ')], ['CREATED', ({ created_at: at }) => at],
  ['LAST USED', ({ last_used_at: at }) => at ?? 'never']
]

/** Prints the clients in force. Those with a document of their own are in no list. */
export const list = listed(
  async (api) => (await api.call('GET /oauth-clients')).oauth_clients, columns, 'There are no OAuth clients.')

/**
 * Revokes the client with this id, and ends its connections.
 * @throws {Refusal} when there is none
 */
export const revoke = managed(
  (api, { id }: { id: string }) => api.call('DELETE /oauth-clients/:id', { params: { id } }),
  ({ name }) => `Revoked the client ${stripControlChars(name)}; its connections have ended.`
)
