/** Compares addresses: the names of the loopback interface are equal, and a slash at the end does not count. */
import { isLoopbackUrl } from '../../lib/http/loopback.js'

/** Whether both addresses are the same endpoint. */
export const sameEndpoint = (one: URL, other: URL): boolean => plain(one) === plain(other)

const plain = (url: URL): string => {
  const host = isLoopbackUrl(url) ? 'localhost' : url.hostname
  return [url.protocol, host, url.port, url.pathname.replace(/\/+$/, ''), url.search].join(' ')
}
