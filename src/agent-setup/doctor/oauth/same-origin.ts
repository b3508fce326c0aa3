/** Whether two addresses are of one server, as far as an application can tell. */
import { isLoopbackUrl } from '../../../lib/http/loopback.js'

/** The names of this machine are one host. */
export const sameOrigin = (one: URL, other: URL): boolean => one.origin === other.origin ||
  (one.protocol === other.protocol && one.port === other.port && isLoopbackUrl(one) && isLoopbackUrl(other))
