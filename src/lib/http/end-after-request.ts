/** Responses to clients that leave before their end, or are still sending. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const MAX_DRAINED_BYTES = 16 * 1024 * 1024
const MAX_DRAIN_MS = 2000

/**
 * Makes `response.end(body)` write the body at once, drop what the client still sends, at most 16 MiB and for 2 s, and
 * close the connection then. Closing a connection that has unread bytes resets it, and a client that is reset loses the
 * answer that it has not read yet.
 */
export const endAfterRequest = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.readableEnded) return
  response.setHeader('connection', 'close')
  response.end = (body?: unknown): ServerResponse => {
    let drained = 0
    const onData = (chunk: Buffer | string): void => {
      drained += chunk.length
      if (drained > MAX_DRAINED_BYTES) end()
    }
    const end = (): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', end).off('close', end)
      // Of the response's class, which is another one where an app is asked without a socket (`app.inject`).
      Reflect.apply(Object.getPrototypeOf(response).end, response, [])
    }
    const timer = setTimeout(end, MAX_DRAIN_MS)
    response.write(body)
    // A hook may have piped the request into a stream that is not read any more.
    request.unpipe().on('data', onData).once('end', end).once('close', end).resume()
    return response
  }
}

export const onDisconnect = (response: ServerResponse, listener: () => void): void => {
  response.once('close', () => { if (!response.writableFinished) listener() })
}
