/** `tokens create`, `tokens list`, `tokens revoke`: manage personal access tokens. */
import type { CreatedToken, CredentialSummary } from '../../access/credentials/credentials.js'
import { credentialColumns } from './credential-columns.js'
import { stripControlChars, print, printList } from '../print/print.js'
import type { CommandHandler } from '../command-handler.js'
import { nameOrOnlyAdministrator } from '../only-administrator.js'
import { withManagement } from '../with-management.js'

interface NewTokenOptions { user?: string, name: string, expiresIn?: number }

/**
 * Creates a token and prints its secret once. `expiresIn` is in seconds.
 * @throws {Refusal} for an unknown user
 */
export const create: CommandHandler<NewTokenOptions> = async ({ user, name, expiresIn, json }, context, flags) => {
  const rest = { name, ...(expiresIn !== undefined && { expires_in: expiresIn }) }
  const created = await withManagement(context, flags, async (api) => await api.call<CreatedToken>(
    'POST', '/tokens', { body: { user: await nameOrOnlyAdministrator(api, user), ...rest } }))
  print({ ...context, json }, created,
    `${created.token}\n\nThis is the only time the token is shown. Id ${created.id}, expires ${created.expires_at}.`)
}

/** Prints the tokens, of all users or of one (id or e-mail address). */
export const list: CommandHandler<{ user?: string }> = async ({ user, json }, context, flags) => {
  const { tokens } = await withManagement(context, flags, (api) =>
    api.call<{ tokens: CredentialSummary[] }>('GET', '/tokens', { query: { user } }))
  printList({ ...context, json }, tokens, credentialColumns, 'There are no personal access tokens.')
}

/**
 * Revokes the token with this id.
 * @throws {Refusal} when there is none
 */
export const revoke: CommandHandler<{ id: string }> = async ({ id, json }, context, flags) => {
  const token = await withManagement(
    context, flags, (api) => api.call<CredentialSummary>('DELETE', `/tokens/${encodeURIComponent(id)}`)
  )
  print({ ...context, json }, token, `Revoked the token ${stripControlChars(token.name)} of ` +
    `${stripControlChars(token.user.email)}.`)
}
