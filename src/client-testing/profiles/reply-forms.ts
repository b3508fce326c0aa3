/** Profiles: correct replies in every form that the transport and the format of event streams allow. */
import { idOf, isRequest } from '../proxy/exchange.js'
import {
  encodeEvent, headersWithoutBody, jsonReply, messagesOf, responseOf, streamReply, type Chunks
} from '../proxy/reply.js'
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { judgeCopingOrFailing, LEGAL } from './judges.js'
import type { ProfileRow, ProfileContext } from './profile.js'
import { changeReplies, isWork, once } from './targets.js'

type Encode = (messages: AsyncIterable<JsonObject>, context: ProfileContext) => Chunks

const common = {
  ...LEGAL,
  level: 'MUST',
  legacy: 'basic/transports#sending-messages-to-the-server',
  modern: 'basic/transports/streamable-http#receiving-messages'
} as const

const form = (id: string, happens: string, expects: string, encode: Encode): ProfileRow => ({
  ...common,
  id,
  happens,
  expects,
  create: (context) => changeReplies(happens, (reply, call) => isRequest(call)
    ? streamReply(encode(messagesOf(reply), context), { headers: headersWithoutBody(reply) })
    : undefined)
})

const each = (write: (json: string, index: number) => string): Encode => async function * (messages) {
  let index = 0
  for await (const message of messages) yield write(JSON.stringify(message), index++)
}

const event = (json: string): string => encodeEvent({ event: 'message', data: json })

/** Adds text of several bytes a character, and cuts the stream inside of each. */
const splitInCharacters: Encode = async function * (messages, { pause }) {
  for await (const message of messages) {
    const { result } = message
    const annotated = isObject(result)
      ? { ...message, result: { ...result, _meta: { ...asObject(result['_meta']), 'example.com/note': 'é 漢字 🔎' } } }
      : message
    const bytes = Buffer.from(event(JSON.stringify(annotated)))
    let start = 0
    for (let at = 1; at < bytes.length; at++) {
      if ((bytes[at] ?? 0) < 0x80 || start === at) continue
      yield bytes.subarray(start, at)
      await pause(5)
      start = at
    }
    yield bytes.subarray(start)
  }
}

const withComments: Encode = async function * (messages, { pause }) {
  yield ': keep-alive\n\n'
  for await (const message of messages) {
    await pause(50)
    yield ':\n\n: another comment\n'
    yield event(JSON.stringify(message))
  }
}

export const replyForms: readonly ProfileRow[] = [
  form('reply-stream', 'every request is answered by an event stream', 'read the response from the stream',
    each(event)),
  {
    ...common,
    id: 'reply-json',
    happens: 'every request is answered by a JSON body, never by a stream',
    expects: 'read the response from the body',
    create: () => changeReplies('answered as JSON', async (reply, call) => {
      if (!isWork(call) && !isRequest(call, 'initialize')) return undefined
      if (reply.kind === 'whole') return reply
      const response = await responseOf(reply, idOf(call))
      return response && jsonReply(response, 200, headersWithoutBody(reply))
    })
  },
  {
    ...common,
    id: 'slow-first-byte',
    level: 'SHOULD',
    legacy: 'basic/lifecycle#timeouts',
    happens: 'the first byte of one reply comes after five seconds',
    expects: 'wait for it, or give up with an error',
    create ({ pause }) {
      const first = once()
      return {
        async reply (reply, call, turn) {
          if (!isWork(call) || !first()) return reply
          turn.inject('first byte after five seconds')
          await pause(5000, call.signal)
          return reply
        }
      }
    },
    judge: judgeCopingOrFailing
  },
  form('stream-comments', 'a stream holds comments as a sign of life', 'ignore the comments', withComments),
  form('stream-split-utf-8', 'a stream is cut into pieces inside of UTF-8 characters', 'decode across the pieces',
    splitInCharacters),
  form('stream-cr', 'the lines of a stream end with CR', 'accept CR as the end of a line',
    each((json) => `event: message\rdata: ${json}\r\r`)),
  form('stream-crlf', 'the lines of a stream end with CRLF', 'accept CRLF as the end of a line',
    each((json) => `event: message\r\ndata: ${json}\r\n\r\n`)),
  form('stream-data-lines', 'one event has several data lines', 'join the lines',
    each((json) => `data: ${JSON.stringify(JSON.parse(json), null, 1).replaceAll('\n', '\ndata: ')}\n\n`)),
  form('stream-byte-order-mark', 'a stream begins with a byte order mark', 'skip the mark',
    each((json, index) => `${index === 0 ? '\uFEFF' : ''}data: ${json}\n\n`)),
  form('stream-unknown-event', 'a stream holds events and fields of unknown names', 'ignore them',
    each((json) => `event: x-weather\ndata: rain\n\nx-field: 1\n${event(json)}`)),
  form('stream-retry-field', 'a stream begins with an empty event that has an id and a retry field',
    'ignore the empty data', each((json, at) => `${at === 0 ? 'id: 1\nretry: 100\ndata:\n\n' : ''}${event(json)}`))
]
