/** Profiles: replies that are no valid response to their request. Each occurs once; what follows is correct. */
import { jsonReply, messagesOf, encodeMessages, streamReply, headersWithoutBody } from '../proxy/reply.js'
import { idOf, type ClientRequest } from '../proxy/client-request.js'
import { judgeRefusing, REFUSING } from './judges.js'
import type { Profile } from './profile.js'
import { replaceFirstResult, type MarkedResponse } from './replace-first-result.js'
import { isWork, markedResult, once } from './targets.js'

type Make = (response: MarkedResponse, call: ClientRequest) => unknown

const common = {
  family: 'malformed messages',
  kind: 'illegal',
  eras: ['legacy', 'modern'],
  level: 'MUST',
  legacy: 'basic#responses',
  modern: 'basic#result-responses',
  judgedBy: REFUSING
} as const

const malformed = (
  id: string,
  happens: string,
  expects: string,
  make: Make,
  level: Profile['level'] = 'MUST'
): Profile =>
  replaceFirstResult({ ...common, id, level, happens, expects }, (response, call) => jsonReply(make(response, call)))

const twoReplies: Profile = {
  ...common,
  id: 'two-responses',
  happens: 'a stream holds two responses to one request; the second has another result',
  expects: 'take the first one and ignore the second',
  create: ({ marker }) => {
    const first = once()
    return {
      reply (reply, call, interception) {
        const id = idOf(call)
        if (id === undefined || reply.kind === 'raw' || !isWork(call) || !first()) return reply
        interception.inject('two responses to one request')
        const both = async function * () {
          yield * messagesOf(reply)
          yield { jsonrpc: '2.0', id, result: markedResult(call, marker) }
        }
        return streamReply(encodeMessages(both()), { headers: headersWithoutBody(reply) })
      },
      judge: (evidence) => judgeRefusing(evidence)
    }
  }
}

const otherType = (id: string | number): string | number =>
  typeof id === 'number' ? String(id) : /^\d{1,15}$/.test(id) ? Number(id) : `${id} `

export const malformedMessages: readonly Profile[] = [
  malformed('id-other', 'a response has the id of another request', 'not take it for the response', (response) => ({
    ...response,
    id: typeof response.id === 'number' ? response.id + 4711 : `${response.id}-other`
  })),
  malformed('id-missing', 'a response has no id', 'not take it for the response', ({ id: _, ...rest }) => rest),
  malformed('id-null', 'a response has null for its id', 'not take it for the response', (response) => ({
    ...response,
    id: null
  })),
  malformed(
    'id-other-type',
    'the id of a response has another type than that of its request',
    'not take it for the response',
    (response) => ({ ...response, id: otherType(response.id) }),
    'SHOULD'
  ),
  twoReplies,
  malformed(
    'result-and-error',
    'a response has a result and an error',
    'refuse it',
    (response) => ({ ...response, error: { code: -32603, message: 'both' } }),
    'SHOULD'
  ),
  malformed('result-missing', 'a response has neither a result nor an error', 'refuse it', ({ jsonrpc, id }) => ({
    jsonrpc,
    id
  })),
  malformed('result-no-object', 'the result of a response is a text', 'refuse it', (response) => ({
    ...response,
    result: 'done'
  })),
  malformed(
    'error-malformed',
    'the error of a response has no code',
    'report an error',
    ({ jsonrpc, id }) => ({ jsonrpc, id, error: { message: 'no code' } }),
    'SHOULD'
  ),
  malformed(
    'jsonrpc-missing',
    'a response has no jsonrpc field',
    'refuse it',
    ({ jsonrpc: _, ...rest }) => rest,
    'SHOULD'
  ),
  malformed(
    'jsonrpc-other',
    'a response is of JSON-RPC 1.0',
    'refuse it',
    (response) => ({ ...response, jsonrpc: '1.0' }),
    'SHOULD'
  ),
  malformed('response-null', 'the body of a reply is null', 'refuse it', () => null)
]
