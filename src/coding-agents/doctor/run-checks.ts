/** The checks of one server, in the order in which one thing needs another. */
import { checkPath, checkRedirect } from './check-address.js'
import { checkDns, checkTcp, checkTls } from './check-connection.js'
import {
  checkAccept, checkAuthentication, checkClock, checkLegacy, checkLimits, checkModern, checkVersion, checkWorkspaces
} from './check-protocol.js'
import { checkSession, checkStream } from './check-stream.js'
import { skipped, type Check, type Finding } from './finding.js'
import type { Endpoint } from './mcp-client.js'
import { PATIENCE, visit, type Patience, type Visit } from './probe.js'

/** What a check needs: nothing that is not there once all of the way is; or to be let in, with headers that arrive. */
type Part = 'way' | 'anyone' | 'insider'

const CHECKS: ReadonlyArray<readonly [name: string, part: Part, check: (visit: Visit) => Promise<Finding>]> = [
  ['dns', 'way', ({ url }) => checkDns(url)],
  ['tcp', 'way', ({ url, patience }) => checkTcp(url, patience.connectMs)],
  ['tls', 'way', ({ url, patience, allowHttp }) => checkTls(url, { timeoutMs: patience.connectMs, allowHttp })],
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

export interface ExamineOptions {
  patience?: Patience
  /** Whether the credential may be sent in clear to another machine. */
  allowHttp?: boolean
}

/** Each as it is found. */
export async function * examine (
  endpoint: Endpoint, { patience = PATIENCE, allowHttp = false }: ExamineOptions = {}
): AsyncGenerator<Check> {
  const visiting = visit(endpoint, patience, allowHttp)
  let cut: string | undefined
  let outside: string | undefined
  try {
    for (const [name, part, check] of CHECKS) {
      if (cut === undefined && part === 'insider') outside ??= await refused(visiting)
      const lacking = cut ?? (part === 'insider' && outside !== name ? outside : undefined)
      const finding = lacking === undefined ? await check(visiting) : skipped(`needs ${lacking}`)
      if (finding.status === 'failed') {
        if (part === 'way') cut = name
        if (check === checkAccept) outside = name
      }
      yield { name, ...finding }
    }
  } finally {
    await visiting.end()
  }
}

/** The check that says why the server does not let us in. */
const refused = async (visiting: Visit): Promise<string | undefined> => {
  const answer = visiting.token === undefined ? undefined : await visiting.discover()
  if (!answer || ('status' in answer && answer.status === 401)) return 'authentication'
  return 'status' in answer && answer.status === 429 ? 'limits' : undefined
}
