/** Runs the checks of the address where people sign in, in the order in which an application gets there. */
import { skipped, type CheckResult, type NamedCheck } from '../finding.js'
import { TIMEOUTS, type Timeouts } from '../probe.js'
import { checkChallenge } from './check-challenge.js'
import { checkEndpoints } from './check-endpoints.js'
import { checkHosts } from './check-hosts.js'
import { checkMetadata } from './check-metadata.js'
import { checkResource } from './check-resource.js'
import { checkRoot } from './check-root.js'
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
