/** Asking in the modern era: the work runs again from its start, is given what was answered before, and ends at the first open question. */
import type { InputResponses, InputRequired } from '../../request-context.js'
import { Fault } from '../../../lib/errors.js'
import { isObject } from '../../jsonrpc/parse.js'
import type { Request } from '../../jsonrpc/message.js'
import type { HttpExchange, AdmittedRequest } from '../era.js'
import { isInputResponse, requireCapabilities, type RequestInput } from '../../input-request.js'
import type { RequestStateCodec } from './request-state.js'

export const createInputRequester = (
  states: RequestStateCodec, identity: object, request: Request, { client }: AdmittedRequest,
  { principal }: HttpExchange
): RequestInput => {
  const credential = principal.credential.id
  const { inputResponses = {}, requestState } = request.params
  if (!isObject(inputResponses)) throw new Fault('invalid_params', '"params.inputResponses" maps the keys of inputRequests to results.')
  const answered = requestState === undefined ? [] : states.open(requestState, request, credential)
  let round = 0
  let responses: Readonly<Record<string, unknown>> | undefined = inputResponses

  return (step) => {
    const earlier = answered[round++]
    if (earlier) return { kind: 'answered', responses: earlier }
    requireCapabilities(step, client.capabilities)
    // The responses answer the first open question, and no later one.
    const answers = responses && pickResponses(step, responses)
    responses = undefined
    if (answers) {
      answered.push(answers)
      return { kind: 'answered', responses: answers }
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
const pickResponses = (
  { requests }: InputRequired, responses: Readonly<Record<string, unknown>>
): InputResponses | undefined => {
  const answers: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const [key, { method }] of Object.entries(requests)) {
    const response = Object.hasOwn(responses, key) ? responses[key] : undefined
    if (!isInputResponse(method, response)) return undefined
    answers[key] = response
  }
  return answers
}
