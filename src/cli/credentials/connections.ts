/** `connections list`, `connections revoke`: manage the applications that people connected by OAuth. */
import type { ConnectionEntry } from '../../db/oauth/sql-connections.js'
import type { CommandHandler } from '../command-handler.js'
import { print, printList, stripControlChars, type Columns } from '../print/print.js'
import { withManagement } from '../with-management.js'

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
export const list: CommandHandler<{ user?: string }> = async ({ user, json }, context, flags) => {
  const { connections } = await withManagement(context, flags, (api) =>
    api.call('GET /admin/connections', { query: { user } }))
  printList({ ...context, json }, connections, columns, 'No applications are connected.')
}

/**
 * Ends the connection with this id.
 * @throws {Refusal} when there is none in force
 */
export const revoke: CommandHandler<{ id: string }> = async ({ id, json }, context, flags) => {
  const ended = await withManagement(
    context, flags, (api) => api.call('DELETE /admin/connections/:id', { params: { id } }))
  print({ ...context, json }, ended,
    `Disconnected ${stripControlChars(ended.client.name)} of ${stripControlChars(ended.user.email)}.`)
}
