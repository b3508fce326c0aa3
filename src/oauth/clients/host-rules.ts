/** Which hosts are asked, and whose applications may connect: public addresses, and the operator's lists. */
import type { Config } from '../../config/config.js'
import type { OAuthClient } from '../../access/oauth/oauth-clients.js'
import { ruleHostOf } from '../../access/oauth/redirect-uri.js'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** By the host of its document, or else those of its redirect URIs. An operator's own clients always may. */
export type AdmitsClient = (client: Pick<OAuthClient, 'kind' | 'host' | 'redirectUris'>) => boolean

/** A denied host is denied even where another rule allows it. */
export const createHostRules = (
  { oauthAllowedClientHosts: allowed, oauthDeniedClientHosts: denied }: Config
): AdmitsClient => {
  const isAdmitted = (host: string): boolean =>
    !denied.some((rule) => covers(rule, host)) && (allowed.length === 0 || allowed.some((rule) => covers(rule, host)))
  return ({ kind, host, redirectUris }) => {
    if (kind === 'preregistered') return true
    return host === null ? redirectUris.every((uri) => isAdmitted(ruleHostOf(uri))) : isAdmitted(host)
  }
}

const covers = (rule: string, host: string): boolean =>
  rule.startsWith('*.') ? host.endsWith(rule.slice(1)) : host === rule

// https://www.iana.org/assignments/iana-ipv4-special-registry
const PRIVATE_IPV4: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.31.196.0', 24], ['192.52.193.0', 24], ['192.88.99.0', 24],
  ['192.168.0.0', 16], ['192.175.48.0', 24], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24],
  ['224.0.0.0', 4], ['240.0.0.0', 4]
]
// https://www.iana.org/assignments/iana-ipv6-special-registry: of 2000::/3, which alone is given to the internet.
const PRIVATE_IPV6: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['2620:4f:8000::', 48], ['3fff::', 20]
]

const privateNetworks = new BlockList()
for (const [network, prefix] of PRIVATE_IPV4) privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of PRIVATE_IPV6) privateNetworks.addSubnet(network, prefix, 'ipv6')
const internet = new BlockList()
internet.addSubnet('2000::', 3, 'ipv6')

/** Whether the text is an address of the public internet; false for anything that is no address. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !privateNetworks.check(address, 'ipv4')
  return isIPv6(address) && internet.check(address, 'ipv6') && !privateNetworks.check(address, 'ipv6')
}
