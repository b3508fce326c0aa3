/** Runs the checks of the address where people sign in, in the order in which an application gets there. */
import { skipped, type CheckResult, type NamedCheck, failed, passed } from '../finding.js'
import { TIMEOUTS, type Timeouts } from '../probe.js'
import { checkHosts } from './check-hosts.js'
import { checkMetadata, checkResource } from './check-resource.js'
import { checkChallenge, checkEndpoints } from './check-sign-in.js'
import { createOAuthProbe, type OAuthProbe, type OAuthTarget } from './oauth-probe.js'

type OAuthCheck = readonly [name: string, check: (probe: OAuthProbe) => Promise<CheckResult>]

/** Yields each check as it finishes. No credential of anybody is sent, and nothing is registered. */
export async function * runOAuthChecks (
  target: OAuthTarget, timeouts: Timeouts = TIMEOUTS
): AsyncGenerator<NamedCheck> {
  const { url, keys } = target
  const probe = createOAuthProbe(target, timeouts)
  const first = await checkChallenge(probe)
  yield { name: 'oauth endpoint', ...first }
  const ownHost = url.origin !== keys.origin || url.href === keys.href
  const checks: readonly OAuthCheck[] = [
    ['oauth resource', checkResource],
    ['oauth metadata', checkMetadata],
    ['oauth hosts', checkHosts],
    ['oauth sign-in', (each) => checkEndpoints(each, timeouts.answerMs)]
  ]
  for (const [name, check] of checks) {
    yield { name, ...first.status === 'skipped' ? skipped('needs oauth endpoint') : await check(probe) }
  }
  // Where OAuth has a host name of its own, its root is where its documents are.
  yield { name: 'oauth root', ...ownHost ? skipped('OAuth has a host of its own') : await checkRoot(probe) }
}

const NAMES = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'] as const

const checkRoot = async (probe: OAuthProbe): Promise<CheckResult> => {
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
