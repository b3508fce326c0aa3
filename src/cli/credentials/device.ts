/** `device list`, `device approve`, `device deny`: decide about tools that ask for a token. */
import type { PendingDevice } from '../../access/credentials/device-grants.js'
import { Refusal } from '../../lib/errors.js'
import type { Scope } from '../../lib/principal.js'
import { requireConsent } from '../confirm.js'
import { listed, managed } from '../managed.js'
import { stripControlChars } from '../print/print.js'
import type { CommandHandler } from '../command-handler.js'
import { commandLine } from '../../lib/text/command-line.js'

const YEAR_SECONDS = 365 * 86_400

const describe = ({ name, remote_address: from }: PendingDevice): string =>
  `${stripControlChars(name)} (asked from ${stripControlChars(from)})`

interface Approval {
  code: string
  user?: string
  scope?: Scope
  workspace?: string[]
  /** Seconds. */
  expiresIn?: number
  yes?: true
}

/** Shows which tool asks and for what before it approves: RFC 8628 section 5.4. */
export const approve: CommandHandler<Approval> = async (options, context, flags) => {
  if (options.json && !options.yes) throw new Refusal('--json cannot ask for confirmation: add --yes.')
  await approvePending(options, context, flags)
}

const approvePending = managed(async (api, { code, user, scope, workspace, expiresIn, yes }: Approval, context) => {
  const pending = await api.call('GET /devices/:code', { params: { code } })
  if (pending.state !== 'pending') {
    throw new Refusal(
      `No tool waits with this code: it was approved or denied already. ${commandLine('device deny CODE')} ` +
      'withdraws an approval until the tool has fetched its token.'
    )
  }
  const spaces = workspace && `these workspaces: ${workspace.map(stripControlChars).join(', ')}`
  context.stderr.write(
    `${describe(pending)} wants a token. It sent its request at ${stripControlChars(pending.created_at)}.\n` +
    `The token would belong to ${user === undefined ? 'the only person on the server' : stripControlChars(user)}, ` +
    `with the scope ${scope ?? 'admin (all that its user may)'}, ` +
    `for ${spaces ?? 'all workspaces that its user can see'}, ` +
    `until ${new Date(Date.now() + (expiresIn ?? YEAR_SECONDS) * 1000).toISOString()}.\n`)
  if (!yes) await requireConsent(context, 'Do you know this tool, and give it the token?')
  const body = { user, scope, workspaces: workspace, expires_in: expiresIn }
  return api.call('POST /admin/devices/:code/approval', { params: { code }, body })
}, (device, { code }) => `Approved ${describe(device)} for ${stripControlChars(device.user ?? '')}: it fetches its ` +
  `token at its next poll. Until then this takes it back: ${commandLine(`device deny ${stripControlChars(code)}`)}`)

/**
 * Denies the code.
 * @throws {Refusal} for an unknown code, or when the tool has fetched its token
 */
export const deny = managed(
  (api, { code }: { code: string }) => api.call('POST /devices/:code/denial', { params: { code } }),
  (device) => `Denied ${describe(device)}.`
)

/** Prints the tools that wait for approval. */
export const list = listed(async (api) => (await api.call('GET /admin/devices')).devices, [
  ['NAME (DECLARED)', ({ name }) => name], ['FROM', ({ remote_address: from }) => from],
  ['ASKED', ({ created_at: at }) => at], ['EXPIRES', ({ expires_at: at }) => at], ['STATE', ({ state }) => state],
  ['USER', ({ user }) => user]
], 'No tool waits for approval.')
