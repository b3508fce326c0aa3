/** Who reaches which credential in the web application. */
import { NOUN_OF_KIND } from '../access/credentials/credentials.js'
import type { CredentialEntry, CredentialReach } from '../db/credentials/sql-credential-list.js'
import { forbidden, Refusal } from '../lib/errors.js'
import type { CredentialKind } from '../lib/principal.js'
import type { Access, WebPerson } from './permission.js'
import type { PageDeps } from './page-deps.js'

type Lists = Pick<PageDeps, 'web'>

/**
 * What the person reaches: their own credentials and those of service accounts that they own, and by role more;
 * undefined: all.
 */
export const reachOf = async (
  { web }: Lists, { user }: WebPerson, { all, workspaces }: Access
): Promise<CredentialReach | undefined> =>
  all ? undefined : { users: await web.credentials.ownUsers(user.id), limitedTo: workspaces }

/** Only the person's own credentials, and those of service accounts that they own. */
export const ownReach = async ({ web }: Lists, { user }: WebPerson): Promise<CredentialReach> =>
  ({ users: await web.credentials.ownUsers(user.id), limitedTo: [] })

/** @throws {Refusal} `not_found` when there is none within reach */
export const requireReachedCredential = async (
  { web }: Lists, id: string, kind: CredentialKind | undefined, reach: CredentialReach | undefined
): Promise<CredentialEntry> => {
  const entry = await web.credentials.find(id, kind, reach)
  if (entry) return entry
  const noun = kind === undefined ? 'credential' : NOUN_OF_KIND[kind]
  throw new Refusal(`There is no ${noun} with this id, or you may not see it.`, 'not_found')
}

/**
 * Returns the credential when the person may have a new secret of it: a caller with a secret acts as its user. So it is
 * their own, or that of a service account that they own; server administrators count as owners of every one.
 * @throws {Refusal} `not_found` when the person does not see it
 * @throws {Fault} `forbidden` when it is someone else's
 */
export const requireOwnCredential = async (
  deps: Lists, person: WebPerson, id: string, kind: CredentialKind, access: Access
): Promise<CredentialEntry> => {
  const entry = await requireReachedCredential(deps, id, kind, await reachOf(deps, person, access))
  const own = entry.service_account
    ? entry.owner_id === person.user.id || person.serverAdmin
    : entry.user.id === person.user.id
  if (!own) throw forbidden('Only its owner may have a new secret of it.', 'Ask them to rotate it.')
  return entry
}

/**
 * Returns the id of the user of a new key: the person, or a service account that they own.
 * @throws {Refusal} `not_found` for a service account that is unknown or not theirs
 */
export const userOfNewKey = async (
  { web }: Lists, person: WebPerson, serviceAccount: string | undefined
): Promise<string> => {
  if (serviceAccount === undefined) return person.user.id
  const account = await web.people.findServiceAccount(serviceAccount)
  if (!account || !(person.serverAdmin || account.owner?.id === person.user.id)) {
    throw new Refusal('There is no such service account, or you do not own it.', 'not_found')
  }
  return account.id
}
