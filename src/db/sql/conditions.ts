/** Conditions for what people name by an id or otherwise. Each form has an index of its own. */
import { isUuid } from '../../lib/uuid.js'

/** SQL on `users u`, with the id or e-mail address as the nth value. */
export const userCondition = (name: string, n: number): string =>
  isUuid(name) ? `u.id = $${n}::uuid` : `lower(u.email) = lower($${n}::text)`

/** SQL on `credentials c`, with the id or name as the nth value. An application is also found by `applicationName`. */
export const credentialCondition = (name: string, n: number): string =>
  isUuid(name)
    ? `c.id = $${n}::uuid`
    : `(c.name = $${n}::text
       or (c.client_host = split_part($${n}, ' (', 1) and c.name = substring($${n} from '^\\S+ \\((.*)\\)$')))`
