/**
 * The check `oauth root`: nothing at the root of the host says that the endpoint for keys signs people in. A client
 * that finds metadata there drops the key that it was given.
 */
import { failed, passed, type CheckResult } from '../finding.js'
import type { OAuthProbe } from './oauth-probe.js'

const NAMES = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'] as const

/** Returns the result of the check, with the remedy when it did not pass. */
export const checkRoot = async (probe: OAuthProbe): Promise<CheckResult> => {
  const { keys } = probe
  const path = keys.pathname.replace(/\/$/, '')
  const addresses = [`/.well-known/oauth-protected-resource${path}`, ...NAMES.map((name) => `/.well-known/${name}`)]
  for (const address of addresses) {
    const { status, json, description } = await probe.document(new URL(address, keys.origin))
    if (status >= 400 && status < 500) continue
    if (json || description === 'an HTML page' || status < 400) {
      return failed(`${address} answers with ${description}`,
        'Applications that use a key look there too, and stop at anything but a 404: let the proxy pass ' +
        '/.well-known/oauth-* and /.well-known/openid-configuration on to the server.')
    }
  }
  return passed(`nothing there changes how keys are used at ${path}`)
}
