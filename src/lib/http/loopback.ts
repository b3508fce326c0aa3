/** Recognizes the loopback host. */

const NAMES = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])
const URL_HOSTNAME = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Whether a host is one of the usual loopback names: `localhost`, `127.0.0.1` or `::1`, the last with or without
 * brackets. Strict on purpose: the server uses it to reject names that could be rebound to the loopback address.
 */
export const isLoopbackHost = (host: string): boolean => NAMES.has(host)

/** Whether a URL points to this machine: also all of 127.0.0.0/8, and names under `.localhost` (RFC 6761). */
export const isLoopbackUrl = ({ hostname }: URL): boolean => URL_HOSTNAME.test(hostname)
