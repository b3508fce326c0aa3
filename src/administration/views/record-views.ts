/** Makes answers with texts of records in a thread: hostile markdown takes seconds, and no other request waits. */
import { onDisconnect } from '../../lib/http/end-after-request.js'
import { workerThread } from '../../lib/async/worker-thread.js'
import { createConcurrentCalls } from '../../engine/http/concurrent-calls.js'
import { JsonText, type OperationCall } from '../handler.js'
import type { Operation } from '../operation.js'
import type { RecordViews, ViewRequest } from './record-view-worker.js'

const IDLE_MS = 30_000
const CALL_TIMEOUT_MS = 60_000
/** Of one person: more than the requests that a person may have under way. */
const MAX_WAITING = 1000

/** Makes one view for the person who asks. At most one of each person is under way. */
export type MakeRecordView = <Request extends ViewRequest>(
  caller: Pick<OperationCall<Operation>, 'person' | 'reply'>, request: Request
) => Promise<JsonText<ReturnType<RecordViews[Request['name']]>>>

/** Returns the function; the thread starts at its first call. */
export const createRecordViews = (): MakeRecordView => {
  const views = workerThread<ViewRequest, string>(
    new URL('record-view-worker.js', import.meta.url), { idleMs: IDLE_MS, callTimeoutMs: CALL_TIMEOUT_MS }
  )
  const turns = createConcurrentCalls({
    maxRunning: 1, maxWaiting: MAX_WAITING, refusalStart: 'You have a page under way'
  })
  return async ({ person, reply }, request) => {
    const turn = await turns.enter(person.user.id, { onDisconnect: (listener) => onDisconnect(reply.raw, listener) })
    try {
      return new JsonText(await views.call(request))
    } finally {
      turn.leave()
    }
  }
}
