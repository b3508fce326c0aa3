/** `keys create`, `keys list`, `keys revoke`: manage API keys. */
import type { CreatedKey, CredentialSummary } from '../../access/credentials/credentials.js'
import type { Scope } from '../../lib/principal.js'
import { credentialColumns } from './credential-columns.js'
import { stripControlChars, print, printList } from '../print/print.js'
import type { CommandHandler } from '../command-handler.js'
import { nameOrOnlyAdministrator } from '../only-administrator.js'
import { withManagement } from '../with-management.js'

interface NewKeyOptions { user?: string, name: string, scope: Scope, workspace?: string[], expiresIn?: number }

/**
 * Creates a key and prints its secret once. `expiresIn` is in seconds.
 * @throws {Refusal} for an unknown user or workspace
 */
export const create: CommandHandler<NewKeyOptions> = async (
  { user, name, scope, workspace, expiresIn, json }, context, flags
) => {
  const rest = {
    name,
    scope,
    ...(workspace && { workspaces: workspace }),
    ...(expiresIn !== undefined && { expires_in: expiresIn })
  }
  const created = await withManagement(context, flags, async (api) => await api.call<CreatedKey>(
    'POST', '/api-keys', { body: { user: await nameOrOnlyAdministrator(api, user), ...rest } }))
  print({ ...context, json }, created,
    `${created.key}\n\nThis is the only time the key is shown. Id ${created.id}, scope ${created.scope}, expires ` +
    `${created.expires_at ?? 'never'}.`)
}

/** Prints the keys, of all users or of one (id or e-mail address). */
export const list: CommandHandler<{ user?: string }> = async ({ user, json }, context, flags) => {
  const { api_keys: keys } = await withManagement(context, flags, (api) =>
    api.call<{ api_keys: CredentialSummary[] }>('GET', '/api-keys', { query: { user } }))
  printList({ ...context, json }, keys, credentialColumns, 'There are no API keys.')
}

/**
 * Revokes the key with this id.
 * @throws {Refusal} when there is none
 */
export const revoke: CommandHandler<{ id: string }> = async ({ id, json }, context, flags) => {
  const key = await withManagement(
    context, flags, (api) => api.call<CredentialSummary>('DELETE', `/api-keys/${encodeURIComponent(id)}`)
  )
  print({ ...context, json }, key, `Revoked the key ${stripControlChars(key.name)} of ` +
    `${stripControlChars(key.user.email)}.`)
}
