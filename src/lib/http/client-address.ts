/**
 * Normalizes client addresses and derives the networks that limits count. One IPv6 host has a whole /64, and one
 * customer often a /48, so limits never count a single IPv6 address.
 */
import { isIPv4, isIPv6 } from 'node:net'

export interface ClientNetworks {
  /** The counted network: an IPv4 address, or the /64 of an IPv6 address. */
  host: string
  /** The /48 of an IPv6 address: one customer may hold all of it, so it needs a limit of its own. */
  site?: string
}

/** The address of clients whose proxy names none; they share one count. */
const UNKNOWN_ADDRESS = 'unknown'

/**
 * Returns the address in one canonical spelling: IPv4-mapped IPv6 becomes IPv4, a port or zone is removed, and other
 * text becomes `unknown`. Otherwise a client that can write X-Forwarded-For could look new with each request.
 */
export const clientAddress = (ip: string | undefined): string => {
  // A closed connection has no address any more.
  if (ip === undefined) return UNKNOWN_ADDRESS
  // Most addresses are in their canonical spelling already.
  if (isIPv4(ip)) return ip
  const bare = withoutPort(ip.trim()).replace(/%.*$/, '')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return UNKNOWN_ADDRESS
  const address = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  return mappedIPv4(groupsOf(address)) ?? address
}

export const clientNetworks = (ip: string | undefined): ClientNetworks => {
  const address = clientAddress(ip)
  if (!isIPv6(address)) return { host: address }
  const groups = groupsOf(address).map((group) => group.toString(16))
  return { host: `${groups.slice(0, 4).join(':')}::/64`, site: `${groups.slice(0, 3).join(':')}::/48` }
}

const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1] ?? text

/** The eight 16-bit groups of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = [], tail = []] = address.split('::')
    .map((part) => part.split(':').filter((group) => group !== '').map((group) => parseInt(group, 16)))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const mappedIPv4 = (groups: readonly number[]): string | undefined => {
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return undefined
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
