/** Creates profiles in which the server sends requests on the stream of a reply (2025-11-25 and before). */
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { isRequest, paramsOf } from '../proxy/client-request.js'
import { messagesOf, textReply, withStream } from '../proxy/reply.js'
import { faultOfAnswer, type RequestToClient } from './client-answers.js'
import { breaks, copes, fail, fromFirst, judgeProcess, LEGAL } from './judges.js'
import type { Profile } from './profile.js'
import { changeReplies, isWork, once } from './targets.js'

const ANSWER_TIMEOUT_MS = 10_000

interface ServerRequestOptions extends Pick<Profile, 'id' | 'happens' | 'expects' | 'legacy'> {
  requests: readonly RequestToClient[]
  level?: Profile['level']
  kind?: Profile['kind']
  /** Asks only clients that declared the capability, or only those that did not. */
  mustDeclare?: boolean
  /** What an answer has to be. */
  answer?: 'result' | 'error'
  /** The server takes its requests back at once. */
  cancelled?: boolean
}

/** Creates the profile: the server sends the requests before its reply to the first call that is work. */
export const serverRequestProfile = (
  { requests, mustDeclare = true, answer = 'result', cancelled = false, ...rest }: ServerRequestOptions
): Profile => ({
  family: 'requests of the server',
  kind: 'legal',
  eras: ['legacy'],
  level: 'MUST',
  judgedBy: `each request is answered by ${answer === 'result' ? 'the result of its method' : 'an error'} within ` +
    `${ANSWER_TIMEOUT_MS / 1000} s, and the process neither hangs nor dies`,
  judge: judgeAnswers(requests, answer),
  ...(cancelled && LEGAL),
  ...rest,
  create ({ pause }) {
    const first = once()
    const waiting = new Map<string, () => void>()
    let capabilities: JsonObject = {}
    return {
      answer (call) {
        if (isRequest(call, 'initialize')) capabilities = asObject(paramsOf(call)['capabilities'])
        const resolve = call.message?.kind === 'response' ? waiting.get(String(call.message.id)) : undefined
        resolve?.()
        return resolve && textReply(202, 'text/plain', '')
      },
      ...changeReplies(rest.happens, (reply, call) => {
        const fits = requests.every(
          ({ capability }) => capability === undefined || isObject(capabilities[capability]) === mustDeclare)
        if (call.era === 'modern' || !isWork(call) || !fits || !first()) return undefined
        const messages = requests.map(({ method, params }, index) => ({
          jsonrpc: '2.0', id: requestId(index), method, params
        }))
        const answers = messages.map(({ id }) => new Promise<void>((resolve) => { waiting.set(id, resolve) }))
        return withStream(reply, (async function * (): AsyncGenerator<object> {
          yield * messages
          if (cancelled) {
            for (const { id } of messages) {
              yield { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
            }
          } else {
            const allAnswered = new AbortController()
            const timeout = pause(ANSWER_TIMEOUT_MS, AbortSignal.any([call.signal, allAnswered.signal]))
            await Promise.race([Promise.all(answers), timeout])
            allAnswered.abort()
          }
          yield * messagesOf(reply)
        })())
      })
    }
  }
})

const requestId = (index: number): string => `question-${index + 1}`

const NONE = 'The client declared other capabilities, or sent no request after its handshake.'

const judgeAnswers = (requests: readonly RequestToClient[], expected: 'result' | 'error'): Profile['judge'] =>
  fromFirst(NONE, (first, later, evidence) => {
    for (const [index, { method }] of requests.entries()) {
      const answer = later.find(
        ({ call: { message } }) => message?.kind === 'response' && message.id === requestId(index))
      const message = answer?.call.message
      if (message?.kind !== 'response') {
        return judgeProcess(evidence, first) ?? breaks('It did not answer the request of the server.', first)
      }
      if (message.error === undefined && expected === 'error') {
        return fail('accepts it', 'It answered by a result.', answer)
      }
      if (message.error !== undefined && expected === 'result') return breaks('It answered by an error.', answer)
      const fault = expected === 'result' ? faultOfAnswer(method, message.result) : undefined
      if (fault !== undefined) return breaks(fault, answer)
    }
    return judgeProcess(evidence, first) ?? copes('It answered.', first)
  })
