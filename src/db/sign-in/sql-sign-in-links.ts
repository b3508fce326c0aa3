/** Sign-in links on a database. */
import { digestOf, isSecret, mintSecret } from '../../access/credentials/prefixed-secret.js'
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'
import { directory } from '../people/sql-directory.js'

const LIFETIME_MINUTES = 15
/** Of one user at a time; the oldest goes first. */
const MAX_LINKS = 10

const CREATE = `
  with oldest as (
    delete from sign_in_links where hash = any(array(
      select hash from sign_in_links where user_id = $2::uuid order by created_at desc offset ${MAX_LINKS - 1}))
  )
  insert into sign_in_links (hash, user_id, expires_at)
  select $1::bytea, u.id, now() + interval '${LIFETIME_MINUTES} minutes'
  from users u where u.id = $2::uuid and u.deactivated_at is null
  returning rfc3339(expires_at) as expires_at`

const FIND = `
  select u.id, u.email, u.name from sign_in_links l join users u on u.id = l.user_id
  where l.hash = $1 and l.expires_at > now() and u.deactivated_at is null`

const REDEEM = `
  delete from sign_in_links l using users u
  where l.hash = $1 and l.expires_at > now() and u.id = l.user_id and u.deactivated_at is null
  returning l.user_id`

export type SignInLinks = ReturnType<typeof sqlSignInLinks>

/** The sign-in links on `db`. A link works once, within fifteen minutes; only a hash of it is stored. */
export const sqlSignInLinks = (db: Queryable) => ({
  /** @throws {Refusal} when there is no such user, it is a service account, or it was deactivated */
  async create (user: string) {
    const { id, email, name, kind } = await directory(db).findUser(user)
    if (kind !== 'person') throw new Refusal('A service account cannot sign in: it has keys and tokens.')
    const token = mintSecret('link')
    const created = await first(db.query<{ expires_at: string }>(CREATE, [digestOf(token), id]))
    if (!created) throw new Refusal('This user was deactivated: "users activate" lets them in again.', 'conflict')
    return { token, expires_at: created.expires_at, user: { id, email, name } }
  },

  /** Whom the token would sign in, without using it up; undefined when it is unknown, used or expired. */
  async find (token: string) {
    if (!isSecret('link', token)) return undefined
    return await first(db.query<{ id: string, email: string, name: string }>(FIND, [digestOf(token)]))
  },

  /** Uses the token up. Resolves with its user; undefined when it is unknown, used or expired. */
  async redeem (token: string) {
    if (!isSecret('link', token)) return undefined
    const [used] = await db.query<{ user_id: string }>(REDEEM, [digestOf(token)])
    return used?.user_id
  }
})
