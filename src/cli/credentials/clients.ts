/** `clients create`, `clients list`, `clients revoke`: manage the OAuth clients of the server. */
import type { ClientSummary } from '../../access/oauth/oauth-clients.js'
import type { CommandHandler } from '../command-handler.js'
import { print, printList, stripControlChars, type Columns } from '../print/print.js'
import { withManagement } from '../with-management.js'

/**
 * Registers a client and prints its id and, once, its secret.
 * @throws {Refusal} for an address that answers may not go to
 */
export const create: CommandHandler<{ name: string, redirectUri: string[], confidential?: boolean }> = async (
  { name, redirectUri, confidential = false, json }, context, flags
) => {
  const body = { name, redirect_uris: redirectUri, confidential }
  const created = await withManagement(
    context, flags, (api) => api.call('POST /oauth-clients', { body }))
  const secret = created.client_secret === undefined
    ? 'It has no secret.'
    : `client_secret ${created.client_secret}\n\nThis is the only time the secret is shown.`
  print({ ...context, json }, created, `client_id ${created.client_id}\n${secret}`)
}

const columns: Columns<ClientSummary> = [
  ['ID', ({ id }) => id], ['NAME', ({ name }) => name],
  ['REGISTERED BY', ({ kind, created_by: by }) => kind === 'registered' ? 'itself' : by],
  ['SECRET', ({ confidential }) => confidential ? 'yes' : 'no'], ['CONNECTIONS', ({ connections }) => connections],
  ['ANSWERS GO TO', ({ redirect_uris: uris }) => uris.join(' ')], ['CREATED', ({ created_at: at }) => at],
  ['LAST USED', ({ last_used_at: at }) => at ?? 'never']
]

/** Prints the clients in force. Those with a document of their own are in no list. */
export const list: CommandHandler<object> = async ({ json }, context, flags) => {
  const { oauth_clients: clients } = await withManagement(context, flags, (api) =>
    api.call('GET /oauth-clients'))
  printList({ ...context, json }, clients, columns, 'There are no OAuth clients.')
}

/**
 * Revokes the client with this id, and ends its connections.
 * @throws {Refusal} when there is none
 */
export const revoke: CommandHandler<{ id: string }> = async ({ id, json }, context, flags) => {
  const client = await withManagement(
    context, flags, (api) => api.call('DELETE /oauth-clients/:id', { params: { id } }))
  print({ ...context, json }, client,
    `Revoked the client ${stripControlChars(client.name)}; its connections have ended.`)
}
