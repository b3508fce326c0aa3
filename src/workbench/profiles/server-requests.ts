/** Profiles: requests of the server, on the stream of a tool call or a list (2025-11-25 and before). */
import { encodeMessages, headersWithoutBody, messagesOf, streamReply, textReply, type Json } from '../proxy/reply.js'
import { isObject } from '../../lib/json-object.js'
import { afterInjection, fail, injectedIn, judgeCoping, judgeProcess, notExercised, pass } from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'
import { isWork, once } from './targets.js'

interface Question {
  method: string
  capability?: string
  params: Json
}

const PING: Question = { method: 'ping', params: {} }
const SAMPLING: Question = {
  method: 'sampling/createMessage',
  capability: 'sampling',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 20
  }
}
const ELICITATION: Question = {
  method: 'elicitation/create',
  capability: 'elicitation',
  params: {
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } }
  }
}
const ROOTS: Question = { method: 'roots/list', capability: 'roots', params: {} }
const UNKNOWN: Question = { method: 'x/unknown', params: {} }

const PATIENCE_MS = 10_000

interface Asking {
  id: string
  questions: readonly Question[]
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

const serverRequestProfile = ({
  id,
  questions,
  happens,
  expects,
  legacy,
  level = 'MUST',
  mustDeclare,
  answer,
  illegal = false,
  cancelled = false
}: Asking): Profile => ({
  id,
  family: 'requests of the server',
  kind: illegal ? 'illegal' : 'legal',
  eras: ['legacy'],
  level,
  legacy,
  happens,
  expects,
  judgedBy: cancelled
    ? 'the client goes on, and its process ends with 0'
    : `each request is answered by ${answer === 'result' ? 'a result' : 'an error'} within ${PATIENCE_MS / 1000} ` +
      's, and the process neither hangs nor dies',
  create: ({ pause }) => {
    const first = once()
    const waiting = new Map<string, () => void>()
    let capabilities: Json = {}
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
        const fits = questions.every(
          ({ capability }) => capability === undefined || isObject(capabilities[capability]) === mustDeclare
        )
        if (!fits || !first()) return reply
        turn.inject(happens)
        const requests = questions.map(({ method, params }, index) => ({
          jsonrpc: '2.0',
          id: questionId(index),
          method,
          params
        }))
        const answers = requests.map(
          ({ id }) =>
            new Promise<void>((resolve) => {
              waiting.set(id, resolve)
            })
        )
        return streamReply(
          encodeMessages(
            (async function * () {
              yield * requests
              if (cancelled) {
                for (const { id } of requests) {
                  yield { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
                }
              } else {
                const stopped = new AbortController()
                await Promise.race([
                  Promise.all(answers),
                  pause(PATIENCE_MS, AbortSignal.any([call.signal, stopped.signal]))
                ])
                stopped.abort()
              }
              yield * messagesOf(reply)
            })()
          ),
          { headers: headersWithoutBody(reply) }
        )
      },
      judge: (evidence) => (cancelled ? judgeCoping(evidence) : judgeAnswers(evidence, questions.length, answer))
    }
  }
})

const questionId = (index: number): string => `question-${index + 1}`

const judgeAnswers = (evidence: Evidence, count: number, expected: 'result' | 'error'): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client declared other capabilities, or sent no request after its handshake.')
  const later = afterInjection(evidence)
  for (let index = 0; index < count; index++) {
    const answer = later.find(
      ({ call: { message } }) => message?.kind === 'response' && message.id === questionId(index)
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
  }
  return judgeProcess(evidence, first.number) ?? pass('copes', 'It answered.', first.number)
}

const undeclared = (question: Question, legacy: string): Profile =>
  serverRequestProfile({
    id: `${question.capability}-undeclared`,
    questions: [question],
    happens: `the server sends ${question.method} to a client that did not declare ${question.capability}`,
    expects: 'answer by an error, such as -32601',
    legacy,
    level: 'SHOULD',
    mustDeclare: false,
    answer: 'error',
    illegal: true
  })

const profileForDeclared = (id: string, questions: readonly Question[], legacy: string): Profile =>
  serverRequestProfile({
    id,
    questions,
    happens: `the server sends ${questions.map(({ method }) => method).join(' and ')} during a call`,
    expects: 'answer by a result',
    legacy,
    mustDeclare: true,
    answer: 'result'
  })

export const serverRequests: readonly Profile[] = [
  serverRequestProfile({
    id: 'ping-during-call',
    questions: [PING],
    happens: 'the server sends ping while a request waits',
    expects: 'answer at once, by an empty result',
    legacy: 'basic/utilities/ping#behavior-requirements',
    mustDeclare: true,
    answer: 'result'
  }),
  serverRequestProfile({
    id: 'two-pings',
    questions: [PING, PING],
    happens: 'the server sends two requests at a time',
    expects: 'answer both',
    legacy: 'basic#responses',
    mustDeclare: true,
    answer: 'result'
  }),
  serverRequestProfile({
    id: 'request-unknown',
    questions: [UNKNOWN],
    happens: 'the server sends a request of an unknown method',
    expects: 'answer by the error -32601',
    legacy: 'basic#error-responses',
    mustDeclare: true,
    answer: 'error'
  }),
  serverRequestProfile({
    id: 'ping-cancelled',
    questions: [PING],
    happens: 'the server sends ping and cancels it at once',
    expects: 'go on',
    legacy: 'basic/utilities/cancellation#behavior-requirements',
    mustDeclare: true,
    answer: 'result',
    cancelled: true
  }),
  profileForDeclared('sampling', [SAMPLING], 'client/sampling#creating-messages'),
  profileForDeclared('elicitation', [ELICITATION], 'client/elicitation#elicitation-requests'),
  profileForDeclared('roots', [ROOTS], 'client/roots#listing-roots'),
  profileForDeclared('sampling-and-elicitation', [SAMPLING, ELICITATION], 'client/sampling#creating-messages'),
  undeclared(SAMPLING, 'client/sampling#capabilities'),
  undeclared(ELICITATION, 'client/elicitation#capabilities'),
  undeclared(ROOTS, 'client/roots#capabilities')
]
