/** Device grants on a database, so that any replica can be polled. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { Refusal } from '../../lib/errors.js'
import type { User } from '../../planning/records.js'
import type { Database } from '../sql/database.js'
import { omitNulls } from '../sql/rows.js'
import { directory } from '../people/sql-directory.js'
import type { DeviceGrants, PendingDevice } from '../../access/credentials/device-grants.js'
import type { NewCredential, TokenLimits } from '../../access/credentials/credentials.js'
import { digestOf } from '../../access/credentials/prefixed-secret.js'
import { makeRoomForGrant, type GrantShares } from '../oauth/grant-shares.js'
import { sqlCredentials } from './sql-credentials.js'
import { idsOfWorkspaces } from '../planning/seen-workspaces.js'

const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5
// Clocks and networks are not exact: tolerate a poll that is this much too early.
const TOLERANCE_SECONDS = 1
// RFC 8628 section 6.1: no vowels, which could spell words, and no letters that look like digits.
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const PENDING = `
  d.id, d.name, d.client_id, d.remote_address, rfc3339(d.created_at) as created_at, rfc3339(d.expires_at) as expires_at,
  coalesce(d.decision, 'pending') as state, (select u.email from users u where u.id = d.user_id) as user`

const INSERT = `
  insert into device_grants (id, device_hash, user_hash, client_id, name, remote_address, expires_at, interval_seconds)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => ${LIFETIME_SECONDS}), ${INTERVAL_SECONDS})`

// RFC 8628 section 3.5: a client that polls too early has to wait five seconds longer from then on.
const POLL = `
  with before as (select id, polled_at > now() - make_interval(secs => interval_seconds - ${TOLERANCE_SECONDS}) as early
    from device_grants where device_hash = $1 and client_id is not distinct from $2 for update)
  update device_grants d set polled_at = now(),
    interval_seconds = d.interval_seconds + case when early then 5 else 0 end
  from before where d.id = before.id
  returning d.expires_at <= now() as expired, coalesce(early, false) as early, d.decision`

const TAKE = `
  delete from device_grants where device_hash = $1 and decision = 'approved' and expires_at > now()
  returning user_id as user, name, decided_by, scope, workspace_ids::text[] as "workspaceIds",
    lifetime_seconds::float8 * 1000 as "expiresIn"`

type Taken = Omit<NewCredential & TokenLimits, 'by'> & { decided_by?: string }

const FIND = `select ${PENDING} from device_grants d where d.user_hash = $1 and d.expires_at > now()`

const APPROVE = `
  update device_grants d set decision = 'approved', user_id = $2, decided_by = $3, scope = $4,
    workspace_ids = $5::uuid[], lifetime_seconds = $6
  where d.user_hash = $1 and d.decision is null and d.expires_at > now()
  returning ${PENDING}`

// An approval can be withdrawn until the token is fetched, which deletes the row.
const DENY = `
  update device_grants d set decision = 'denied', user_id = null, decided_by = $2
  where d.user_hash = $1 and d.decision is distinct from 'denied' and d.expires_at > now()
  returning ${PENDING}`

/** The device grants on `db`. `shares` bounds how many codes may wait, per network and in all. */
export const sqlDeviceGrants = (db: Database, shares: Partial<GrantShares> = {}): DeviceGrants => {
  const people = directory(db)

  const requirePending = ([device]: PendingDevice[]): PendingDevice => {
    if (!device) {
      throw new Refusal('No one waits with this code: it is mistyped, older than ten minutes, ' +
        'or was decided already.', 'not_found')
    }
    return device
  }

  return {
    async request ({ client_id: client = null, name, remote_address: address }) {
      // Expired codes are kept for a while, to tell them apart from unknown ones.
      await db.query("delete from device_grants where expires_at < now() - interval '10 minutes'")
      const code = randomBytes(32).toString('base64url')
      const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
      const inserted = await db.transaction(async (tx) => {
        if (!await makeRoomForGrant(tx, address, shares)) return false
        await tx.query(INSERT, [randomUUID(), digestOf(code), digestOf(letters), client, name, address])
        return true
      })
      if (!inserted) return undefined
      const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
      return { device_code: code, user_code: userCode, expires_in: LIFETIME_SECONDS, interval: INTERVAL_SECONDS }
    },

    async redeem (deviceCode, clientId) {
      const deviceHash = digestOf(deviceCode)
      const [poll] = await db.query<{ expired: boolean, early: boolean, decision: string | null }>(
        POLL, [deviceHash, clientId ?? null])
      if (!poll) return 'invalid_grant'
      if (poll.expired) return 'expired_token'
      if (poll.decision === 'denied') return 'access_denied'
      if (poll.early) return 'slow_down'
      if (poll.decision === null) return 'authorization_pending'
      return db.transaction(async (tx) => {
        const [taken] = await tx.query<Taken>(TAKE, [deviceHash])
        if (!taken) return 'invalid_grant'
        const { decided_by: by = 'an administrator', ...token } = omitNulls(taken)
        return sqlCredentials(tx, directory(tx)).createToken({ ...token, by: `device grant, approved by ${by}` })
      })
    },

    find: async (userCode) => requirePending(await db.query<PendingDevice>(FIND, [digestOf(plain(userCode))])),

    async approve (userCode, user, by, { scope, workspaces, expiresIn } = {}) {
      const owner = user === undefined ? await onlyPerson() : await people.findUser(user)
      const ids = workspaces?.length ? await idsOfWorkspaces(db, workspaces, owner) : null
      const seconds = expiresIn === undefined ? null : Math.round(expiresIn / 1000)
      const values = [digestOf(plain(userCode)), owner.id, by ?? null, scope ?? null, ids, seconds]
      return requirePending(await db.query<PendingDevice>(APPROVE, values))
    },

    deny: async (userCode, by) =>
      requirePending(await db.query<PendingDevice>(DENY, [digestOf(plain(userCode)), by ?? null])),

    list: () => db.query<PendingDevice>(
      `select ${PENDING} from device_grants d where d.expires_at > now() order by d.created_at, d.id`)
  }

  async function onlyPerson (): Promise<User> {
    const [person, ...others] = (await people.listUsers()).filter(({ kind }) => kind === 'person')
    if (person && others.length === 0) return person
    throw new Refusal('Say whose token it is to be: --user with an id or e-mail address ' +
      '("users list" shows who there is).')
  }
}

/** The letters of a code as people type it: in any case, with or without separators. */
const plain = (userCode: string): string => userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
