/** `conformance`: runs the official test suite against a server, through a proxy that adds the credential. */
import { requireSecureTransport } from '../coding-agents/credentials/transport.js'
import { bearerProxy } from './conformance/bearer-proxy.js'
import { runSuite, SUITE_REVISIONS, type Scenario } from './conformance/official-suite.js'
import { tableOf, totalsOf } from './conformance/report.js'
import { Refusal } from '../lib/errors.js'
import { readToken, tokenInEnvironment } from './read-token.js'
import { stripControlChars, print } from './print.js'
import type { CommandHandler } from './command-handler.js'
import { endpointAt } from './local-server-url.js'

interface ConformanceOptions { url: string, tokenFile?: string, allowHttp?: true }

/**
 * Runs both revisions of the suite and prints their results.
 * @throws {Refusal} when the server refuses the credential, or when a check fails or warns
 */
export const conformance: CommandHandler<ConformanceOptions> = async ({ url, tokenFile, allowHttp, json }, context) => {
  const endpoint = endpointAt(url)
  requireSecureTransport(endpoint, allowHttp)
  const { env, stdin } = context
  const bearer = tokenFile === undefined ? tokenInEnvironment(env) : await readToken(tokenFile, stdin)
  const proxy = await bearerProxy(endpoint, bearer)
  const scenarios: Scenario[] = []
  try {
    await requireCredential(proxy.url)
    for (const revision of SUITE_REVISIONS) scenarios.push(...await runSuite(proxy.url, revision, env))
  } finally {
    await proxy.close()
  }
  const totals = totalsOf(scenarios)
  print({ ...context, json }, { totals, scenarios }, tableOf(scenarios).split('\n').map(stripControlChars).join('\n'))
  const complaints = totals.reduce((sum, { failed, warnings }) => sum + failed + warnings, 0)
  const limited = proxy.limited()
  if (limited > 0) {
    throw new Refusal(`${complaints} checks of the official suite failed or warned, and ${limited} of its requests ` +
    'were refused with 429: ' +
      'run it with a credential, or against a server, of higher limits.')
  }
  if (complaints > 0) throw new Refusal(`${complaints} checks of the official suite failed or warned.`)
}

/** Checks the credential by one request before the suite sends hundreds. */
const requireCredential = async (url: string): Promise<void> => {
  const reply = await fetch(url, { method: 'POST' })
  await reply.body?.cancel()
  if (reply.status === 401) {
    throw new Refusal(
      'The server needs a valid credential: give one with --token-file or EXPLORATION_MCP_TOKEN.'
    )
  }
}
