/** Writes a reply to the client, and reports what was written. */
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Reply } from './reply.js'

/** Milliseconds since the epoch, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now()

export interface SentReply {
  status: number
  headers: Readonly<Record<string, unknown>>
  body: string
  truncated: boolean
  /** When its last bytes were written, in milliseconds since the epoch: the client cannot have them earlier. */
  at: number
}

/**
 * Writes the reply, then calls `onSent` with what the client got, at most `maxBytes` bytes of its body. Never rejects:
 * a client that goes away ends the writing.
 */
export const sendReply = async (
  response: ServerResponse,
  reply: Reply,
  maxBytes: number,
  onSent: (sent: SentReply) => void
): Promise<void> => {
  const parts: Buffer[] = []
  let size = 0
  let at = now()
  const add = (chunk: string | Buffer): Buffer => {
    const bytes = Buffer.from(chunk)
    if (size < maxBytes) parts.push(bytes.subarray(0, maxBytes - size))
    size += bytes.length
    at = now()
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
  onSent({ status: reply.status, headers, body: Buffer.concat(parts).toString(), truncated: size > maxBytes, at })
}
