/**
 * TRUST_PROXY: how far the addresses in X-Forwarded-For are believed. Each proxy appends the address that it saw, so only the last ones
 * are written by proxies of the operator; whatever stands before them is the client's own text.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { Refusal } from '../lib/errors.js'

/** What Fastify takes: nobody, everybody, those at a place in the chain (0 is the peer), or those in a list. */
export type TrustProxy = boolean | string[] | ((address: string, hop: number) => boolean)

const MAX_HOPS = 10
const NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * `false` or `0`: nobody is believed. `1` to `10`: so many proxies stand before the server. A list of addresses and networks, separated
 * by commas: the proxies are these. `true`: everybody is believed, so that the first address counts, whoever wrote it.
 * @throws {Refusal} naming the first item that is none of these
 */
export const parseTrustProxy = (text: string): TrustProxy => {
  const value = text.trim().toLowerCase()
  if (value === 'true') return true
  if (value === 'false' || value === '0') return false
  if (/^\d+$/.test(value)) {
    const hops = Number(value)
    if (hops > MAX_HOPS) throw new Refusal(`TRUST_PROXY is at most ${MAX_HOPS} where it is a number: how many proxies stand before the server.`)
    return (_address, hop) => hop < hops
  }
  const items = value.split(',').map((item) => item.trim()).filter((item) => item !== '')
  const wrong = items.find((item) => !NAMES.has(item) && !isNetwork(item))
  if (items.length > 0 && wrong === undefined) return items
  throw new Refusal(`TRUST_PROXY: ${JSON.stringify(wrong ?? '')} is neither an address nor a network such as 10.0.0.0/8 or fd00::/8. ` +
    'Set the number of proxies before the server, or their addresses and networks separated by commas, or false.')
}

const isNetwork = (item: string): boolean => {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  const max = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0
  return max > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= max))
}
