/** Profiles: streams that end before the response, and what a client has to do then. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf, type Exchange } from '../proxy/exchange.js'
import { encodeEvent, jsonReply, responseOf, streamReply, textReply, type Reply } from '../proxy/reply.js'
import { breaks, copes, fromFirst, isSameRequest, judgeCoping, judgeCopingOrFailing, judgeProcess } from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerEach, answerOnce, isWork, once } from './targets.js'

const RETRY_MS = 1500
const EVENT_ID = 'event-1'
const SENDING = 'basic/transports#sending-messages-to-the-server'

const isGet = ({ method }: Pick<Exchange, 'method'>): boolean => method === 'GET'

/**
 * The stream of one request ends after its first event, which has a retry field unless that is 0; the response waits
 * for a GET with Last-Event-ID.
 */
const resumable = (retryMs: number, rest: Pick<ProfileRow, 'id' | 'happens' | 'expects' | 'judgedBy'>): ProfileRow => ({
  ...rest,
  kind: 'legal',
  level: retryMs === 0 ? 'SHOULD' : 'MUST',
  legacy: retryMs === 0 ? 'basic/transports#resumability-and-redelivery' : SENDING,
  create ({ pause }) {
    const first = once()
    let waiting: Promise<JsonObject | undefined> | undefined
    return {
      async answer (call, turn) {
        if (isGet(call) && call.headers['last-event-id'] === EVENT_ID && waiting) {
          const response = await waiting
          return streamReply([encodeEvent({ id: 'event-2', data: JSON.stringify(response) })])
        }
        if (!isWork(call) || call.era === 'modern' || !first()) return undefined
        turn.inject(rest.happens)
        // The work continues when the client's connection is gone.
        waiting = turn.forward({ signal: new AbortController().signal }).then((reply) => responseOf(reply, idOf(call)))
        waiting.catch(() => {})
        const begun = async function * () {
          yield encodeEvent({ id: EVENT_ID, ...(retryMs > 0 && { retry: retryMs }), data: '' })
          await pause(50)
        }
        return streamReply(begun(), { cut: retryMs === 0 })
      }
    }
  },
  judge: fromFirst('The client sent no request after a handshake.', (first, later, evidence) => {
    const gets = later.filter((exchange) => isGet(exchange) && exchange.headers['last-event-id'] !== undefined)
    const resumed = gets.find(({ headers }) => headers['last-event-id'] === EVENT_ID)
    if (resumed) {
      const waitMs = first.end === undefined ? Infinity : resumed.at - first.end
      return waitMs < retryMs - 100
        ? breaks(`It came back after ${Math.round(waitMs)} ms; the retry field says ${retryMs}.`, resumed)
        : judgeProcess(evidence, resumed) ?? copes('It came back with Last-Event-ID.', resumed)
    }
    if (gets[0]) return breaks(`Its Last-Event-ID is not ${EVENT_ID}, which the stream gave.`, gets[0])
    const again = later.find((exchange) => isSameRequest(exchange, first))
    return judgeProcess(evidence, first) ?? (again
      ? breaks('It sent the request again instead of a GET with Last-Event-ID.', again)
      : breaks('It did not come back for the response.', first))
  })
})

const MAX_GETS = 30

const getStream = (id: string, happens: string, expects: string, answer: () => Reply): ProfileRow => ({
  id,
  kind: 'legal',
  level: 'MUST',
  legacy: 'basic/transports#listening-for-messages-from-the-server',
  happens,
  expects,
  judgedBy: `the client continues, its process ends with 0, and it sends at most ${MAX_GETS} GET requests`,
  create: () => answerEach(happens, isGet, answer),
  judge (evidence) {
    const gets = evidence.exchanges.filter(isGet)
    const last = gets[MAX_GETS]
    return last ? breaks(`It sent ${gets.length} GET requests.`, last) : judgeCoping(evidence)
  }
})

export const cutStreams: readonly ProfileRow[] = [
  resumable(0, {
    id: 'stream-cut-resumable',
    happens: 'the connection is cut before the response, after an event with an id',
    expects: 'ask for the rest by GET with Last-Event-ID',
    judgedBy: 'a GET with this Last-Event-ID comes, and the process ends with 0'
  }),
  resumable(RETRY_MS, {
    id: 'stream-closed-with-retry',
    happens: 'the server closes the stream before the response, after an event with an id and a retry field',
    expects: 'wait as long as retry says, then ask for the rest by GET with Last-Event-ID',
    judgedBy: 'a GET with this Last-Event-ID comes, not before its time, and the process ends with 0'
  }),
  {
    id: 'stream-cut',
    kind: 'legal',
    level: 'SHOULD',
    legacy: SENDING,
    modern: 'basic/transports/streamable-http#receiving-messages',
    happens: 'the connection is cut before the response, and no event has an id',
    expects: 'send the request again, or report an error',
    judgedBy: 'the same request comes again or the process ends with an error; no one waits for ever',
    create: () => answerOnce('the connection is cut before the response',
      () => streamReply([': working\n\n'], { cut: true })),
    judge: judgeCopingOrFailing
  },
  getStream('get-refused', 'a GET is answered by 405', 'work without the stream',
    () => textReply(405, 'text/plain', 'There is no stream here.', { allow: 'POST, DELETE' })),
  getStream('get-ends-at-once', 'the stream of a GET ends at once, each time', 'go on, and do not ask without a pause',
    () => streamReply([': bye\n\n'])),
  getStream('get-fails', 'a GET is answered by 500', 'work without the stream',
    () => jsonReply({ error: 'out of order' }, 500))
]
