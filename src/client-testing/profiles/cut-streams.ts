/** Profiles: streams that end before the response, and what a client has to do then. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf } from '../proxy/client-request.js'
import { encodeEvent, jsonReply, oneChunk, responseOf, streamReply, textReply } from '../proxy/reply.js'
import type { Exchange } from '../proxy/exchange.js'
import {
  afterInjection,
  fail,
  injectedIn,
  isSameRequest,
  judgeCoping,
  judgeProcess,
  notExercised,
  pass
} from './judges.js'
import type { Evidence, Judgement, Misbehaviour, Profile, ProfileContext } from './profile.js'
import { answerOnce, isWork, once } from './targets.js'

const RETRY_MS = 1500
const EVENT_ID = 'event-1'

/** The stream of one request ends after its first event; the response waits for a GET with Last-Event-ID. */
const resumable =
  (cut: boolean) =>
    ({ pause }: ProfileContext): Misbehaviour => {
      const first = once()
      let waiting: Promise<JsonObject | undefined> | undefined
      return {
        async answer (call, turn) {
          if (call.method === 'GET' && call.headers['last-event-id'] === EVENT_ID && waiting) {
            const response = await waiting
            return streamReply(oneChunk(encodeEvent({ id: 'event-2', data: JSON.stringify(response) })))
          }
          const id = idOf(call)
          if (id === undefined || !isWork(call) || call.era === 'modern' || !first()) return undefined
          turn.inject(
            cut
              ? 'the connection is cut after an event with an id'
              : 'the stream ends after an event with an id and a retry field'
          )
          // The work goes on when the client's connection is gone.
          waiting = turn.forward({ signal: new AbortController().signal }).then((reply) => responseOf(reply, id))
          waiting.catch(() => {})
          return streamReply(
            (async function * () {
              yield encodeEvent({ id: EVENT_ID, ...(!cut && { retry: RETRY_MS }), data: '' })
              await pause(50)
            })(),
            { cut }
          )
        },
        judge: (evidence) => judgeResumption(evidence, cut ? 0 : RETRY_MS)
      }
    }

const judgeResumption = (evidence: Evidence, retryMs: number): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request after a handshake.')
  const later = afterInjection(evidence)
  const resumed = later.find(({ method, headers }) => method === 'GET' && headers['last-event-id'] === EVENT_ID)
  if (!resumed) {
    const wrong = later.find(({ method, headers }) => method === 'GET' && headers['last-event-id'] !== undefined)
    if (wrong) {
      return fail('breaks the rule', `Its Last-Event-ID is not ${EVENT_ID}, which the stream gave.`, wrong.number)
    }
    const ofProcess = judgeProcess(evidence, first.number)
    if (ofProcess) return ofProcess
    const again = later.find((exchange) => isSameRequest(exchange, first))
    return again
      ? fail('breaks the rule', 'It sent the request again instead of a GET with Last-Event-ID.', again.number)
      : fail('breaks the rule', 'It did not come back for the response.', first.number)
  }
  const waitMs = first.end === undefined ? Infinity : resumed.at - first.end
  if (waitMs < retryMs - 100) {
    return fail(
      'breaks the rule',
      `It came back after ${Math.round(waitMs)} ms; the retry field says ${retryMs}.`,
      resumed.number
    )
  }
  return judgeProcess(evidence, resumed.number) ?? pass('copes', 'It came back with Last-Event-ID.', resumed.number)
}

const notResumable: Profile = {
  id: 'stream-cut',
  family: 'cut streams',
  kind: 'legal',
  eras: ['legacy', 'modern'],
  level: 'SHOULD',
  legacy: 'basic/transports#sending-messages-to-the-server',
  modern: 'basic/transports/streamable-http#receiving-messages',
  happens: 'the connection is cut before the response, and no event has an id',
  expects: 'send the request again, or report an error',
  judgedBy: 'the same request comes again or the process ends with an error; no one waits for ever',
  create: () => answerOnce(
    'the connection is cut before the response',
    () => streamReply(oneChunk(': working\n\n'), { cut: true }),
    (evidence) => judgeCoping(evidence, { mayFail: true })
  )
}

const isStreamRequest = ({ method }: Exchange): boolean => method === 'GET'
const MAX_GETS = 30

const getStreamProfile = (
  id: string,
  happens: string,
  expects: string,
  answer: NonNullable<Misbehaviour['answer']>
): Profile => ({
  id,
  family: 'cut streams',
  kind: 'legal',
  eras: ['legacy'],
  level: 'MUST',
  legacy: 'basic/transports#listening-for-messages-from-the-server',
  happens,
  expects,
  judgedBy: `the client continues, its process ends with 0, and it sends at most ${MAX_GETS} GET requests`,
  create: () => ({
    answer,
    judge (evidence) {
      const gets = evidence.exchanges.filter(isStreamRequest)
      const last = gets[MAX_GETS]
      if (last) return fail('breaks the rule', `It sent ${gets.length} GET requests.`, last.number)
      return judgeCoping(evidence)
    }
  })
})

const resuming = {
  family: 'cut streams',
  kind: 'legal',
  eras: ['legacy'],
  level: 'SHOULD',
  legacy: 'basic/transports#resumability-and-redelivery'
} as const

export const cutStreams: readonly Profile[] = [
  {
    ...resuming,
    id: 'stream-cut-resumable',
    happens: 'the connection is cut before the response, after an event with an id',
    expects: 'ask for the rest by GET with Last-Event-ID',
    judgedBy: 'a GET with this Last-Event-ID comes, and the process ends with 0',
    create: resumable(true)
  },
  {
    ...resuming,
    id: 'stream-closed-with-retry',
    level: 'MUST',
    legacy: 'basic/transports#sending-messages-to-the-server',
    happens: 'the server closes the stream before the response, after an event with an id and a retry field',
    expects: 'wait as long as retry says, then ask for the rest by GET with Last-Event-ID',
    judgedBy: 'a GET with this Last-Event-ID comes, not before its time, and the process ends with 0',
    create: resumable(false)
  },
  notResumable,
  getStreamProfile('get-refused', 'a GET is answered by 405', 'work without the stream', (call, turn) => {
    if (call.method !== 'GET') return undefined
    turn.inject('GET answered by 405')
    return textReply(405, 'text/plain', 'There is no stream here.', { allow: 'POST, DELETE' })
  }),
  getStreamProfile(
    'get-ends-at-once',
    'the stream of a GET ends at once, each time',
    'go on, and do not ask without a pause',
    (call, turn) => {
      if (call.method !== 'GET') return undefined
      turn.inject('the stream of a GET ends at once')
      return streamReply(oneChunk(': bye\n\n'))
    }
  ),
  getStreamProfile('get-fails', 'a GET is answered by 500', 'work without the stream', (call, turn) => {
    if (call.method !== 'GET') return undefined
    turn.inject('GET answered by 500')
    return jsonReply({ error: 'out of order' }, 500)
  })
]
