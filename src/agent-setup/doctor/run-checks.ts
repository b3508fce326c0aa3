/** Runs the checks of one server, in the order in which they depend on each other. */
import { checkPath, checkRedirect } from './check-address.js'
import { checkDns, checkTcp, checkTls } from './check-connection.js'
import {
  checkAccept, checkAuthentication, checkClock, checkLegacy, checkLimits, checkModern, checkVersion, checkWorkspaces
} from './check-protocol.js'
import { checkSession, checkStream } from './check-stream.js'
import { skipped, type NamedCheck, type CheckResult } from './finding.js'
import type { Endpoint } from './mcp-client.js'
import { createProbe, type Timeouts, type Probe } from './probe.js'

/** `way`: a step of the connection, which all later checks need. `insider`: needs an accepted credential. */
type Requirement = 'way' | 'anyone' | 'insider'

type CheckDefinition = readonly [name: string, part: Requirement, check: (probe: Probe) => Promise<CheckResult>]

const CHECKS: readonly CheckDefinition[] = [
  ['dns', 'way', ({ url }) => checkDns(url)],
  ['tcp', 'way', ({ url, timeouts }) => checkTcp(url, timeouts.connectMs)],
  ['tls', 'way', ({ url, timeouts, allowHttp }) => checkTls(url, { timeoutMs: timeouts.connectMs, allowHttp })],
  ['redirect', 'way', checkRedirect],
  ['path', 'way', checkPath],
  ['accept', 'insider', checkAccept],
  ['modern era', 'insider', checkModern],
  ['legacy era', 'insider', checkLegacy],
  ['authentication', 'anyone', checkAuthentication],
  ['workspaces', 'insider', checkWorkspaces],
  ['limits', 'insider', checkLimits],
  ['clock', 'anyone', checkClock],
  ['stream', 'insider', checkStream],
  ['session', 'insider', checkSession],
  ['version', 'insider', checkVersion]
]

/** Yields each check as it finishes. A check whose requirement failed is skipped. */
export async function * runChecks (
  endpoint: Endpoint, { timeouts, allowHttp }: { timeouts?: Timeouts, allowHttp?: boolean } = {}
): AsyncGenerator<NamedCheck> {
  const probe = createProbe(endpoint, timeouts, allowHttp)
  let cut: string | undefined
  let outside: string | undefined
  try {
    for (const [name, part, check] of CHECKS) {
      if (cut === undefined && part === 'insider') outside ??= await refused(probe)
      const lacking = cut ?? (part === 'insider' && outside !== name ? outside : undefined)
      const result = lacking === undefined ? await check(probe) : skipped(`needs ${lacking}`)
      if (result.status === 'failed') {
        if (part === 'way') cut = name
        if (check === checkAccept) outside = name
      }
      yield { name, ...result }
    }
  } finally {
    await probe.end()
  }
}

/** The name of the check that says why the server does not accept the caller. */
const refused = async (probe: Probe): Promise<string | undefined> => {
  const answer = probe.token === undefined ? undefined : await probe.discover()
  if (!answer || ('status' in answer && answer.status === 401)) return 'authentication'
  return 'status' in answer && answer.status === 429 ? 'limits' : undefined
}
