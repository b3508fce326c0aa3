/** Whether a front reaches its platform, for `doctor`: as the server says it beside its endpoint, to whoever can ask there. */
import { request } from 'undici'
import { failed, passed, skipped, type Finding } from '../coding-agents/doctor/finding.js'
import { textWithin } from '../lib/read-limited.js'
import { isObject, parseObject } from '../mcp/jsonrpc/parse.js'

const PATIENCE_MS = 5000
const MOST_BYTES = 65_536

export const checkPlatform = async (endpoint: URL): Promise<Finding> => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/mcp$/, '')}/readyz`
  const said = await saidAt(url).catch(() => undefined)
  switch (isObject(said?.['checks']) ? said['checks']['platform'] : undefined) {
    case 'ok': return passed('ok')
    case 'away': return failed('away', 'See the log of the server for why, and check its PLATFORM_URL and PLATFORM_TOKEN.')
    case 'not used': return skipped('the server has a database of its own')
    default: return skipped('the server does not say it here')
  }
}

const saidAt = async (url: URL): Promise<Record<string, unknown> | undefined> => {
  const { body } = await request(url, { reset: true, signal: AbortSignal.timeout(PATIENCE_MS) })
  return parseObject(await textWithin(body, MOST_BYTES) ?? '')
}
