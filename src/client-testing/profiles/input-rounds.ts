/** Profiles: results that ask for input (2026-07-28). */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { jsonReply } from '../proxy/reply.js'
import { idOf, paramsOf, type ClientRequest } from '../proxy/client-request.js'
import type { Exchange } from '../proxy/exchange.js'
import { faultOfAnswer, NAME_FORM } from './client-answers.js'
import { fail, injectedIn, judgeProcess, judgeRefusing, notExercised, pass } from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const { method: FORM_METHOD, params: FORM_PARAMS } = NAME_FORM
const FORM = { method: FORM_METHOD, params: FORM_PARAMS }

const declares = (call: ClientRequest): boolean => {
  const { _meta: meta } = paramsOf(call)
  const capabilities = isObject(meta) ? meta[CAPABILITIES] : undefined
  return isObject(capabilities) && isObject(capabilities['elicitation'])
}

const isToolCall = ({ message, era }: ClientRequest): boolean =>
  era === 'modern' && message?.kind === 'request' && message.method === 'tools/call'

const rounds =
  (count: number, state: (round: number) => JsonObject): Profile['create'] =>
    () => {
      let round = 0
      return {
        answer (call, interception) {
          if (!isToolCall(call) || !declares(call)) return undefined
          const { inputResponses } = paramsOf(call)
          if (round > 0 && inputResponses === undefined) return undefined
          if (round === count) return undefined
          interception.inject(`input_required, round ${++round}`)
          return jsonReply({
            jsonrpc: '2.0',
            id: idOf(call),
            result: {
              resultType: 'input_required',
              inputRequests: { [`name${round}`]: FORM },
              ...state(round)
            }
          })
        },
        judge: (evidence) => judgeRounds(evidence, count)
      }
    }

const judgeRounds = (evidence: Evidence, count: number): Judgement => {
  const questions = injectedIn(evidence)
  const [first] = questions
  if (!first) return notExercised('The client called no tool, or did not declare elicitation.')
  for (const [index, question] of questions.entries()) {
    const next = evidence.exchanges.find(
      (exchange) =>
        exchange.number > question.number &&
        isToolCall(exchange.call) &&
        paramsOf(exchange.call)['inputResponses'] !== undefined
    )
    if (!next) {
      return (
        judgeProcess(evidence, question.number) ??
        fail('breaks the rule', 'It did not send the call again with inputResponses.', question.number)
      )
    }
    const fault = faultOfRetry(next, question, `name${index + 1}`)
    if (fault !== undefined) return fail('breaks the rule', fault, next.number)
  }
  return (
    judgeProcess(evidence, first.number) ??
    (questions.length < count
      ? fail('breaks the rule', `It answered ${questions.length} of ${count} rounds.`, first.number)
      : pass('copes', 'It answered each round.', first.number))
  )
}

const faultOfRetry = (next: Exchange, question: Exchange, key: string): string | undefined => {
  const { inputResponses, requestState } = paramsOf(next.call)
  const [, state] = /"requestState":("[^"]*")/.exec(question.reply ?? '') ?? []
  if (!isObject(inputResponses) || !isObject(inputResponses[key])) return `Its inputResponses have no answer to ${key}.`
  const fault = faultOfAnswer(FORM_METHOD, inputResponses[key])
  if (fault !== undefined) return fault
  if (state === undefined && requestState !== undefined) {
    return 'It sent a requestState that was not given in this round.'
  }
  if (state !== undefined && JSON.stringify(requestState) !== state) {
    return 'Its requestState is not the one that was given.'
  }
  return idOf(next.call) === idOf(question.call) ? 'It used the id of the request again.' : undefined
}

const common = {
  family: 'input rounds',
  kind: 'legal',
  eras: ['modern'],
  needs: 'tools/call',
  level: 'MUST',
  modern: 'basic/patterns/mrtr#client-requirements-basic-workflow'
} as const
const RETRY =
  'the call comes again with an answer that fits the form, the requestState of this round and another id, and the ' +
  'process ends with 0'

export const inputRounds: readonly Profile[] = [
  {
    ...common,
    id: 'input-required',
    happens: 'a call is answered by input_required, with a form',
    expects: 'send the call again with inputResponses and the requestState',
    judgedBy: RETRY,
    create: rounds(1, () => ({ requestState: `round-1.${'ä=&'.repeat(3)}` }))
  },
  {
    ...common,
    id: 'input-required-twice',
    happens: 'a call is answered by input_required twice, with another state each time',
    expects: 'answer each round with its own state',
    judgedBy: RETRY,
    create: rounds(2, (round) => ({ requestState: `round-${round}` }))
  },
  {
    ...common,
    id: 'input-required-stateless',
    happens: 'a call is answered by input_required without a requestState',
    expects: 'send the call again without one',
    judgedBy: RETRY,
    create: rounds(1, () => ({}))
  },
  {
    ...common,
    id: 'input-undeclared',
    kind: 'illegal',
    level: 'SHOULD',
    happens: 'input_required asks for what the client did not declare',
    expects: 'report an error',
    judgedBy: 'the call does not come again with an answer, and the process neither hangs nor dies',
    create: ({ marker }) => {
      let hasAsked = false
      return {
        answer (call, interception) {
          if (!isToolCall(call) || declares(call) || hasAsked) return undefined
          hasAsked = true
          interception.inject('input_required for an undeclared capability')
          return jsonReply({
            jsonrpc: '2.0',
            id: idOf(call),
            result: {
              resultType: 'input_required',
              inputRequests: { name: FORM },
              requestState: 'state',
              content: [{ type: 'text', text: marker }]
            }
          })
        },
        judge: (evidence) =>
          judgeRefusing(evidence, (later) =>
            later.find(({ call }) => {
              const { inputResponses } = paramsOf(call)
              return isObject(inputResponses) && isObject(inputResponses['name'])
            })
          )
      }
    }
  }
]
