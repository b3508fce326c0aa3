/** Asking in the modern era: the work runs again from its start, is given what was answered before, and ends at the first open question. */
import type { Answers, InputStep } from '../../request-context.js'
import { Fault } from '../../../lib/errors.js'
import { isObject } from '../../jsonrpc/parse.js'
import type { Request } from '../../jsonrpc/message.js'
import type { Exchange, Opened } from '../era.js'
import { isAnswer, requireCapabilities, type Ask } from '../../input-request.js'
import type { RequestStates } from './request-state.js'

export const asker = (
  states: RequestStates, identity: object, request: Request, { client }: Opened, { principal }: Exchange
): Ask => {
  const credential = principal.credential.id
  const { inputResponses = {}, requestState } = request.params
  if (!isObject(inputResponses)) throw new Fault('invalid_params', '"params.inputResponses" maps the keys of inputRequests to results.')
  const answered = requestState === undefined ? [] : states.open(requestState, request, credential)
  let round = 0
  let responses: Readonly<Record<string, unknown>> | undefined = inputResponses

  return (step) => {
    const earlier = answered[round++]
    if (earlier) return { kind: 'answered', answers: earlier }
    requireCapabilities(step, client.capabilities)
    // The responses answer the first open question, and no later one.
    const answers = responses && pick(step, responses)
    responses = undefined
    if (answers) {
      answered.push(answers)
      return { kind: 'answered', answers }
    }
    return {
      kind: 'ended',
      result: {
        resultType: 'input_required',
        inputRequests: step.requests,
        requestState: states.seal(answered, request, credential),
        _meta: identity
      }
    }
  }
}

/** The answers to all of a step's requests; undefined when one is missing or is none. Others are ignored. */
const pick = ({ requests }: InputStep, responses: Readonly<Record<string, unknown>>): Answers | undefined => {
  const answers: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const [key, { method }] of Object.entries(requests)) {
    const response = Object.hasOwn(responses, key) ? responses[key] : undefined
    if (!isAnswer(method, response)) return undefined
    answers[key] = response
  }
  return answers
}
