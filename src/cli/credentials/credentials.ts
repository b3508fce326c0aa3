/** API keys and personal access tokens, as the management API lists and ends them. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import type { StaticCredentialKind } from '../../lib/principal.js'
import type { ManagementClient } from '../management-client.js'
import { rowsOfPages } from '../managed.js'
import type { Columns } from '../print/table.js'

const PAGE_SIZE = 500
const DAY = 86_400_000
const WARNING_DAYS = 14

type CredentialSummary = ReturnType<typeof summaryOf>

/** Returns all credentials of a kind, oldest first; of all users, or of one by id or e-mail address. */
export const listCredentials = async (
  api: ManagementClient, kind: StaticCredentialKind, user?: string
): Promise<CredentialSummary[]> => {
  const newestFirst = await rowsOfPages(async (cursor) => {
    const { credentials, next_cursor: next } = await api.call(
      'GET /admin/credentials', { query: { kind, user, revoked: 'include', limit: PAGE_SIZE, cursor } })
    return { rows: credentials.map((credential) => summaryOf(kind, credential)), next }
  })
  return newestFirst.reverse()
}

export const revokeCredential = async (
  api: ManagementClient, kind: StaticCredentialKind, id: string
): Promise<CredentialSummary> => summaryOf(
  kind, await api.call(kind === 'api_key' ? 'DELETE /keys/:id' : 'DELETE /tokens/:id', { params: { id } }))

const summaryOf = (
  kind: StaticCredentialKind, { id, name, user, hint, scope, ...rest }: ResponseOf<SocketOperations['DELETE /keys/:id']>
) => ({
  id,
  kind,
  name,
  user: { id: user.id, email: user.email },
  hint,
  scope,
  workspace_ids: rest.workspace_ids,
  created_at: rest.created_at,
  last_used_at: rest.last_used_at,
  expires_at: rest.expires_at,
  revoked_at: rest.revoked_at
})

const state = ({ revoked_at: revoked, expires_at: expires }: CredentialSummary): string => {
  if (revoked !== null) return `revoked ${revoked}`
  const left = expires === null ? Infinity : Date.parse(expires) - Date.now()
  if (left <= 0) return 'expired'
  return left < WARNING_DAYS * DAY
    ? `active, EXPIRES in ${left < DAY ? 'less than a day' : `${Math.floor(left / DAY)} days`}`
    : 'active'
}

export const credentialColumns: Columns<CredentialSummary> = [
  ['ID', ({ id }) => id], ['NAME', ({ name }) => name], ['USER', ({ user }) => user.email],
  ['STARTS', ({ hint }) => `${hint}…`],
  ['SCOPE', ({ scope }) => scope], ['WORKSPACES', ({ workspace_ids: ids }) => ids?.length ?? 'all'],
  ['LAST USED', ({ last_used_at: at }) => at ?? 'never'], ['EXPIRES', ({ expires_at: at }) => at ?? 'never'],
  ['STATE', state]
]
