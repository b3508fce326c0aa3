/** The condition for a user named by id or e-mail address. Each form has an index of its own. */
import { isUuid } from '../../lib/uuid.js'

/** SQL on `users u`, with the name as the nth value. */
export const userCondition = (name: string, n: number): string =>
  isUuid(name) ? `u.id = $${n}::uuid` : `lower(u.email) = lower($${n}::text)`
