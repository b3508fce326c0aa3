/**
 * Parses TRUST_PROXY: which addresses in X-Forwarded-For are trusted. Each proxy appends the address that it saw, so
 * only the last entries come from the operator's proxies. The client can write everything before them.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { Refusal } from '../lib/errors.js'

/**
 * Fastify's `trustProxy`: no one, everybody, a list of addresses and networks, or a test by position (0 is the peer).
 */
export type TrustProxy = boolean | string[] | ((address: string, hop: number) => boolean)

const MAX_HOPS = 10
const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Parses the setting. `false` or `0` trusts no proxy; `1` to `10` trusts that many proxies before the server; a list,
 * separated by commas, trusts these addresses and networks; `true` trusts every entry, so that the first address
 * counts, no matter who wrote it.
 * @throws {Refusal} naming the first invalid item
 */
export const parseTrustProxy = (text: string): TrustProxy => {
  const value = text.trim().toLowerCase()
  if (value === 'true') return true
  if (value === 'false' || value === '0') return false
  if (/^\d+$/.test(value)) {
    const hops = Number(value)
    if (hops > MAX_HOPS) {
      throw new Refusal(
        `TRUST_PROXY is at most ${MAX_HOPS} where it is a number: how many proxies stand before the server.`)
    }
    return (_address, hop) => hop < hops
  }
  const items = value.split(',').map((item) => item.trim()).filter((item) => item !== '')
  const wrong = items.find((item) => !NAMES.has(item) && !isNetwork(item))
  if (items.length > 0 && wrong === undefined) return items
  throw new Refusal(
    `TRUST_PROXY: ${JSON.stringify(wrong ?? '')} is neither an address nor a network such as 10.0.0.0/8 or fd00::/8. ` +
    'Set the number of proxies before the server, or their addresses and networks separated by commas, or false.')
}

const isNetwork = (item: string): boolean => {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  const max = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0
  return max > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= max))
}
