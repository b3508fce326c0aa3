/** Passkeys on a database. */
import { createHash, randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type account from '#schemas/operations/account.json'
import { Refusal } from '../../lib/errors.js'
import { isUuid } from '../../lib/uuid.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'

type Passkey = FromSchema<typeof account.passkey>

/** What is added: the id in base64url, as the browser sends it, and the host that it works for. */
interface NewPasskey {
  userId: string
  name: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  rpId: string
}

export type Passkeys = ReturnType<typeof sqlPasskeys>

const MAX_PASSKEYS = 20

const SUMMARY = 'p.id, p.name, rfc3339(p.created_at) as created_at, rfc3339(p.last_used_at) as last_used_at'

const CREATE = `
  insert into passkeys as p (id, user_id, credential_id, public_key, counter, transports, rp_id, name)
  select $1::uuid, $2::uuid, $3::bytea, $4::bytea, $5::bigint, $6::text[], $7, $8
  where (select count(*) from passkeys o where o.user_id = $2::uuid) < ${MAX_PASSKEYS}
  on conflict (credential_id) do nothing returning ${SUMMARY}`

const USE_CHALLENGE = `
  insert into used_challenges (hash, expires_at) values ($1::bytea, $2::timestamptz)
  on conflict do nothing returning hash`

export const sqlPasskeys = (db: Queryable) => ({
  /** Oldest first. */
  list: (userId: string) => db.query<Passkey>(
    `select ${SUMMARY} from passkeys p where p.user_id = $1 order by p.created_at, p.id`, [userId]),

  /** Those of one host in base64url, so that no authenticator gets a second one. */
  async credentialIds (userId: string, rpId: string) {
    const rows = await db.query<{ id: Uint8Array }>(
      'select credential_id as id from passkeys where user_id = $1 and rp_id = $2', [userId, rpId])
    return rows.map(({ id }) => Buffer.from(id).toString('base64url'))
  },

  /** @throws {Refusal} when it is known already, or the person has as many as they may */
  async create ({ userId, name, credentialId, publicKey, counter, transports, rpId }: NewPasskey): Promise<Passkey> {
    const [created] = await db.query<Passkey>(CREATE, [
      randomUUID(), userId, bytesOf(credentialId), Buffer.from(publicKey), counter, transports, rpId, name
    ])
    if (created) return created
    const [known] = await db.query('select id from passkeys where credential_id = $1', [bytesOf(credentialId)])
    throw known
      ? new Refusal('This passkey was added already.', 'conflict')
      : new Refusal(`No one has more than ${MAX_PASSKEYS} passkeys: remove one first.`, 'conflict')
  },

  /** By the id that the browser sends; undefined when unknown, of another host, or of someone who was deactivated. */
  find: (credentialId: string, rpId: string) => first(
    db.query<{ id: string, userId: string, publicKey: Uint8Array, counter: number }>(
      `select p.id, p.user_id as "userId", p.public_key as "publicKey", p.counter::float8 as counter
       from passkeys p join users u on u.id = p.user_id
       where p.credential_id = $1 and p.rp_id = $2 and u.deactivated_at is null`, [bytesOf(credentialId), rpId])),

  /** Stores the counter of a sign-in. False when it did not grow, because the passkey was copied. */
  async recordUse (id: string, counter: number) {
    const rows = await db.query(
      `update passkeys set counter = $2::bigint, last_used_at = now()
       where id = $1 and (counter < $2::bigint or (counter = 0 and $2::bigint = 0)) returning id`, [id, counter])
    return rows.length > 0
  },

  /** @throws {Refusal} when this person has no such passkey */
  async rename (userId: string, id: string, name: string) {
    const [renamed] = isUuid(id)
      ? await db.query<Passkey>('update passkeys p set name = $3 where p.id = $1 and p.user_id = $2 returning ' +
        `${SUMMARY}`, [id, userId, name])
      : []
    return renamed ?? refuseUnknown()
  },

  /** Removes one, and with it each session that it opened. @throws as `rename` */
  async remove (userId: string, id: string) {
    const [removed] = isUuid(id)
      ? await db.query<Passkey>(
        `delete from passkeys p where p.id = $1 and p.user_id = $2 returning ${SUMMARY}`, [id, userId])
      : []
    return removed ?? refuseUnknown()
  },

  /** Uses a challenge up. False when it was used before, on whichever replica. */
  useChallenge: async (challenge: Uint8Array, expiresAt: Date) => (await db.query(USE_CHALLENGE, [
    createHash('sha256').update(challenge).digest(), expiresAt.toISOString()
  ])).length > 0
})

const bytesOf = (credentialId: string): Buffer => Buffer.from(credentialId, 'base64url')

const refuseUnknown = (): never => {
  throw new Refusal('You have no such passkey.', 'not_found')
}
