/** Creates profiles in which the server sends requests on the stream of a reply (2025-11-25 and before). */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { encodeMessages, headersWithoutBody, messagesOf, streamReply, textReply } from '../proxy/reply.js'
import { faultOfAnswer, type RequestToClient } from './client-answers.js'
import { COPING, afterInjection, fail, injectedIn, judgeCoping, judgeProcess, notExercised, pass } from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'
import { isWork, once } from './targets.js'

const ANSWER_TIMEOUT_MS = 10_000

interface ServerRequestOptions {
  id: string
  requests: readonly RequestToClient[]
  happens: string
  expects: string
  legacy: string
  level?: Profile['level']
  /** Asks only clients that declared the capability, or only those that did not. */
  mustDeclare: boolean
  /** What an answer has to be. */
  answer: 'result' | 'error'
  illegal?: boolean
  /** The server takes its requests back at once. */
  cancelled?: boolean
}

/** Creates the profile: the server sends the requests before its reply to the first call that is work. */
export const serverRequestProfile = ({
  id,
  requests,
  happens,
  expects,
  legacy,
  level = 'MUST',
  mustDeclare,
  answer,
  illegal = false,
  cancelled = false
}: ServerRequestOptions): Profile => ({
  id,
  family: 'requests of the server',
  kind: illegal ? 'illegal' : 'legal',
  eras: ['legacy'],
  level,
  legacy,
  happens,
  expects,
  judgedBy: cancelled
    ? COPING
    : `each request is answered by ${answer === 'result' ? 'the result of its method' : 'an error'} within ` +
      `${ANSWER_TIMEOUT_MS / 1000} s, and the process neither hangs nor dies`,
  create: ({ pause }) => {
    const first = once()
    const waiting = new Map<string, () => void>()
    let capabilities: JsonObject = {}
    return {
      answer (call) {
        const { message } = call
        if (
          message?.kind === 'request' &&
          message.method === 'initialize' &&
          isObject(message.params['capabilities'])
        ) {
          capabilities = message.params['capabilities']
        }
        if (message?.kind !== 'response') return undefined
        const resolve = waiting.get(String(message.id))
        if (!resolve) return undefined
        resolve()
        return textReply(202, 'text/plain', '')
      },
      reply (reply, call, turn) {
        if (call.era === 'modern' || !isWork(call) || reply.kind === 'raw' || reply.status !== 200) return reply
        const fits = requests.every(
          ({ capability }) => capability === undefined || isObject(capabilities[capability]) === mustDeclare
        )
        if (!fits || !first()) return reply
        turn.inject(happens)
        const messages = requests.map(({ method, params }, index) => ({
          jsonrpc: '2.0', id: requestId(index), method, params
        }))
        const answers = messages.map(({ id }) => new Promise<void>((resolve) => { waiting.set(id, resolve) }))
        const withRequests = async function * (): AsyncGenerator<object> {
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
        }
        return streamReply(encodeMessages(withRequests()), { headers: headersWithoutBody(reply) })
      },
      judge: (evidence) => (cancelled ? judgeCoping(evidence) : judgeAnswers(evidence, requests, answer))
    }
  }
})

const requestId = (index: number): string => `question-${index + 1}`

const judgeAnswers = (
  evidence: Evidence, requests: readonly RequestToClient[], expected: 'result' | 'error'
): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client declared other capabilities, or sent no request after its handshake.')
  const later = afterInjection(evidence)
  for (const [index, { method }] of requests.entries()) {
    const answer = later.find(
      ({ call: { message } }) => message?.kind === 'response' && message.id === requestId(index)
    )
    const message = answer?.call.message
    if (message?.kind !== 'response') {
      return (
        judgeProcess(evidence, first.number) ??
        fail('breaks the rule', 'It did not answer the request of the server.', first.number)
      )
    }
    const is = message.error === undefined ? 'result' : 'error'
    if (is !== expected) {
      return fail(
        expected === 'error' ? 'accepts it' : 'breaks the rule',
        `It answered by ${is === 'error' ? 'an error' : 'a result'}.`,
        answer?.number
      )
    }
    const fault = is === 'result' ? faultOfAnswer(method, message.result) : undefined
    if (fault !== undefined) return fail('breaks the rule', fault, answer?.number)
  }
  return judgeProcess(evidence, first.number) ?? pass('copes', 'It answered.', first.number)
}
