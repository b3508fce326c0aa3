/** `keys` and `tokens`, each with `create`, `list`, `revoke`: manage API keys and personal access tokens. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { NOUN_OF_KIND, type CredentialSummary } from '../../access/credentials/credentials.js'
import type { Scope, StaticCredentialKind } from '../../lib/principal.js'
import type { CommandHandler } from '../command-handler.js'
import { credentialColumns } from './credential-columns.js'
import type { ManagementClient } from '../management-client.js'
import { nameOrOnlyAdministrator } from '../only-administrator.js'
import { listed, managed, rowsOfPages } from '../managed.js'
import { print, stripControlChars } from '../print/print.js'
import { withManagement } from '../with-management.js'

interface NewTokenOptions { user?: string, name: string, expiresIn?: number }
interface NewKeyOptions extends NewTokenOptions { scope: Scope, workspace?: string[] }

const PAGE_SIZE = 500

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

/** What commands print of a credential. */
const summaryOf = (
  kind: StaticCredentialKind, { id, name, user, hint, scope, ...rest }: ResponseOf<SocketOperations['DELETE /keys/:id']>
): CredentialSummary => ({
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

/** Prints the credentials, of all users or of one (id or e-mail address). */
const list = (kind: StaticCredentialKind, none: string): CommandHandler<{ user?: string }> =>
  listed((api, { user }) => listCredentials(api, kind, user), credentialColumns, none)

/** Revokes the credential with this id. Throws a `Refusal` when there is none. */
const revoke = (kind: StaticCredentialKind): CommandHandler<{ id: string }> => managed(
  async (api, { id }) => summaryOf(kind, await revokeCredential(api, kind, id)),
  ({ name, user }) =>
    `Revoked the ${NOUN_OF_KIND[kind]} ${stripControlChars(name)} of ${stripControlChars(user.email)}.`
)

/** Revokes a key or a token, by its id. */
export const revokeCredential = (api: ManagementClient, kind: StaticCredentialKind, id: string) =>
  api.call(kind === 'api_key' ? 'DELETE /keys/:id' : 'DELETE /tokens/:id', { params: { id } })

/** When a credential ends that is made now, in RFC 3339. */
const endOf = (seconds: number): { expires_at: string } =>
  ({ expires_at: new Date(Date.now() + seconds * 1000).toISOString() })

export const keys = {
  /**
   * Creates a key and prints its secret once. `expiresIn` is in seconds.
   * @throws {Refusal} for an unknown user or workspace
   */
  create: async ({ user, name, scope, workspace, expiresIn, json }, context, flags) => {
    const { id, secret, ...made } = await withManagement(context, flags, async (api) => {
      const owner = await nameOrOnlyAdministrator(api, user)
      const end = expiresIn === undefined ? { never: true as const } : endOf(expiresIn)
      return await api.callAs(owner, 'POST /keys', { body: { name, scope, workspaces: workspace, ...end } })
    })
    const { expires_at: expiresAt } = made
    print({ ...context, json }, { id, name: made.name, key: secret, scope: made.scope, expires_at: expiresAt },
      `${secret}\n\nThis is the only time the key is shown. Id ${id}, scope ${made.scope}, expires ` +
      `${expiresAt ?? 'never'}.`)
  },
  list: list('api_key', 'There are no API keys.'),
  revoke: revoke('api_key')
} satisfies Record<string, unknown> & { create: CommandHandler<NewKeyOptions> }

export const tokens = {
  /**
   * Creates a token and prints its secret once. `expiresIn` is in seconds.
   * @throws {Refusal} for an unknown user
   */
  create: async ({ user, name, expiresIn, json }, context, flags) => {
    const { id, secret, name: named, expires_at: expiresAt } = await withManagement(context, flags, async (api) => {
      const owner = await nameOrOnlyAdministrator(api, user)
      return await api.callAs(owner, 'POST /tokens', { body: { name, ...expiresIn !== undefined && endOf(expiresIn) } })
    })
    print({ ...context, json }, { id, name: named, token: secret, expires_at: expiresAt },
      `${secret}\n\nThis is the only time the token is shown. Id ${id}, expires ${expiresAt}.`)
  },
  list: list('personal_access_token', 'There are no personal access tokens.'),
  revoke: revoke('personal_access_token')
} satisfies Record<string, unknown> & { create: CommandHandler<NewTokenOptions> }
