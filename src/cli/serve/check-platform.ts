/** The check `platform` of `doctor`: whether a gateway reaches its platform, as its /readyz reports it. */
import { failed, passed, skipped, type CheckResult } from '../../agent-setup/doctor/finding.js'
import { asObject, parseObject } from '../../lib/json/json-object.js'
import { getReport } from './health.js'

/** Reads the state of the platform from the server's readiness report. */
export const checkPlatform = async (endpoint: URL): Promise<CheckResult> => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/mcp$/, '')}/readyz`
  const { text = '' } = await getReport(url.href).catch(() => ({ text: undefined }))
  switch (asObject(parseObject(text)?.['checks'])['platform']) {
    case 'ok': return passed('ok')
    case 'away': return failed(
      'away', 'See the log of the server for why, and check its PLATFORM_URL and PLATFORM_TOKEN.'
    )
    case 'not used': return skipped('the server has a database of its own')
    default: return skipped('the server does not report it at this address')
  }
}
