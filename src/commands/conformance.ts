/** `conformance`: the official suite against a server, through a proxy that adds the credential. */
import { readFile } from 'node:fs/promises'
import { bearerProxy } from '../conformance/bearer-proxy.js'
import { runSuite, SUITE_REVISIONS, type Scenario } from '../conformance/official-suite.js'
import { tableOf, totalsOf } from '../conformance/report.js'
import { Refusal } from '../errors.js'
import { harmless, print } from './print.js'
import type { Run } from './run.js'

interface Options { url: string, tokenFile?: string }

export const conformance: Run<Options> = async ({ url, tokenFile, json }, surroundings) => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Refusal('--url is the address of an MCP endpoint, such as http://127.0.0.1:8080/mcp.')
  }
  const bearer = tokenFile === undefined ? surroundings.env['EXPLORATION_MCP_TOKEN'] : await tokenIn(tokenFile)
  const proxy = await bearerProxy(new URL(url), bearer)
  const scenarios: Scenario[] = []
  try {
    await requireCredential(proxy.url)
    for (const revision of SUITE_REVISIONS) scenarios.push(...await runSuite(proxy.url, revision))
  } finally {
    await proxy.close()
  }
  const totals = totalsOf(scenarios)
  print({ ...surroundings, json }, { totals, scenarios }, tableOf(scenarios).split('\n').map(harmless).join('\n'))
  const complaints = totals.reduce((sum, { failed, warnings }) => sum + failed + warnings, 0)
  const limited = proxy.limited()
  if (limited > 0) {
    throw new Refusal(`${complaints} checks of the official suite failed or warned, and ${limited} of its requests were refused with 429: ` +
      'run it with a credential, or against a server, of higher limits.')
  }
  if (complaints > 0) throw new Refusal(`${complaints} checks of the official suite failed or warned.`)
}

/** One request says it before a hundred do. */
const requireCredential = async (url: string): Promise<void> => {
  const reply = await fetch(url, { method: 'POST' })
  await reply.body?.cancel()
  if (reply.status === 401) throw new Refusal('The server takes no request without a valid credential: give one with --token-file or EXPLORATION_MCP_TOKEN.')
}

const tokenIn = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch(() => { throw new Refusal(`The token file ${file} cannot be read.`) })
  return text.trim()
}
