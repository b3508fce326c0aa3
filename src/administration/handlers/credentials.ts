/** Handlers: API keys and personal access tokens. */
import type { NewKey } from '../../access/credentials/credentials.js'
import { Refusal } from '../../lib/errors.js'
import type { StaticCredentialKind, CredentialKind } from '../../lib/principal.js'
import { checkCredential, type CredentialCheckDeps } from '../credential-check.js'
import { ownReach, reachOf, requireOwnCredential, requireReachedCredential, userOfNewKey } from '../credential-rules.js'
import { expiresInMs, tokenExpiresInMs } from '../expiry.js'
import type { AuditFacts, Handlers, OperationCall } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import { credentialsOperations } from '../operations/credentials.js'
import { accessTo, type Access, type WebPerson } from '../permission.js'
import { credentialItems, type CredentialItem } from '../views/credential-items.js'
import type { PageDeps } from '../page-deps.js'

type Keys = typeof credentialsOperations
type All = Pick<typeof administrationOperations, 'GET /admin/credentials' | 'DELETE /admin/credentials/:id'>
type New = Omit<NewKey, 'by'>

/** What changes of keys and of tokens have in common. */
interface Caller { person: WebPerson | undefined, actor: string | undefined, note (facts: AuditFacts): void }

const STANDARD_DAYS = { key: 90, token: 365 }

export type CredentialDeps =
  Pick<PageDeps, 'credentials' | 'directory' | 'web'> & Partial<Pick<PageDeps, 'rateLimitCounter' | 'caps'>>

/** Returns the handlers by method and path, but for the test of a credential. Without a counter, limits are null. */
export const credentialsHandlers = (
  deps: CredentialDeps
): Handlers<Omit<Keys, 'POST /keys/test' | 'POST /tokens/test'> & All> => {
  const { credentials, directory, web } = deps

  const list = async (
    kind: StaticCredentialKind,
    { query, person, access }: Pick<OperationCall<Keys['GET /keys']>, 'query' | 'person' | 'access'>
  ) => {
    const { owner, revoked, cursor, limit = 100 } = query
    const reach = owner === 'all' ? await reachOf(deps, person, access) : await ownReach(deps, person)
    const { items, ...rest } = await web.credentials.page(
      { kind, reach, revoked: revoked === 'include' }, { limit, cursor }
    )
    return { items: await credentialItems(deps, person, items), rest }
  }

  const itemOf = async (person: WebPerson | undefined, kind: CredentialKind, id: string): Promise<CredentialItem> => {
    const [item] = await credentialItems(deps, person, [await requireReachedCredential(deps, id, kind, undefined)])
    if (!item) throw new Error('a credential that was just written is gone')
    return item
  }

  /** The new credential as its list shows it, with the secret. */
  const create = async (
    { person, actor, note }: Caller, kind: StaticCredentialKind, credential: New
  ): Promise<CredentialItem & { secret: string }> => {
    const created = kind === 'api_key'
      ? await credentials.createKey({ ...credential, by: actor })
      : await credentials.createToken({ ...credential, by: actor })
    note({ credential_id: created.id })
    return { ...await itemOf(person, kind, created.id), secret: 'key' in created ? created.key : created.token }
  }

  const rotate = async (
    kind: StaticCredentialKind, call: Caller & { params: { id: string }, person: WebPerson }
  ): Promise<CredentialItem & { secret: string }> => {
    const { params: { id }, person, note } = call
    const { may } = credentialsOperations[kind === 'api_key' ? 'GET /keys' : 'GET /tokens']
    const old = await requireOwnCredential(deps, person, id, kind, accessTo(may, person))
    if (old.state !== 'active') throw new Refusal(`It is ${old.state}: create a new one instead of it.`, 'conflict')
    note({ target: `of ${old.id}` })
    return await create(call, kind, {
      user: old.user.id,
      name: old.name,
      scope: old.scope,
      workspaceIds: old.workspace_ids,
      expiresIn: old.expires_at === null
        ? undefined
        : Math.max(1000, Date.parse(old.expires_at) - Date.parse(old.created_at))
    })
  }

  const revoke = async (
    kind: CredentialKind | undefined,
    { params, person, actor, access, note }: Caller & { params: { id: string }, access: Access }
  ): Promise<CredentialItem> => {
    // The operator reaches all: the refusal of the store names the id.
    const { id, kind: found } = person || kind === undefined
      ? await requireReachedCredential(deps, params.id, kind, person && await reachOf(deps, person, access))
      : { id: params.id, kind }
    note({ credential_id: id })
    await credentials.revoke(found, id, actor)
    return await itemOf(person, found, id)
  }

  return {
    'GET /keys': async (call) => {
      const { items, rest } = await list('api_key', call)
      return { keys: items, ...rest }
    },

    'POST /keys': async (call) => {
      const { name, scope, workspaces, service_account: serviceAccount, ...expiry } = call.body
      const user = call.person ? await userOfNewKey(deps, call.person, serviceAccount) : requireNamed(call.onBehalfOf)
      const expiresIn = expiresInMs(expiry, STANDARD_DAYS.key)
      return await create(call, 'api_key', { user, name: name.trim(), scope, workspaces, expiresIn })
    },

    'POST /keys/:id/rotation': (call) => rotate('api_key', call),
    'DELETE /keys/:id': (call) => revoke('api_key', call),

    'GET /tokens': async (call) => {
      const { items, rest } = await list('personal_access_token', call)
      return { tokens: items, ...rest }
    },

    'POST /tokens': async (call) => {
      const { name, scope = 'admin', workspaces, ...expiry } = call.body
      const user = call.person?.user.id ?? requireNamed(call.onBehalfOf)
      const expiresIn = tokenExpiresInMs(expiry, STANDARD_DAYS.token)
      return await create(call, 'personal_access_token', { user, name: name.trim(), scope, workspaces, expiresIn })
    },

    'POST /tokens/:id/rotation': (call) => rotate('personal_access_token', call),
    'DELETE /tokens/:id': (call) => revoke('personal_access_token', call),

    'GET /admin/credentials': async ({ query, person }) => {
      const { unused_days: unusedDays, kind, user, revoked, cursor, limit = 100 } = query
      const userId = user === undefined ? undefined : (await directory.findUser(user)).id
      const { items, ...rest } = await web.credentials.page(
        { kind, unusedDays, user: userId, revoked: revoked === 'include' }, { cursor, limit }
      )
      return { credentials: await credentialItems(deps, person, items), ...rest }
    },

    'DELETE /admin/credentials/:id': (call) => revoke(undefined, call)
  }
}

const requireNamed = (user: string | undefined): string => {
  if (user === undefined) throw new Refusal('Name the user whose credential it will be.')
  return user
}

type Test = OperationCall<Keys['POST /keys/test']>

/** Returns those that try a credential: both kinds are tried in the same way. */
export const credentialTestHandlers = (
  deps: CredentialCheckDeps
): Pick<Handlers<Keys>, 'POST /keys/test' | 'POST /tokens/test'> => {
  const test = ({ body: { secret }, request }: Pick<Test, 'body' | 'request'>) =>
    checkCredential(deps, secret, { remoteAddress: request.ip, host: request.headers.host })
  return { 'POST /keys/test': test, 'POST /tokens/test': test }
}
