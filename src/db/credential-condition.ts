/** The condition for credentials named by id or name. */
import { isUuid } from '../lib/uuid.js'

/**
 * SQL on `credentials c`, with the name as the nth value. Several credentials may have the same name. An application is
 * also found by `applicationName`.
 */
export const credentialCondition = (name: string, n: number): string =>
  isUuid(name)
    ? `c.id = $${n}::uuid`
    : `(c.name = $${n}::text
       or (c.client_host = split_part($${n}, ' (', 1) and c.name = substring($${n} from '^\\S+ \\((.*)\\)$')))`
