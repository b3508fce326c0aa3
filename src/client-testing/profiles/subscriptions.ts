/** Profiles: what comes on the stream of `subscriptions/listen` (2026-07-28). */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf, isRequest, paramsOf, type ClientRequest } from '../proxy/client-request.js'
import { encodeMessages, errorReply, streamReply, type Reply } from '../proxy/reply.js'
import { fail, injectedIn, judgeCoping, notExercised } from './judges.js'
import type { Profile, ProfileContext } from './profile.js'

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
const PAGE = 'basic/patterns/subscriptions'
const MAX_LISTENS = 30
const OPEN_MS = 30_000

interface Listening extends Pick<Profile, 'id' | 'kind' | 'level' | 'happens' | 'expects'> {
  modern: string
  answer(call: ClientRequest, context: ProfileContext): Reply
}

const message = (id: unknown, method: string, params: JsonObject = {}) =>
  ({ jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION]: id } } })

const acknowledged = (id: unknown, notifications: unknown) =>
  message(id, 'notifications/subscriptions/acknowledged', { notifications })

/** A stream of these messages; one that is not `cut` stays open for a while. */
const stream = (
  messages: readonly object[], { signal }: ClientRequest, pause: ProfileContext['pause'] | undefined, cut = false
): Reply => streamReply(encodeMessages((async function * () {
  yield * messages
  await pause?.(OPEN_MS, signal)
})()), { cut })

const listening = ({ answer, ...row }: Listening): Profile => ({
  ...row,
  family: 'subscriptions',
  eras: ['modern'],
  judgedBy: `the client goes on, its process ends with 0, and it listens at most ${MAX_LISTENS} times`,
  create: (context) => ({
    answer (call, interception) {
      if (!isRequest(call, 'subscriptions/listen')) return undefined
      interception.inject(row.happens)
      return answer(call, context)
    },
    judge (evidence) {
      const listens = injectedIn(evidence)
      const last = listens[MAX_LISTENS]
      if (last) return fail('breaks the rule', `It listened ${listens.length} times.`, last.number)
      return listens.length === 0 ? notExercised('The client does not listen.') : judgeCoping(evidence)
    }
  })
})

const asked = (call: ClientRequest): unknown => paramsOf(call)['notifications']

export const subscriptions: readonly Profile[] = [
  listening({
    id: 'listen-refused',
    kind: 'legal',
    level: 'SHOULD',
    modern: `${PAGE}#acknowledgment`,
    happens: 'subscriptions/listen is answered by the error -32601',
    expects: 'work without notifications',
    answer: (call) => errorReply(idOf(call), { code: -32601, message: 'Method not found' }, 404)
  }),
  listening({
    id: 'listen-narrower',
    kind: 'legal',
    level: 'SHOULD',
    modern: `${PAGE}#acknowledgment`,
    happens: 'the acknowledgment names none of the notifications that were asked for',
    expects: 'look at it, and go on without them',
    answer: (call, { pause }) => stream([acknowledged(idOf(call), {})], call, pause)
  }),
  listening({
    id: 'listen-ends',
    kind: 'legal',
    level: 'SHOULD',
    modern: `${PAGE}#graceful-closure`,
    happens: 'the server ends each subscription with a result, just after it was acknowledged',
    expects: 'go on, and not listen again without a pause',
    answer: (call) => {
      const id = idOf(call)
      const result = { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } }
      return stream([acknowledged(id, asked(call)), { jsonrpc: '2.0', id, result }], call, undefined)
    }
  }),
  listening({
    id: 'listen-cut',
    kind: 'legal',
    level: 'SHOULD',
    modern: `${PAGE}#graceful-closure`,
    happens: 'the connection of each subscription is cut, just after it was acknowledged',
    expects: 'go on; when it listens again, with a pause',
    answer: (call) => stream([acknowledged(idOf(call), asked(call))], call, undefined, true)
  }),
  listening({
    id: 'listen-foreign',
    kind: 'illegal',
    level: 'SHOULD',
    modern: `${PAGE}#receiving-notifications`,
    happens: 'notifications on the stream have the id of another subscription',
    expects: 'ignore them, and go on',
    answer: (call, { pause, marker }) => stream([
      acknowledged(idOf(call), asked(call)),
      message(marker, 'notifications/tools/list_changed'),
      message(marker, 'notifications/resources/updated', { uri: `service://${marker}` })
    ], call, pause)
  }),
  listening({
    id: 'listen-unacknowledged',
    kind: 'illegal',
    level: 'SHOULD',
    modern: `${PAGE}#acknowledgment`,
    happens: 'a notification comes before the acknowledgment',
    expects: 'stay alive: report an error, or go on',
    answer: (call, { pause }) => {
      const id = idOf(call)
      return stream([message(id, 'notifications/tools/list_changed'), acknowledged(id, asked(call))], call, pause)
    }
  })
]
