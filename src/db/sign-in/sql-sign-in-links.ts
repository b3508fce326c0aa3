/** Sign-in links on a database. */
import { requireRow } from '../sql/rows.js'
import { digestOf, isSecret, mintSecret } from '../../access/credentials/prefixed-secret.js'
import { sanitizeText } from '../../lib/text/text.js'
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'
import { userCondition } from '../sql/conditions.js'

const LIFETIME_MINUTES = 15
/** Of one user at a time; the oldest goes first. */
const MAX_LINKS = 10

const CREATE = `
  with oldest as (
    delete from sign_in_links where hash = any(array(
      select hash from sign_in_links where user_id = $2::uuid order by created_at desc offset ${MAX_LINKS - 1}))
  )
  insert into sign_in_links (hash, user_id, expires_at)
  values ($1::bytea, $2::uuid, now() + interval '${LIFETIME_MINUTES} minutes')
  returning rfc3339(expires_at) as expires_at`

const FIND = `
  select u.id, u.email, u.name from sign_in_links l join users u on u.id = l.user_id
  where l.hash = $1 and l.expires_at > now() and u.deactivated_at is null`

const REDEEM = `
  delete from sign_in_links l using users u
  where l.hash = $1 and l.expires_at > now() and u.id = l.user_id and u.deactivated_at is null
  returning l.user_id`

interface LinkRecipient { id: string, email: string, name: string, kind: string, deactivated: boolean }

export type SignInLinks = ReturnType<typeof sqlSignInLinks>

/** The sign-in links on `db`. A link works once, within fifteen minutes; only a hash of it is stored. */
export const sqlSignInLinks = (db: Queryable) => ({
  /** @throws {Refusal} when there is no such user, it is a service account, or it was deactivated */
  async create (user: string) {
    const [found] = await db.query<LinkRecipient>(
      `select u.id, u.email, u.name, u.kind, u.deactivated_at is not null as deactivated
       from users u where ${userCondition(user, 1)}`,
      [sanitizeText(user)])
    if (!found) {
      throw new Refusal(
        `There is no user ${JSON.stringify(user.slice(0, 320))}. "users list" shows who there is, ` +
          '"users create" adds one.',
        'not_found')
    }
    const { id, email, name, kind, deactivated } = found
    if (kind !== 'person') throw new Refusal('A service account cannot sign in: it has keys and tokens.')
    if (deactivated) throw new Refusal('This user was deactivated: "users activate" lets them in again.', 'conflict')
    const token = mintSecret('link')
    const created = requireRow(await db.query<{ expires_at: string }>(CREATE, [digestOf(token), id]))
    return { token, expires_at: created.expires_at, user: { id, email, name } }
  },

  /** Whom the token would sign in, without using it up; undefined when it is unknown, used or expired. */
  async find (token: string) {
    if (!isSecret('link', token)) return undefined
    const [user] = await db.query<Pick<LinkRecipient, 'id' | 'email' | 'name'>>(FIND, [digestOf(token)])
    return user
  },

  /** Uses the token up. Resolves with its user; undefined when it is unknown, used or expired. */
  async redeem (token: string) {
    if (!isSecret('link', token)) return undefined
    const [used] = await db.query<{ user_id: string }>(REDEEM, [digestOf(token)])
    return used?.user_id
  }
})
