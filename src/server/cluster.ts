/**
 * What the replicas of one service share through Valkey. Without Valkey only one server may run on a database; a second
 * one does not start.
 */
import type { ServerDeps } from './dependencies.js'
import type { Config } from '../config/config.js'
import { Refusal } from '../lib/errors.js'
import { poll } from '../lib/async/poll.js'
import type { ReplicaLock, ReplicaLockOptions } from '../cluster/replica-lock.js'
import { errorCodeSuffix } from '../lib/error-code.js'

// The server that this one replaces may still be shutting down.
const LOCK_WAIT = { timeoutMs: 3000, pauseMs: 200 }

/**
 * Takes the replica lock and connects Valkey, as far as the configuration asks for them; `closers` gets what ends each.
 * `onChange` is called when the lock is lost or held again.
 * @throws {Refusal} when another replica excludes this one, Valkey cannot be reached, or a setting is missing
 */
export const joinCluster = async (
  { databaseUrl, platformUrl, valkeyUrl, sessionSecret }: Config, onChange: ReplicaLockOptions['onChange'],
  closers: Array<() => Promise<unknown>>
): Promise<{ deps: Partial<ServerDeps>, warning?: string | undefined }> => {
  const sharing = valkeyUrl !== undefined
  if (sharing && databaseUrl === undefined && platformUrl === undefined) {
    throw new Refusal('VALKEY_URL is for replicas on one database: set DATABASE_URL (or PLATFORM_URL) as well, ' +
      'or leave VALKEY_URL out.')
  }
  const replicaLock = databaseUrl === undefined ? undefined : await waitForReplicaLock(databaseUrl, sharing, onChange)
  if (replicaLock) closers.push(() => replicaLock.close())
  const own = replicaLock && { replicaLock }
  if (!sharing) return { deps: { ...own } }
  if (!sessionSecret) {
    throw new Refusal('SESSION_SECRET is not set: replicas need the same one, ' +
      'or each would refuse the sessions of the others.')
  }
  const { connectValkey } = await import('./connect-valkey.js')
  const { deps, warning, close } = await connectValkey(valkeyUrl).catch(refuseValkey)
  closers.push(close)
  return { deps: { ...deps, ...own }, warning }
}

const waitForReplicaLock = async (
  url: string, sharing: boolean, onChange: ReplicaLockOptions['onChange']
): Promise<ReplicaLock> => {
  const { acquireReplicaLock } = await import('../cluster/replica-lock.js')
  const lock = await poll(() => acquireReplicaLock(url, { sharing, onChange }), LOCK_WAIT)
  if (lock) return lock
  throw new Refusal(sharing
    ? 'Another replica serves this database without VALKEY_URL: stop it, or give it the same VALKEY_URL.'
    : 'Another replica serves this database already: set the same VALKEY_URL on each, so that they share limits, ' +
      'streams and messages.', 'conflict')
}

/** Leaves out the address, which may hold a password. */
const refuseValkey = (error: unknown): never => {
  throw new Refusal(`The Valkey of VALKEY_URL cannot be reached${errorCodeSuffix(error)}: ` +
    'check its host, port, name, user and password.')
}
