/** Whether OAuth is served. */
import type { Config } from '../config/config.js'
import { Refusal } from '../lib/errors.js'
import { isLoopbackHost, isLoopbackUrl } from '../lib/http/loopback.js'

/** As OAUTH says, otherwise where there are pages and nothing is plain http. @throws {Refusal} where it cannot be */
export const isOAuthEnabled = (config: Config, server: { hasPages: boolean, isFront: boolean }): boolean => {
  const { oauth, oauthUrl, publicUrl, host } = config
  if (oauth === 'off') return false
  const isSecure = publicUrl === undefined ? isLoopbackHost(host) : isSecureAddress(publicUrl)
  if (oauth === undefined) return server.hasPages && isSecure && (oauthUrl === undefined || isSecureAddress(oauthUrl))
  if (!isSecure) {
    throw new Refusal(publicUrl === undefined
      ? 'OAUTH is on, and the server listens beyond this machine without PUBLIC_URL: set PUBLIC_URL to its https ' +
        'address, or OAUTH=off.'
      : 'OAUTH is on, and PUBLIC_URL is plain http: anyone on the way could read tokens. Set PUBLIC_URL to the ' +
        'https address of the server, or OAUTH=off.')
  }
  if (oauthUrl !== undefined && !isSecureAddress(oauthUrl)) {
    throw new Refusal('OAUTH_URL is plain http: anyone on the way could read tokens. Set it to an https address.')
  }
  if (!server.hasPages && !server.isFront) {
    throw new Refusal('OAUTH is on, and WEB is off: people allow applications in the web application. Set WEB=on, ' +
      'or OAUTH=off.')
  }
  return true
}

const isSecureAddress = (address: string): boolean => {
  const url = new URL(address)
  return url.protocol === 'https:' || isLoopbackUrl(url)
}
