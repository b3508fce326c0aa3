/** Profiles: requests of the server, on the stream of a tool call or a list (2025-11-25 and before). */
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { isRequest, paramsOf } from '../proxy/exchange.js'
import { messagesOf, textReply, withStream } from '../proxy/reply.js'
import { faultOfAnswer, NAME_FORM, type RequestToClient } from './client-answers.js'
import { breaks, copes, fail, fromFirst, judgeProcess, LEGAL } from './judges.js'
import type { ProfileRow } from './profile.js'
import { changeReplies, isWork, once } from './targets.js'

const ANSWER_TIMEOUT_MS = 10_000

type ServerRequestRow = Pick<ProfileRow, 'id' | 'happens' | 'expects' | 'legacy'> & Partial<ProfileRow> & {
  requests: readonly RequestToClient[]
  /** Asks only clients that declared the capability, or only those that did not. */
  mustDeclare?: boolean
  answer?: 'result' | 'error'
  cancelled?: boolean
}

/** The server sends the requests before its reply to the first call that is work. */
const asking = (
  { requests, mustDeclare = true, answer = 'result', cancelled = false, ...rest }: ServerRequestRow
): ProfileRow => ({
  kind: 'legal',
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

const judgeAnswers = (requests: readonly RequestToClient[], expected: 'result' | 'error'): ProfileRow['judge'] =>
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

const PING: RequestToClient = { method: 'ping', params: {} }
const SAMPLING: RequestToClient = {
  method: 'sampling/createMessage',
  capability: 'sampling',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 20
  }
}
const ROOTS: RequestToClient = { method: 'roots/list', capability: 'roots', params: {} }

const undeclared = (request: RequestToClient): ProfileRow => asking({
  id: `${request.capability}-undeclared`,
  requests: [request],
  happens: `the server sends ${request.method} to a client that did not declare ${request.capability}`,
  expects: 'answer by an error, such as -32601',
  legacy: `client/${request.capability}#capabilities`,
  kind: 'illegal',
  level: 'SHOULD',
  mustDeclare: false,
  answer: 'error'
})

const declared = (id: string, requests: readonly RequestToClient[], legacy: string): ProfileRow => asking({
  id,
  requests,
  happens: `the server sends ${requests.map(({ method }) => method).join(' and ')} during a call`,
  expects: 'answer by a result that has the shape of its method, and fits the form',
  legacy
})

export const serverRequests: readonly ProfileRow[] = [
  asking({
    id: 'ping-during-call',
    requests: [PING],
    happens: 'the server sends ping while a request waits',
    expects: 'answer at once, by an empty result',
    legacy: 'basic/utilities/ping#behavior-requirements'
  }),
  asking({
    id: 'two-pings',
    requests: [PING, PING],
    happens: 'the server sends two requests at a time',
    expects: 'answer both',
    legacy: 'basic#responses'
  }),
  asking({
    id: 'request-unknown',
    requests: [{ method: 'x/unknown', params: {} }],
    happens: 'the server sends a request of an unknown method',
    expects: 'answer by the error -32601',
    legacy: 'basic#error-responses',
    answer: 'error'
  }),
  asking({
    id: 'ping-cancelled',
    requests: [PING],
    happens: 'the server sends ping and cancels it at once',
    expects: 'go on',
    legacy: 'basic/utilities/cancellation#behavior-requirements',
    cancelled: true
  }),
  declared('sampling', [SAMPLING], 'client/sampling#creating-messages'),
  declared('elicitation', [NAME_FORM], 'client/elicitation#elicitation-requests'),
  declared('roots', [ROOTS], 'client/roots#listing-roots'),
  declared('sampling-and-elicitation', [SAMPLING, NAME_FORM], 'client/sampling#creating-messages'),
  ...[SAMPLING, NAME_FORM, ROOTS].map(undeclared)
]
