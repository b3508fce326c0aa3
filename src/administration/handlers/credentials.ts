/** Handlers: API keys and personal access tokens. */
import type { NewKey } from '../../access/credentials/credentials.js'
import { Refusal } from '../../lib/errors.js'
import type { StaticCredentialKind, CredentialKind } from '../../lib/principal.js'
import { checkCredential } from '../credential-check.js'
import {
  expiresInMs, NEVER_MS, reachOf, requireOwnCredential, requireReachedCredential, userOfNewKey
} from '../credential-rules.js'
import type { AuditFacts, Handlers, OperationCall } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import { credentialsOperations } from '../operations/credentials.js'
import { accessTo, type Access, type WebPerson } from '../permission.js'
import { credentialItems, type CredentialItem } from '../views/credential-items.js'
import type { PageDeps } from '../page-deps.js'

type Keys = typeof credentialsOperations
type All = Pick<typeof administrationOperations, 'GET /admin/credentials' | 'DELETE /admin/credentials/:id'>

interface Caller { person: WebPerson | undefined, actor: string | undefined, note (facts: AuditFacts): void }

const STANDARD_DAYS = { key: 90, token: 365 }

/** Without a counter, limits are null. */
export const credentialsHandlers = (deps: PageDeps): Handlers<Keys & All> => {
  const { credentials, directory, api } = deps

  const list = async (
    kind: StaticCredentialKind,
    { query, person, access }: Pick<OperationCall<Keys['GET /keys']>, 'query' | 'person' | 'access'>
  ) => {
    const { owner, revoked, cursor, limit = 100 } = query
    const reach = await reachOf(deps, person, owner === 'all' ? access : { all: false, workspaces: [] })
    const { items, ...rest } = await api.credentials.page(
      { kind, reach, revoked: revoked === 'include' }, { limit, cursor }
    )
    return { items: await credentialItems(deps, person, items), rest }
  }

  const itemOf = async (person: WebPerson | undefined, kind: CredentialKind, id: string): Promise<CredentialItem> => {
    const [item] = await credentialItems(deps, person, [await requireReachedCredential(deps, id, kind, undefined)])
    if (!item) throw new Error('a credential that was just written is gone')
    return item
  }

  const create = async (
    { person, actor, note }: Caller, kind: StaticCredentialKind, credential: Omit<NewKey, 'by'>
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

  const test = ({ body: { secret }, request }: Pick<OperationCall<Keys['POST /keys/test']>, 'body' | 'request'>) =>
    checkCredential(deps, secret, { remoteAddress: request.ip, host: request.headers.host })

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
    'POST /keys/test': test,
    'DELETE /keys/:id': (call) => revoke('api_key', call),

    'GET /tokens': async (call) => {
      const { items, rest } = await list('personal_access_token', call)
      return { tokens: items, ...rest }
    },

    'POST /tokens': async (call) => {
      const { name, scope = 'admin', workspaces, ...expiry } = call.body
      const user = call.person?.user.id ?? requireNamed(call.onBehalfOf)
      const expiresIn = expiresInMs(expiry, STANDARD_DAYS.token) ?? NEVER_MS
      return await create(call, 'personal_access_token', { user, name: name.trim(), scope, workspaces, expiresIn })
    },

    'POST /tokens/:id/rotation': (call) => rotate('personal_access_token', call),
    'POST /tokens/test': test,
    'DELETE /tokens/:id': (call) => revoke('personal_access_token', call),

    'GET /admin/credentials': async ({ query, person }) => {
      const { unused_days: unusedDays, kind, user, revoked, cursor, limit = 100 } = query
      const userId = user === undefined ? undefined : (await directory.findUser(user)).id
      const { items, ...rest } = await api.credentials.page(
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
