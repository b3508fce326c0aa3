/** `keys create`, `keys list`, `keys revoke` */
import type { CreatedKey, CredentialSummary } from '../auth/credentials.js'
import type { Scope } from '../lib/principal.js'
import { credentialColumns } from './credential-columns.js'
import { harmless, print, printList } from './print.js'
import type { Run } from './command-handler.js'
import { withManagement } from './with-management.js'

interface Create { user: string, name: string, scope: Scope, workspace?: string[], expiresIn?: number }

export const create: Run<Create> = async ({ user, name, scope, workspace, expiresIn, json }, surroundings, flags) => {
  const body = { user, name, scope, ...(workspace && { workspaces: workspace }), ...(expiresIn !== undefined && { expires_in: expiresIn }) }
  const created = await withManagement(surroundings, flags, (api) => api.call<CreatedKey>('POST', '/api-keys', { body }))
  print({ ...surroundings, json }, created,
    `${created.key}\n\nThis is the only time the key is shown. Id ${created.id}, scope ${created.scope}, expires ${created.expires_at ?? 'never'}.`)
}

export const list: Run<{ user?: string }> = async ({ user, json }, surroundings, flags) => {
  const { api_keys: keys } = await withManagement(surroundings, flags, (api) =>
    api.call<{ api_keys: CredentialSummary[] }>('GET', '/api-keys', { query: { user } }))
  printList({ ...surroundings, json }, keys, credentialColumns, 'There are no API keys.')
}

export const revoke: Run<{ id: string }> = async ({ id, json }, surroundings, flags) => {
  const key = await withManagement(surroundings, flags, (api) => api.call<CredentialSummary>('DELETE', `/api-keys/${encodeURIComponent(id)}`))
  print({ ...surroundings, json }, key, `Revoked the key ${harmless(key.name)} of ${harmless(key.user.email)}.`)
}
