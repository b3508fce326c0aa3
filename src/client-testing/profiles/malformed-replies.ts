/** Profiles: replies that are no valid response to their request. Each occurs once; what follows is correct. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf } from '../proxy/exchange.js'
import {
  encodeEvent, jsonReply, messagesOf, streamReply, textReply, withStream, type Reply
} from '../proxy/reply.js'
import { ILLEGAL } from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerOnce, changeReplies, isWork, markedResult, once } from './targets.js'

interface MarkedResponse { jsonrpc: '2.0', id: string | number, result: JsonObject }

/** `make` gets a response whose result has the marker wherever a client would take something up. */
const replaced = (
  clauses: Pick<ProfileRow, 'legacy' | 'modern'>, id: string, happens: string, expects: string,
  make: (response: MarkedResponse) => Reply, level: ProfileRow['level']
): ProfileRow => ({
  ...ILLEGAL,
  ...clauses,
  id,
  level,
  happens,
  expects,
  create: ({ marker }) => answerOnce(happens, (call) =>
    make({ jsonrpc: '2.0', id: idOf(call) ?? '', result: markedResult(call, marker) }))
})

const MESSAGES = { legacy: 'basic#responses', modern: 'basic#result-responses' }

const malformed = (
  id: string, happens: string, expects: string, make: (response: MarkedResponse) => unknown,
  level: ProfileRow['level'] = 'MUST'
): ProfileRow => replaced(MESSAGES, id, happens, expects, (response) => jsonReply(make(response)), level)

const otherType = (id: string | number): string | number =>
  typeof id === 'number' ? String(id) : /^\d{1,15}$/.test(id) ? Number(id) : `${id} `
const otherId = (id: string | number): string | number => typeof id === 'number' ? id + 4711 : `${id}-other`

const NOT_RESPONSE = 'not take it for the response'

export const malformedMessages: readonly ProfileRow[] = [
  malformed('id-other', 'a response has the id of another request', NOT_RESPONSE,
    (response) => ({ ...response, id: otherId(response.id) })),
  malformed('id-missing', 'a response has no id', NOT_RESPONSE, ({ id: _, ...rest }) => rest),
  malformed('id-null', 'a response has null for its id', NOT_RESPONSE, (response) => ({ ...response, id: null })),
  malformed('id-other-type', 'the id of a response has another type than that of its request', NOT_RESPONSE,
    (response) => ({ ...response, id: otherType(response.id) }), 'SHOULD'),
  {
    ...ILLEGAL,
    ...MESSAGES,
    id: 'two-responses',
    level: 'MUST',
    happens: 'a stream holds two responses to one request; the second has another result',
    expects: 'take the first one and ignore the second',
    create ({ marker }) {
      const first = once()
      return changeReplies('two responses to one request', (reply, call) => {
        if (!isWork(call) || !first()) return undefined
        return withStream(reply, (async function * () {
          yield * messagesOf(reply)
          yield { jsonrpc: '2.0', id: idOf(call), result: markedResult(call, marker) }
        })())
      })
    }
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

const BODIES = {
  legacy: 'basic/transports#sending-messages-to-the-server',
  modern: 'basic/transports/streamable-http#receiving-messages'
}

const broken = (
  id: string, happens: string, expects: string, make: (json: string) => Reply, level: ProfileRow['level'] = 'MUST'
): ProfileRow => replaced(BODIES, id, happens, expects, (response) => make(JSON.stringify(response)), level)

const asJson = (body: string | Buffer): Reply => textReply(200, 'application/json', body)

const notUtf8 = (json: string): Buffer =>
  Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from(',"note":"\xff\xfe\xc3"}', 'latin1')])

const tooLong = (json: string): Reply => ({
  kind: 'raw',
  status: 200,
  bytes: Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n' +
    `content-length: ${Buffer.byteLength(json) + 100}\r\nconnection: close\r\n\r\n${json}`)
})

export const brokenBodies: readonly ProfileRow[] = [
  broken('json-half', 'the body ends in the middle of the JSON', 'report an error',
    (json) => asJson(json.slice(0, Math.floor(json.length / 2)))),
  broken('json-invalid-utf-8', 'the JSON holds bytes that are no UTF-8', 'refuse it',
    (json) => asJson(notUtf8(json)), 'SHOULD'),
  broken('html-page', 'a page of HTML with status 200', 'report an error', () =>
    textReply(200, 'text/html', '<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>')),
  broken('empty-body', 'status 200, application/json and an empty body', 'report an error', () => asJson('')),
  broken('plain-text', 'the response, as text/plain', 'report an error',
    (json) => textReply(200, 'text/plain', json), 'SHOULD'),
  broken('accepted-request', 'a request is answered by 202 without a body', 'report an error',
    () => textReply(202, 'text/plain', '')),
  broken('content-length-too-long', 'Content-Length announces more than comes', 'report an error', tooLong),
  broken('event-not-json', 'the data of the only event is no JSON', 'report an error',
    () => streamReply([encodeEvent({ data: '{"jsonrpc: oops' })])),
  broken('stream-without-response', 'a stream ends in order, without the response', 'report an error',
    () => streamReply([': nothing\n\n']))
]
