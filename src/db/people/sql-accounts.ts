/** Name, theme and time zone of people on a database. */
import type { Theme } from '../../access/sign-in/web-sessions.js'
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'

const CHANGE = `
  update users u set name = coalesce($2, u.name), theme = coalesce($3, u.theme),
    time_zone = case when $4::boolean then $5 else u.time_zone end
  where u.id = $1 and u.deactivated_at is null returning u.name, u.theme, u.time_zone as "timeZone"`

/** What people set for themselves. `timeZone` is an IANA name; null: that of the browser. */
interface AccountChange { name?: string | undefined, theme?: Theme | undefined, timeZone?: string | null | undefined }

export type Accounts = ReturnType<typeof sqlAccounts>

/** Returns the port to accounts. `change` throws a `Refusal` for an unknown time zone, and an account that is gone. */
export const sqlAccounts = (db: Queryable) => ({
  async change (userId: string, { name, theme, timeZone }: AccountChange) {
    if (typeof timeZone === 'string') requireTimeZone(timeZone)
    const [changed] = await db.query<{ name: string, theme: Theme, timeZone: string | null }>(
      CHANGE, [userId, name ?? null, theme ?? null, timeZone !== undefined, timeZone ?? null])
    if (!changed) throw new Refusal('This account is gone.', 'not_found')
    return changed
  }
})

const requireTimeZone = (timeZone: string): void => {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw new Refusal('This time zone is not known: name one as Europe/Berlin.')
  }
}
