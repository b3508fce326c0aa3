/** Profiles: replies that are no valid response to their request. Each occurs once; what follows is correct. */
import { jsonReply, messagesOf, withStream } from '../proxy/reply.js'
import { idOf } from '../proxy/client-request.js'
import { ILLEGAL } from './judges.js'
import type { Profile } from './profile.js'
import { changeReplies, isWork, markedResult, once, replaceFirstResult, type MarkedResponse } from './targets.js'

const common = {
  ...ILLEGAL,
  family: 'malformed messages',
  eras: ['legacy', 'modern'],
  level: 'MUST',
  legacy: 'basic#responses',
  modern: 'basic#result-responses'
} as const

const malformed = (
  id: string, happens: string, expects: string, make: (response: MarkedResponse) => unknown,
  level: Profile['level'] = 'MUST'
): Profile => ({
  ...common,
  id,
  level,
  happens,
  expects,
  create: replaceFirstResult(happens, (response) => jsonReply(make(response)))
})

const twoResponses: Profile['create'] = ({ marker }) => {
  const first = once()
  return changeReplies('two responses to one request', (reply, call) => {
    if (!isWork(call) || !first()) return undefined
    const both = async function * () {
      yield * messagesOf(reply)
      yield { jsonrpc: '2.0', id: idOf(call), result: markedResult(call, marker) }
    }
    return withStream(reply, both())
  })
}

const otherType = (id: string | number): string | number =>
  typeof id === 'number' ? String(id) : /^\d{1,15}$/.test(id) ? Number(id) : `${id} `
const otherId = (id: string | number): string | number => typeof id === 'number' ? id + 4711 : `${id}-other`

const NOT_RESPONSE = 'not take it for the response'

export const malformedMessages: readonly Profile[] = [
  malformed('id-other', 'a response has the id of another request', NOT_RESPONSE,
    (response) => ({ ...response, id: otherId(response.id) })),
  malformed('id-missing', 'a response has no id', NOT_RESPONSE, ({ id: _, ...rest }) => rest),
  malformed('id-null', 'a response has null for its id', NOT_RESPONSE, (response) => ({ ...response, id: null })),
  malformed('id-other-type', 'the id of a response has another type than that of its request', NOT_RESPONSE,
    (response) => ({ ...response, id: otherType(response.id) }), 'SHOULD'),
  {
    ...common,
    id: 'two-responses',
    happens: 'a stream holds two responses to one request; the second has another result',
    expects: 'take the first one and ignore the second',
    create: twoResponses
  },
  malformed('result-and-error', 'a response has a result and an error', 'refuse it',
    (response) => ({ ...response, error: { code: -32603, message: 'both' } }), 'SHOULD'),
  malformed('result-missing', 'a response has neither a result nor an error', 'refuse it',
    ({ result: _, ...rest }) => rest),
  malformed('result-no-object', 'the result of a response is a text', 'refuse it',
    (response) => ({ ...response, result: 'done' })),
  malformed('error-malformed', 'the error of a response has no code', 'report an error',
    ({ result: _, ...rest }) => ({ ...rest, error: { message: 'no code' } }), 'SHOULD'),
  malformed('jsonrpc-missing', 'a response has no jsonrpc field', 'refuse it',
    ({ jsonrpc: _, ...rest }) => rest, 'SHOULD'),
  malformed('jsonrpc-other', 'a response is of JSON-RPC 1.0', 'refuse it',
    (response) => ({ ...response, jsonrpc: '1.0' }), 'SHOULD'),
  malformed('response-null', 'the body of a reply is null', 'refuse it', () => null)
]
