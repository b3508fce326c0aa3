/** Profiles: HTTP replies whose body is not what their head says. Each occurs once; what follows is correct. */
import { encodeEvent, JSON_TYPE, oneChunk, streamReply, textReply, type Reply } from '../proxy/reply.js'
import { REFUSING } from './judges.js'
import type { Profile } from './profile.js'
import { replaceFirstResult } from './replace-first-result.js'

const common = {
  family: 'broken bodies',
  kind: 'illegal',
  eras: ['legacy', 'modern'],
  level: 'MUST',
  legacy: 'basic/transports#sending-messages-to-the-server',
  modern: 'basic/transports/streamable-http#receiving-messages',
  judgedBy: REFUSING
} as const

const broken = (
  id: string,
  happens: string,
  expects: string,
  make: (json: string) => Reply,
  level: Profile['level'] = 'MUST'
): Profile =>
  replaceFirstResult({ ...common, id, level, happens, expects }, (response) => make(JSON.stringify(response)))

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
  broken('json-half', 'the body ends in the middle of the JSON', 'report an error', (json) =>
    textReply(200, JSON_TYPE['content-type'], json.slice(0, Math.floor(json.length / 2)))
  ),
  broken(
    'json-invalid-utf-8',
    'the JSON holds bytes that are no UTF-8',
    'refuse it',
    (json) => textReply(200, JSON_TYPE['content-type'], notUtf8(json)),
    'SHOULD'
  ),
  broken('html-page', 'a page of HTML with status 200', 'report an error', () =>
    textReply(200, 'text/html', '<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>')
  ),
  broken('empty-body', 'status 200, application/json and an empty body', 'report an error', () =>
    textReply(200, JSON_TYPE['content-type'], '')
  ),
  broken(
    'plain-text',
    'the response, as text/plain',
    'report an error',
    (json) => textReply(200, 'text/plain', json),
    'SHOULD'
  ),
  broken('accepted-request', 'a request is answered by 202 without a body', 'report an error', () =>
    textReply(202, 'text/plain', '')
  ),
  broken('content-length-too-long', 'Content-Length announces more than comes', 'report an error', tooLong),
  broken('event-not-json', 'the data of the only event is no JSON', 'report an error', () =>
    streamReply(oneChunk(encodeEvent({ data: '{"jsonrpc": oops' })))
  ),
  broken('stream-without-response', 'a stream ends in order, without the response', 'report an error', () =>
    streamReply(oneChunk(': nothing\n\n'))
  )
]
