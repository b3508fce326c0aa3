/** Profiles: what comes on the stream of `subscriptions/listen` (2026-07-28). */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf, isRequest, paramsOf, type ClientRequest } from '../proxy/exchange.js'
import { encodeMessages, errorReply, streamReply, type Reply } from '../proxy/reply.js'
import { breaks, injectedIn, judgeCoping, notExercised } from './judges.js'
import type { ProfileRow, ProfileContext } from './profile.js'
import { answerEach } from './targets.js'

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
const MAX_LISTENS = 30
const OPEN_MS = 30_000

const message = (id: unknown, method: string, params: JsonObject = {}): object =>
  ({ jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION]: id } } })

/** The acknowledgment of all that was asked for, or of something else. */
const acknowledged = (call: ClientRequest, notifications: unknown = paramsOf(call)['notifications']): object =>
  message(idOf(call), 'notifications/subscriptions/acknowledged', { notifications })

const TOOLS_CHANGED = 'notifications/tools/list_changed'

/** A stream of these messages that stays open for a while, ends at once, or is cut. */
const stream = (
  messages: readonly object[], { signal }: ClientRequest, end: ProfileContext['pause'] | 'at once' | 'cut'
): Reply => streamReply(encodeMessages((async function * () {
  yield * messages
  if (typeof end === 'function') await end(OPEN_MS, signal)
})()), { cut: end === 'cut' })

type Answer = (call: ClientRequest, context: ProfileContext) => Reply

const listening = (
  id: string, kind: ProfileRow['kind'], anchor: string, happens: string, expects: string, answer: Answer
): ProfileRow => ({
  id,
  kind,
  level: 'SHOULD',
  modern: `basic/patterns/subscriptions#${anchor}`,
  happens,
  expects,
  judgedBy: `the client continues, its process ends with 0, and it listens at most ${MAX_LISTENS} times`,
  create: (context) => answerEach(happens, (call) => isRequest(call, 'subscriptions/listen'),
    (call) => answer(call, context)),
  judge (evidence) {
    const listens = injectedIn(evidence)
    const last = listens[MAX_LISTENS]
    if (last) return breaks(`It listened ${listens.length} times.`, last)
    return listens.length === 0 ? notExercised('The client does not listen.') : judgeCoping(evidence)
  }
})

export const subscriptions: readonly ProfileRow[] = [
  listening('listen-refused', 'legal', 'acknowledgment', 'subscriptions/listen is answered by the error -32601',
    'work without notifications',
    (call) => errorReply(call, { code: -32601, message: 'Method not found' }, 404)),
  listening('listen-narrower', 'legal', 'acknowledgment',
    'the acknowledgment names none of the notifications that were asked for', 'look at it, and go on without them',
    (call, { pause }) => stream([acknowledged(call, {})], call, pause)),
  listening('listen-ends', 'legal', 'graceful-closure',
    'the server ends each subscription with a result, just after it was acknowledged',
    'go on, and not listen again without a pause',
    (call) => stream([acknowledged(call), {
      jsonrpc: '2.0', id: idOf(call), result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: idOf(call) } }
    }], call, 'at once')),
  listening('listen-cut', 'legal', 'graceful-closure',
    'the connection of each subscription is cut, just after it was acknowledged',
    'go on; when it listens again, with a pause', (call) => stream([acknowledged(call)], call, 'cut')),
  listening('listen-foreign', 'illegal', 'receiving-notifications',
    'notifications on the stream have the id of another subscription', 'ignore them, and go on',
    (call, { pause, marker }) => stream([
      acknowledged(call), message(marker, TOOLS_CHANGED),
      message(marker, 'notifications/resources/updated', { uri: `service://${marker}` })
    ], call, pause)),
  listening('listen-unacknowledged', 'illegal', 'acknowledgment', 'a notification comes before the acknowledgment',
    'stay alive: report an error, or go on',
    (call, { pause }) => stream([message(idOf(call), TOOLS_CHANGED), acknowledged(call)], call, pause))
]
