/** Profiles: results that ask for input (2026-07-28). */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { resultReply } from '../proxy/reply.js'
import { capabilitiesOf, idOf, isRequest, paramsOf, type ClientRequest, type Exchange } from '../proxy/exchange.js'
import { faultOfAnswer, NAME_FORM } from './client-answers.js'
import { breaks, copes, fromFirst, injectedIn, judgeProcess, refusingJudge } from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerEach, once } from './targets.js'

const { method, params } = NAME_FORM
const FORM = { method, params }

const declares = (call: ClientRequest): boolean => isObject(capabilitiesOf(call)['elicitation'])

const isToolCall = (call: ClientRequest): boolean => call.era === 'modern' && isRequest(call, 'tools/call')

const common = {
  kind: 'legal',
  needs: 'tools/call',
  level: 'MUST',
  modern: 'basic/patterns/mrtr#client-requirements-basic-workflow'
} as const

const rounds = (
  count: number, state: (round: number) => JsonObject, rest: Pick<ProfileRow, 'id' | 'happens' | 'expects'>
): ProfileRow => ({
  ...common,
  ...rest,
  judgedBy: 'the call comes again with an answer that fits the form, the requestState of this round and another id, ' +
    'and the process ends with 0',
  create () {
    let round = 0
    return {
      answer (call, turn) {
        const isAnswer = paramsOf(call)['inputResponses'] !== undefined
        if (!isToolCall(call) || !declares(call) || (round > 0 && !isAnswer) || round === count) return undefined
        turn.inject(`input_required, round ${++round}`)
        return resultReply(call, {
          resultType: 'input_required', inputRequests: { [`name${round}`]: FORM }, ...state(round)
        })
      }
    }
  },
  judge: fromFirst('The client called no tool, or did not declare elicitation.', (first, _later, evidence) => {
    const questions = injectedIn(evidence)
    for (const [index, question] of questions.entries()) {
      const next = evidence.exchanges.find(({ number, call }) =>
        number > question.number && isToolCall(call) && paramsOf(call)['inputResponses'] !== undefined)
      if (!next) {
        return judgeProcess(evidence, question) ??
          breaks('It did not send the call again with inputResponses.', question)
      }
      const fault = faultOfRetry(next, question, `name${index + 1}`)
      if (fault !== undefined) return breaks(fault, next)
    }
    return judgeProcess(evidence, first) ?? (questions.length < count
      ? breaks(`It answered ${questions.length} of ${count} rounds.`, first)
      : copes('It answered each round.', first))
  })
})

const faultOfRetry = (next: Exchange, question: Exchange, key: string): string | undefined => {
  const { inputResponses, requestState } = paramsOf(next.call)
  const [, state] = /"requestState":("[^"]*")/.exec(question.reply ?? '') ?? []
  if (!isObject(inputResponses) || !isObject(inputResponses[key])) return `Its inputResponses have no answer to ${key}.`
  const fault = faultOfAnswer(method, inputResponses[key])
  if (fault !== undefined) return fault
  if (JSON.stringify(requestState) !== state) {
    return state === undefined
      ? 'It sent a requestState that was not given in this round.'
      : 'Its requestState is not the one that was given.'
  }
  return idOf(next.call) === idOf(question.call) ? 'It used the id of the request again.' : undefined
}

export const inputRounds: readonly ProfileRow[] = [
  rounds(1, () => ({ requestState: `round-1.${'ä=&'.repeat(3)}` }), {
    id: 'input-required',
    happens: 'a call is answered by input_required, with a form',
    expects: 'send the call again with inputResponses and the requestState'
  }),
  rounds(2, (round) => ({ requestState: `round-${round}` }), {
    id: 'input-required-twice',
    happens: 'a call is answered by input_required twice, with another state each time',
    expects: 'answer each round with its own state'
  }),
  rounds(1, () => ({}), {
    id: 'input-required-stateless',
    happens: 'a call is answered by input_required without a requestState',
    expects: 'send the call again without one'
  }),
  {
    ...common,
    id: 'input-undeclared',
    kind: 'illegal',
    level: 'SHOULD',
    happens: 'input_required asks for what the client did not declare',
    expects: 'report an error',
    judgedBy: 'the call does not come again with an answer, and the process neither hangs nor dies',
    create ({ marker }) {
      const first = once()
      return answerEach('input_required for an undeclared capability',
        (call) => isToolCall(call) && !declares(call) && first(),
        (call) => resultReply(call, {
          resultType: 'input_required',
          inputRequests: { name: FORM },
          requestState: 'state',
          content: [{ type: 'text', text: marker }]
        }))
    },
    judge: refusingJudge((later) => later.find(({ call }) => {
      const { inputResponses } = paramsOf(call)
      return isObject(inputResponses) && isObject(inputResponses['name'])
    }))
  }
]
