/** `connections list`, `connections revoke`: manage the applications that people connected by OAuth. */
import type { ConnectionEntry } from '../../db/oauth/sql-connections.js'
import { listed, managed } from '../managed.js'
import { stripControlChars, type Columns } from '../print/print.js'

const columns: Columns<ConnectionEntry> = [
  ['ID', ({ id }) => id], ['APPLICATION', ({ client: { name } }) => name],
  ['VOUCHED FOR BY', ({ client: { host, kind } }) => host ?? (kind === 'preregistered' ? 'the operator' : 'no one')],
  ['USER', ({ user }) => user.email], ['SCOPE', ({ scope }) => scope],
  ['WORKSPACES', ({ workspace_ids: ids }) => ids?.length ?? 'all'],
  ['SINCE', ({ created_at: at }) => at], ['LAST USED', ({ last_used_at: at }) => at ?? 'never'],
  ['FROM', ({ last_used_from: from }) => from], ['CALLS (30 DAYS)', ({ calls_30d: calls }) => calls],
  ['LINES OF TOKENS', ({ token_lines: lines }) => lines], ['ENDS', ({ expires_at: at }) => at]
]

/** Prints the connections in force, of all users or of one (id or e-mail address). */
export const list = listed(
  async (api, { user }: { user?: string }) =>
    (await api.call('GET /admin/connections', { query: { user } })).connections,
  columns, 'No applications are connected.'
)

/**
 * Ends the connection with this id.
 * @throws {Refusal} when there is none in force
 */
export const revoke = managed(
  (api, { id }: { id: string }) => api.call('DELETE /admin/connections/:id', { params: { id } }),
  ({ client, user }) => `Disconnected ${stripControlChars(client.name)} of ${stripControlChars(user.email)}.`
)
