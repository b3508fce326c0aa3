/** Checks that the URL is the one that agents need: no redirect, and an MCP endpoint at its path. */
import { failed, passed, skipped, warning, type CheckResult } from './finding.js'
import { initialize, type McpMessage, type NoResponse } from './mcp-client.js'
import { addressIn } from '../server-text.js'
import { describe, DISCOVER, type ProbeOutcome, type Probe } from './probe.js'

export const checkRedirect = async ({ url, ...probe }: Probe): Promise<CheckResult> => {
  const answer = await probe.anonymous()
  if (!('status' in answer)) return skipped('there is no answer')
  if (answer.status < 300 || answer.status > 399) return passed('none')
  const target = addressIn(answer.header('location') ?? '', url)
  return target === undefined
    ? failed(`HTTP ${answer.status} to no address`,
      `Use the address that answers without a redirect: ${REDIRECTED}.`)
    : failed(`HTTP ${answer.status} to ${target}`, `Use ${target} instead of ${url.href}: ${REDIRECTED}.`)
}

const REDIRECTED = 'agents do not follow a redirect, or lose the Authorization header on the way'

const silent = (lost: NoResponse, url: URL): CheckResult => {
  const isOtherProtocol = /^HPE_|^HTTPParserError$/.test(lost.code) ||
    (url.protocol === 'http:' && lost.code === 'UND_ERR_SOCKET')
  return failed(describe(lost), isOtherProtocol
    ? 'What listens there does not speak HTTP: if it speaks TLS use the https address, else check the port.'
    : 'Something listens there but does not answer: see the log of the server, and of the proxy before it.')
}

export const checkPath = async ({ url, ...probe }: Probe): Promise<CheckResult> => {
  const answer = await probe.anonymous()
  if (!('status' in answer)) return silent(answer, url)
  if (isEndpoint(answer)) {
    // Checked first: a credential would not help.
    if (answer.status === 403) return failed(describe(answer), UNKNOWN_NAME)
    if (answer.status !== 401 && !await knowsMcp(probe, answer.message)) {
      const version = answer.message?.jsonrpc === '2.0' ? '2.0' : '1.0'
      return failed(`it answers JSON-RPC ${version}, and knows no method of MCP`,
        'Another service that speaks JSON-RPC listens there: check the host, the port and the path.')
    }
    return answer.ms < probe.timeouts.slowMs
      ? passed(`${url.pathname} is an MCP endpoint`)
      : warning(`the answer took ${answer.ms} ms`,
        'Agents give up after 5 to 10 seconds: find out what slows down the server, or the proxy before it.')
  }
  if (answer.status >= 500) {
    return failed(describe(answer),
      'A proxy answers and the server behind it does not: start the server, ' +
      'and check where the proxy sends requests to.')
  }
  for (const candidate of likely(url)) {
    if (isEndpoint(await probe.sendAnonymously(DISCOVER, candidate))) {
      return failed(`${describe(answer)} at ${url.pathname}`, `Use ${candidate.href}: that is an MCP endpoint.`)
    }
  }
  return failed(`${describe(answer)} at ${url.pathname}`,
    'There is no MCP endpoint at this path. It is /mcp, unless a proxy puts it elsewhere.')
}

const UNKNOWN_NAME = 'The server does not know itself by this name: set PUBLIC_URL to the address that clients use, ' +
  'or HOST to one that is not loopback.'

/** Whether the answer refuses an anonymous caller, or is JSON-RPC. */
const isEndpoint = (answer: ProbeOutcome): boolean => 'status' in answer &&
  (answer.status === 401 || answer.message?.result !== undefined || answer.message?.error?.code !== undefined)

/** Whether a server of JSON-RPC is one of MCP: it says its revisions, or agrees on one in a handshake. */
const knowsMcp = async (probe: Omit<Probe, 'url'>, discovered: McpMessage | undefined): Promise<boolean> => {
  if (Array.isArray(discovered?.result?.['supportedVersions'] ?? discovered?.error?.data?.['supported'])) return true
  const agreed = await probe.sendAnonymously(initialize)
  return 'status' in agreed &&
    ([401, 403, 429].includes(agreed.status) || typeof agreed.message?.result?.['protocolVersion'] === 'string')
}

const likely = ({ href, origin, pathname }: URL): URL[] => {
  const addresses = new Set([`${origin}${pathname.replace(/\/+$/, '')}/mcp`, `${origin}/mcp`])
  return [...addresses].filter((other) => other !== href).map((other) => new URL(other))
}
