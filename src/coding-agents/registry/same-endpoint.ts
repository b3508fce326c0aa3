/** Whether two addresses are one endpoint: the names of the loopback are one, and a slash at the end is nothing. */

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname)

export const sameEndpoint = (one: URL, other: URL): boolean => plain(one) === plain(other)

const plain = (url: URL): string =>
  [url.protocol, isLoopback(url) ? 'localhost' : url.hostname, url.port, url.pathname.replace(/\/+$/, ''), url.search].join(' ')
