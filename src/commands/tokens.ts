/** `tokens create`, `tokens list`, `tokens revoke` */
import type { CreatedToken, CredentialSummary } from '../auth/credentials.js'
import { credentialColumns } from './credential-columns.js'
import { harmless, print, printList } from './print.js'
import type { Run } from './command-handler.js'
import { withManagement } from './with-management.js'

interface Create { user: string, name: string, expiresIn?: number }

export const create: Run<Create> = async ({ user, name, expiresIn, json }, surroundings, flags) => {
  const body = { user, name, ...(expiresIn !== undefined && { expires_in: expiresIn }) }
  const created = await withManagement(surroundings, flags, (api) => api.call<CreatedToken>('POST', '/tokens', { body }))
  print({ ...surroundings, json }, created,
    `${created.token}\n\nThis is the only time the token is shown. Id ${created.id}, expires ${created.expires_at}.`)
}

export const list: Run<{ user?: string }> = async ({ user, json }, surroundings, flags) => {
  const { tokens } = await withManagement(surroundings, flags, (api) =>
    api.call<{ tokens: CredentialSummary[] }>('GET', '/tokens', { query: { user } }))
  printList({ ...surroundings, json }, tokens, credentialColumns, 'There are no personal access tokens.')
}

export const revoke: Run<{ id: string }> = async ({ id, json }, surroundings, flags) => {
  const token = await withManagement(surroundings, flags, (api) => api.call<CredentialSummary>('DELETE', `/tokens/${encodeURIComponent(id)}`))
  print({ ...surroundings, json }, token, `Revoked the token ${harmless(token.name)} of ${harmless(token.user.email)}.`)
}
