/** The checks of `doctor` that ask the server about itself: `platform` by its /readyz, `search index` by its socket. */
import { failed, passed, skipped, warning, type CheckResult } from '../../agent-setup/doctor/finding.js'
import { fetchText } from '../../agent-setup/credentials/http-client.js'
import { requireRefusal } from '../../lib/errors.js'
import { asObject, parseObject } from '../../lib/json/json-object.js'
import type { IndexState } from '../../search/indexer.js'
import { indexStands } from '../data/reindex.js'
import { withRunningServer } from '../management-client.js'
import { REPORT_TIMEOUT_MS } from '../serve/health.js'

export const checkPlatform = async (endpoint: URL): Promise<CheckResult> => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/mcp$/, '')}/readyz`
  const { text = '' } = await fetchText(url, {}, REPORT_TIMEOUT_MS)
  switch (asObject(parseObject(text)?.['checks'])['platform']) {
    case 'ok': return passed('ok')
    case 'away': return failed(
      'away', 'See the log of the server for why, and check its PLATFORM_URL and PLATFORM_TOKEN.'
    )
    case 'not used': return skipped('the server has a database of its own')
    default: return skipped('the server does not report it at this address')
  }
}

export const checkSearchIndex = async (socket: string): Promise<CheckResult> => {
  try {
    const asked = await withRunningServer(socket, (api) => api.call('GET /search-index'))
    return asked
      ? findingOf(asked.outcome)
      : skipped('the server does not run on a data folder of this machine, or is stopping')
  } catch (error) {
    return failed(requireRefusal(error).message, 'See the log of the server.')
  }
}

const findingOf = (state: IndexState): CheckResult => {
  const detail = indexStands(state)
  return state.state === 'waiting' || state.questions !== undefined
    ? warning(
      detail,
      'Check the embedder that the configuration names (EMBEDDER and its settings); the server continues by ' +
      'itself when it is back.'
    )
    : passed(detail)
}
