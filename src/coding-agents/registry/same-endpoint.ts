/** Whether two addresses are one endpoint: the names of the loopback are one, and a slash at the end is nothing. */
import { isLoopbackUrl } from '../../lib/loopback.js'

export const sameEndpoint = (one: URL, other: URL): boolean => plain(one) === plain(other)

const plain = (url: URL): string =>
  [url.protocol, isLoopbackUrl(url) ? 'localhost' : url.hostname, url.port, url.pathname.replace(/\/+$/, ''), url.search].join(' ')
