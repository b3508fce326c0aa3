/** Handlers: API keys and personal access tokens. */
import type { CredentialKind } from '../../../lib/principal.js'
import { Refusal } from '../../../lib/errors.js'
import { accessTo, type WebPerson } from '../../permissions.js'
import { checkCredential } from '../credential-check.js'
import { credentialItems, type CredentialItem } from '../credential-items.js'
import { ownReach, reachOf, requireOwnCredential, requireReachedCredential, userOfNewKey } from '../credential-rules.js'
import { expiresInMs, tokenExpiresInMs } from '../expiry.js'
import type { OperationCall, Handlers } from '../handler.js'
import type { Operations } from '../operations.js'
import type { credentialsOperations } from '../operations/credentials.js'
import type { WebApiDeps } from '../web-api-deps.js'

/** What keys and tokens have in common. */
type OneCredential = Pick<OperationCall<Operations['DELETE /keys/:id']>, 'params' | 'person' | 'access' | 'note'>

const STANDARD_DAYS = { key: 90, token: 365 }

/** Returns the handlers by method and path. */
export const credentialsHandlers = (deps: WebApiDeps): Handlers<typeof credentialsOperations> => {
  const { credentials, web } = deps

  const list = async (
    kind: CredentialKind,
    { query, person, access }: Pick<OperationCall<Operations['GET /keys']>, 'query' | 'person' | 'access'>
  ) => {
    const { owner, revoked, cursor, limit = 100 } = query
    const reach = owner === 'all' ? await reachOf(deps, person, access) : await ownReach(deps, person)
    const { items, ...rest } = await web.credentials.page(
      { kind, reach, revoked: revoked === 'include' }, { limit, cursor }
    )
    return { items: await credentialItems(deps, person, items), rest }
  }

  /** The new credential as its list shows it, with the secret. */
  const created = async (
    person: WebPerson,
    kind: CredentialKind,
    id: string,
    secret: string,
    note: (facts: { credential_id: string }) => void
  ): Promise<CredentialItem & { secret: string }> => {
    note({ credential_id: id })
    const [item] = await credentialItems(deps, person, [await requireReachedCredential(deps, id, kind, undefined)])
    if (!item) throw new Error('a credential that was just made is gone')
    return { ...item, secret }
  }

  const rotate = async (kind: CredentialKind, { params: { id }, person, note }: OneCredential) => {
    const access = accessTo(kind === 'api_key' ? 'listKeys' : 'listTokens', person)
    const old = await requireOwnCredential(deps, person, id, kind, access)
    if (old.state !== 'active') throw new Refusal(`It is ${old.state}: create a new one in place of it.`, 'conflict')
    note({ target: `of ${old.id}` })
    const limits = {
      user: old.user.id,
      name: old.name,
      scope: old.scope,
      workspaceIds: old.workspace_ids,
      expiresIn: old.expires_at === null
        ? undefined
        : Math.max(1000, Date.parse(old.expires_at) - Date.parse(old.created_at)),
      by: person.user.email
    }
    if (kind === 'api_key') {
      const key = await credentials.createKey(limits)
      return created(person, kind, key.id, key.key, note)
    }
    const token = await credentials.createToken(limits)
    return created(person, kind, token.id, token.token, note)
  }

  const revoke = async (kind: CredentialKind, { params: { id }, person, access, note }: OneCredential) => {
    const entry = await requireReachedCredential(deps, id, kind, await reachOf(deps, person, access))
    note({ credential_id: entry.id })
    await credentials.revoke(kind, entry.id, person.user.email)
    const [item] = await credentialItems(
      deps, person, [await requireReachedCredential(deps, entry.id, kind, undefined)]
    )
    if (!item) throw new Error('a credential that was just revoked is gone')
    return item
  }

  const test = (
    { body: { secret }, request }: Pick<OperationCall<Operations['POST /keys/test']>, 'body' | 'request'>
  ) =>
    checkCredential(deps, secret, { remoteAddress: request.ip, host: request.headers.host })

  return {
    'GET /keys': async (call) => {
      const { items, rest } = await list('api_key', call)
      return { keys: items, ...rest }
    },

    'POST /keys': async ({ body, person, note }) => {
      const { name, scope, workspaces, service_account: serviceAccount, ...expiry } = body
      const key = await credentials.createKey({
        user: await userOfNewKey(deps, person, serviceAccount),
        name: name.trim(),
        scope,
        workspaces,
        expiresIn: expiresInMs(expiry, STANDARD_DAYS.key),
        by: person.user.email
      })
      return created(person, 'api_key', key.id, key.key, note)
    },

    'POST /keys/:id/rotation': (call) => rotate('api_key', call),
    'POST /keys/test': test,
    'DELETE /keys/:id': (call) => revoke('api_key', call),

    'GET /tokens': async (call) => {
      const { items, rest } = await list('personal_access_token', call)
      return { tokens: items, ...rest }
    },

    'POST /tokens': async ({ body, person, note }) => {
      const { name, scope, workspaces, ...expiry } = body
      const token = await credentials.createToken({
        user: person.user.id,
        name: name.trim(),
        scope,
        workspaces,
        expiresIn: tokenExpiresInMs(expiry, STANDARD_DAYS.token),
        by: person.user.email
      })
      return created(person, 'personal_access_token', token.id, token.token, note)
    },

    'POST /tokens/:id/rotation': (call) => rotate('personal_access_token', call),
    'POST /tokens/test': test,
    'DELETE /tokens/:id': (call) => revoke('personal_access_token', call)
  }
}
