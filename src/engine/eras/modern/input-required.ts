/**
 * Requests for input in the modern era: the handler runs again from its start, gets the responses of earlier
 * rounds, and ends at the first request without a response.
 */
import type { InputResponses, InputRequired } from '../../request-context.js'
import { requireParams } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'
import type { Request } from '../../jsonrpc/message.js'
import type { HttpExchange, AdmittedRequest } from '../era.js'
import { isInputResponse, requireCapabilities, type RequestInput } from '../../input-request.js'
import type { RequestStateCodec } from './request-state.js'

/**
 * Answers a handler's requests for input from the sealed state, then from `params.inputResponses`, and otherwise by
 * ending the request with an `input_required` result.
 * @throws {Fault} `invalid_params` for malformed responses or a foreign state
 */
export const createInputRequester = (
  states: RequestStateCodec, identity: object, request: Request, { client }: AdmittedRequest,
  { principal }: HttpExchange
): RequestInput => {
  const credential = principal.credential.id
  const { inputResponses = {}, requestState } = request.params
  requireParams(isObject(inputResponses), '"params.inputResponses" maps the keys of inputRequests to results.')
  const answered = requestState === undefined ? [] : states.open(requestState, request, credential)
  let round = 0
  let responses: Readonly<Record<string, unknown>> | undefined = inputResponses

  return (step) => {
    const earlier = answered[round++]
    if (earlier) return { kind: 'answered', responses: earlier }
    requireCapabilities(step, client.capabilities)
    // The responses belong to the first unanswered step only.
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

/** Returns the responses to all requests of a step; undefined when one is missing or malformed. Ignores others. */
const pickResponses = (
  { requests }: InputRequired, responses: Readonly<Record<string, unknown>>
): InputResponses | undefined => {
  const answers: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const [key, request] of Object.entries(requests)) {
    const response = Object.hasOwn(responses, key) ? responses[key] : undefined
    if (!isInputResponse(request, response)) return undefined
    answers[key] = response
  }
  return answers
}
