/** The columns of the tables of keys and tokens. */
import type { CredentialSummary } from '../../access/credentials/credentials.js'
import type { Columns } from '../print/print.js'

const DAY = 86_400_000
const WARNING_DAYS = 14

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
