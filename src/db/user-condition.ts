/** The condition for a user who is named by id or by e-mail address: each has an index of its own. */
import { isUuid } from '../lib/uuid.js'

/** On `users` as `u`, with the name as the nth value. */
export const userCondition = (name: string, n: number): string =>
  isUuid(name) ? `u.id = $${n}::uuid` : `lower(u.email) = lower($${n}::text)`
