/** Writes a reply to the client, and notes what was written. */
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { eventDataIn } from '../../lib/json/event-data.js'
import type { Exchange } from './exchange.js'
import type { Reply } from './reply.js'

const MAX_EVENTS = 100

/** Milliseconds since the epoch, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now()

/**
 * Writes the reply, then completes the exchange by what the client got, at most `maxBytes` bytes of its body, whose
 * length it resolves with. Never rejects: a client that goes away ends the writing.
 */
export const sendReply = async (
  response: ServerResponse, reply: Reply, exchange: Exchange, maxBytes: number
): Promise<number> => {
  const parts: Buffer[] = []
  let size = 0
  // When its last bytes were written: the client cannot have them earlier.
  let end = now()
  const add = (chunk: string | Buffer): Buffer => {
    const bytes = Buffer.from(chunk)
    if (size < maxBytes) parts.push(bytes.subarray(0, maxBytes - size))
    size += bytes.length
    end = now()
    return bytes
  }
  const headers = reply.kind === 'raw' ? {} : reply.headers
  try {
    if (reply.kind === 'raw') {
      const { socket } = response
      socket?.end(add(reply.bytes))
    } else if (reply.kind === 'whole') {
      response.writeHead(reply.status, headers)
      response.end(add(reply.body))
    } else {
      response.writeHead(reply.status, headers)
      response.flushHeaders()
      for await (const chunk of reply.chunks) {
        if (response.destroyed) break
        if (!response.write(add(chunk))) await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
      if (reply.cut) response.destroy()
      else response.end()
    }
  } catch {
    response.destroy()
  }
  const body = Buffer.concat(parts).toString()
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  Object.assign(exchange, {
    status: reply.status,
    truncated: size > maxBytes,
    replyHeaders: headers,
    durationMs: end - exchange.at,
    end,
    reply: isStream || body === '' ? undefined : body,
    events: isStream ? eventDataIn(body).slice(0, MAX_EVENTS) : undefined
  })
  return body.length
}
