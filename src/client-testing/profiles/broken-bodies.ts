/** Profiles: HTTP replies whose body is not what their head says. Each occurs once; what follows is correct. */
import { encodeEvent, JSON_TYPE, oneChunk, streamReply, textReply, type Reply } from '../proxy/reply.js'
import { ILLEGAL } from './judges.js'
import type { Profile } from './profile.js'
import { replaceFirstResult } from './targets.js'

const broken = (
  id: string, happens: string, expects: string, make: (json: string) => Reply, level: Profile['level'] = 'MUST'
): Profile => ({
  ...ILLEGAL,
  id,
  family: 'broken bodies',
  eras: ['legacy', 'modern'],
  level,
  legacy: 'basic/transports#sending-messages-to-the-server',
  modern: 'basic/transports/streamable-http#receiving-messages',
  happens,
  expects,
  create: replaceFirstResult(happens, (response) => make(JSON.stringify(response)))
})

const asJson = (body: string | Buffer): Reply => textReply(200, JSON_TYPE['content-type'], body)

/** The JSON with a byte in its first text that no UTF-8 has. */
const notUtf8 = (json: string): Buffer => {
  const at = json.indexOf('"result"') + 2
  return Buffer.concat([
    Buffer.from(json.slice(0, -1)),
    Buffer.from(`,"note${at}":"`),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('"}')
  ])
}

const tooLong = (json: string): Reply => ({
  kind: 'raw',
  status: 200,
  bytes: Buffer.from(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n' +
      `content-length: ${Buffer.byteLength(json) + 100}\r\nconnection: close\r\n\r\n${json}`
  )
})

export const brokenBodies: readonly Profile[] = [
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
    () => streamReply(oneChunk(encodeEvent({ data: '{"jsonrpc: oops' })))),
  broken('stream-without-response', 'a stream ends in order, without the response', 'report an error',
    () => streamReply(oneChunk(': nothing\n\n')))
]
