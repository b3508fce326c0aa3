/** The check `platform` of `doctor`: whether a gateway reaches its platform, as its /readyz reports it. */
import { request } from 'undici'
import { failed, passed, skipped, type CheckResult } from '../../agent-setup/doctor/finding.js'
import { boundedResponse } from '../../lib/http/bounded-response.js'
import { isObject, parseObject } from '../../lib/json/json-object.js'

const LIMITS = { timeoutMs: 5000, maxBytes: 65_536 }

/** Reads the state of the platform from the server's readiness report. */
export const checkPlatform = async (endpoint: URL): Promise<CheckResult> => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/mcp$/, '')}/readyz`
  const readiness = await readinessAt(url).catch(() => undefined)
  switch (isObject(readiness?.['checks']) ? readiness['checks']['platform'] : undefined) {
    case 'ok': return passed('ok')
    case 'away': return failed(
      'away', 'See the log of the server for why, and check its PLATFORM_URL and PLATFORM_TOKEN.'
    )
    case 'not used': return skipped('the server has a database of its own')
    default: return skipped('the server does not report it at this address')
  }
}

const readinessAt = async (url: URL): Promise<Record<string, unknown> | undefined> => {
  const { text = '' } = await boundedResponse((signal) => request(url, { reset: true, signal }), LIMITS)
  return parseObject(text)
}
