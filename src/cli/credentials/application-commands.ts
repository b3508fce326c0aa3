/** `clients`, `connections` and `device`: applications of OAuth, and devices that wait for a token. */
import { Option, type Command } from 'commander'
import type { PendingDevice } from '../../access/credentials/device-grants.js'
import { Refusal } from '../../lib/errors.js'
import type { Scope } from '../../lib/principal.js'
import { commandLine } from '../../lib/text/command-line.js'
import { SCOPES, scopesSentence } from '../../planning/scope-words.js'
import type { AddCommand } from '../add-command.js'
import { requireConsent } from '../confirm.js'
import { listed, managed } from '../managed.js'
import { lifetime, USER, YES } from '../option-values.js'
import { stripControlChars } from '../print/print.js'

interface NewClient { name: string, redirectUri: string[], confidential?: boolean }

export const applicationCommands = (root: Command, command: AddCommand): void => {
  const clients = root.command('clients').description('applications that may be connected by OAuth')
  command(clients, 'create', 'register an application; its secret is shown this once', managed(
    (api, { name, redirectUri, confidential = false }: NewClient) =>
      api.call('POST /oauth-clients', { body: { name, redirect_uris: redirectUri, confidential } }),
    ({ client_id: id, client_secret: secret }) => `client_id ${id}\n${secret === undefined
      ? 'It has no secret.'
      : `client_secret ${secret}\n\nThis is the only time the secret is shown.`}`
  ))
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--redirect-uri <uri...>', 'the addresses that answers may go to: https, or http on localhost')
    .option('--confidential', 'give it a secret')
  command(clients, 'list', 'list the applications that were registered, or registered themselves', listed(
    async (api) => (await api.call('GET /oauth-clients')).oauth_clients, [
      ['ID', ({ id }) => id], ['NAME', ({ name }) => name],
      ['REGISTERED BY', ({ kind, created_by: by }) => kind === 'registered' ? 'itself' : by],
      ['SECRET', ({ confidential }) => confidential ? 'yes' : 'no'],
      ['CONNECTIONS', ({ connections }) => connections], ['ANSWERS GO TO', ({ redirect_uris: uris }) => uris.join(' ')],
      ['CREATED', ({ created_at: at }) => at], ['LAST USED', ({ last_used_at: at }) => at ?? 'never']
    ], 'There are no OAuth clients.'))
  command(clients, 'revoke <id>', 'revoke an application and end its connections, at once', managed(
    (api, { id }: { id: string }) => api.call('DELETE /oauth-clients/:id', { params: { id } }),
    ({ name }) => `Revoked the client ${stripControlChars(name)}; its connections have ended.`
  ))

  const connections = root.command('connections').description('applications that people connected by OAuth')
  command(connections, 'list', 'list connected applications', listed(
    async (api, { user }: { user?: string }) =>
      (await api.call('GET /admin/connections', { query: { user } })).connections, [
      ['ID', ({ id }) => id], ['APPLICATION', ({ client: { name } }) => name],
      ['VOUCHED FOR BY', ({ client: { host, kind } }) =>
        host ?? (kind === 'preregistered' ? 'the operator' : 'no one')],
      ['USER', ({ user }) => user.email], ['SCOPE', ({ scope }) => scope],
      ['WORKSPACES', ({ workspace_ids: ids }) => ids?.length ?? 'all'],
      ['SINCE', ({ created_at: at }) => at], ['LAST USED', ({ last_used_at: at }) => at ?? 'never'],
      ['FROM', ({ last_used_from: from }) => from], ['CALLS (30 DAYS)', ({ calls_30d: calls }) => calls],
      ['LINES OF TOKENS', ({ token_lines: lines }) => lines], ['ENDS', ({ expires_at: at }) => at]
    ], 'No applications are connected.')).option(...USER)
  command(connections, 'revoke <id>', 'disconnect an application at once', managed(
    (api, { id }: { id: string }) => api.call('DELETE /admin/connections/:id', { params: { id } }),
    ({ client, user }) => `Disconnected ${stripControlChars(client.name)} of ${stripControlChars(user.email)}.`
  ))
}

const YEAR_SECONDS = 365 * 86_400

/** `expiresIn` is in seconds. */
interface Approval { code: string, user?: string, scope?: Scope, workspace?: string[], expiresIn?: number, yes?: true }

const labelOf = ({ name, remote_address: from }: PendingDevice): string =>
  `${stripControlChars(name)} (asked from ${stripControlChars(from)})`

export const deviceCommands = (root: Command, command: AddCommand): void => {
  const device = root.command('device').description('tools on other machines that ask for a token')
  command(device, 'list', 'list the tools that wait for approval', listed(
    async (api) => (await api.call('GET /admin/devices')).devices, [
      ['NAME (DECLARED)', ({ name }) => name], ['FROM', ({ remote_address: from }) => from],
      ['ASKED', ({ created_at: at }) => at], ['EXPIRES', ({ expires_at: at }) => at], ['STATE', ({ state }) => state],
      ['USER', ({ user }) => user]
    ], 'No tool waits for approval.'))
  command(device, 'approve <code>', 'show which tool has this code, and give it a token', approve)
    .option('--user <user>', 'the owner of the token: id or e-mail address; default: the only person on the server')
    .addOption(new Option('--scope <scope>', `what the token can call; default: admin. ${scopesSentence()}`)
      .choices(SCOPES))
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; one year when absent', lifetime)
    .option(...YES)
  command(device, 'deny <code>', 'refuse the tool with this code; works after an approval too, until the tool has ' +
    'fetched its token', managed(
    (api, { code }: { code: string }) => api.call('POST /devices/:code/denial', { params: { code } }),
    (denied) => `Denied ${labelOf(denied)}.`
  ))
}

/** Shows which tool asks and for what before it approves: RFC 8628 section 5.4. */
const approve = managed(async (api, { code, user, scope, workspace, expiresIn, yes }: Approval, context) => {
  const pending = await api.call('GET /devices/:code', { params: { code } })
  if (pending.state !== 'pending') {
    throw new Refusal(
      `No tool waits with this code: it was approved or denied already. ${commandLine('device deny CODE')} ` +
      'withdraws an approval until the tool has fetched its token.'
    )
  }
  const spaces = workspace && `these workspaces: ${workspace.map(stripControlChars).join(', ')}`
  context.stderr.write(
    `${labelOf(pending)} wants a token. It sent its request at ${stripControlChars(pending.created_at)}.\n` +
    `The token would belong to ${user === undefined ? 'the only person on the server' : stripControlChars(user)}, ` +
    `with the scope ${scope ?? 'admin (all that its user may)'}, ` +
    `for ${spaces ?? 'all workspaces that its user can see'}, ` +
    `until ${new Date(Date.now() + (expiresIn ?? YEAR_SECONDS) * 1000).toISOString()}.\n`)
  if (!yes) await requireConsent(context, 'Do you know this tool, and give it the token?')
  const body = { user, scope, workspaces: workspace, expires_in: expiresIn }
  return api.call('POST /admin/devices/:code/approval', { params: { code }, body })
}, (device, { code }) => `Approved ${labelOf(device)} for ${stripControlChars(device.user ?? '')}: it fetches its ` +
  `token at its next poll. Until then this takes it back: ${commandLine(`device deny ${stripControlChars(code)}`)}`, {
  prepare ({ json, yes }) {
    if (json && !yes) throw new Refusal('--json cannot ask for confirmation: add --yes.')
  }
})
