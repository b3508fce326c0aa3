/** Who reaches which credential, and when a new one ends. */
import { NOUN_OF_KIND } from '../access/credentials/credentials.js'
import type { CredentialEntry, CredentialReach } from '../db/credentials/sql-credential-list.js'
import { forbidden, Refusal } from '../lib/errors.js'
import type { CredentialKind } from '../lib/principal.js'
import type { BodyOf } from './operation.js'
import type { Operations } from './operations.js'
import type { Access, WebPerson } from './permission.js'
import type { ManagementPorts } from './ports.js'

type Lists = Pick<ManagementPorts, 'api'>

/** The person's own credentials and those of service accounts that they own, and by role more; undefined: all. */
export const reachOf = async (
  { api }: Lists, { user }: WebPerson, { all, workspaces }: Pick<Access, 'all' | 'workspaces'>
): Promise<CredentialReach | undefined> =>
  all ? undefined : { users: await api.credentials.ownUsers(user.id), limitedTo: workspaces }

/** @throws {Refusal} `not_found` when there is none within reach */
export const requireReachedCredential = async (
  { api }: Lists, id: string, kind: CredentialKind | undefined, reach: CredentialReach | undefined
): Promise<CredentialEntry> => {
  const entry = await api.credentials.find(id, kind, reach)
  if (entry) return entry
  const noun = kind === undefined ? 'credential' : NOUN_OF_KIND[kind]
  throw new Refusal(`There is no ${noun} with this id, or you may not see it.`, 'not_found')
}

/**
 * Returns the credential when the person may have a new secret of it: a caller with a secret acts as its user. So it is
 * their own, or that of a service account that they own; server administrators count as owners of every one.
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

export const userOfNewKey = async (
  { api }: Lists, person: WebPerson, serviceAccount: string | undefined
): Promise<string> => {
  if (serviceAccount === undefined) return person.user.id
  const account = await api.people.findServiceAccount(serviceAccount)
  if (!account || !(person.serverAdmin || account.owner?.id === person.user.id)) {
    throw new Refusal('There is no such service account, or you do not own it.', 'not_found')
  }
  return account.id
}

const DAY_MS = 86_400_000
/** Longer than anybody means to say; the database knows no end that is further away. */
export const NEVER_MS = 100 * 365 * DAY_MS

/** Returns the time to live in milliseconds; undefined when the credential never ends. */
export const expiresInMs = (
  { expires_at: at, expires_in_days: days, never }: Partial<BodyOf<Operations['POST /keys']>>, standardDays: number
): number | undefined => {
  if ([at, days, never].filter((value) => value !== undefined).length > 1) {
    throw new Refusal('Give one of expires_at, expires_in_days and never.')
  }
  if (never) return undefined
  if (at === undefined) return (days ?? standardDays) * DAY_MS
  const ms = Date.parse(at) - Date.now()
  if (!(ms > 0)) throw new Refusal('The time of expiry has passed: choose a later one.')
  if (ms > NEVER_MS) {
    throw new Refusal('The time of expiry is more than a hundred years away: choose "never" instead of it.')
  }
  return ms
}
