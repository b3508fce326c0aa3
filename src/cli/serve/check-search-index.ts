/** The check `search index` of `doctor`: asks the server whose data folder is on this machine. */
import { failed, passed, skipped, warning, type CheckResult } from '../../agent-setup/doctor/finding.js'
import { Refusal } from '../../lib/errors.js'
import type { IndexState } from '../../search/indexer.js'
import { ManagementClient, ServerNotRunning } from '../management-client.js'
import { indexStands } from '../data/reindex.js'

/** Asks the server behind the management socket for the state of its search index. */
export const checkSearchIndex = async (socket: string): Promise<CheckResult> => {
  const running = await ManagementClient.connect(socket)
  if (!running) return skipped('the server does not run on a data folder of this machine')
  try {
    return findingOf(await running.call('GET /search-index'))
  } catch (error) {
    if (error instanceof ServerNotRunning) return skipped('the server is stopping')
    if (error instanceof Refusal) return failed(error.message, 'See the log of the server.')
    throw error
  } finally {
    await running.close()
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
