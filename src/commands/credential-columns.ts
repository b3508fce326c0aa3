/** How keys and tokens are listed. */
import type { CredentialSummary } from '../credentials/credentials.js'
import type { Columns } from './print.js'

const state = ({ revoked_at: revoked, expires_at: expires }: CredentialSummary): string => {
  if (revoked !== null) return `revoked ${revoked}`
  return expires !== null && Date.parse(expires) <= Date.now() ? 'expired' : 'active'
}

export const credentialColumns: Columns<CredentialSummary> = [
  ['ID', ({ id }) => id], ['NAME', ({ name }) => name], ['USER', ({ user }) => user.email], ['STARTS', ({ hint }) => `${hint}…`],
  ['SCOPE', ({ scope }) => scope], ['WORKSPACES', ({ workspace_ids: ids }) => ids?.length ?? 'all'],
  ['LAST USED', ({ last_used_at: at }) => at ?? 'never'], ['EXPIRES', ({ expires_at: at }) => at ?? 'never'], ['STATE', state]
]
