/** Ends a response whose body is one text by one write to its socket. */
import type { ServerResponse } from 'node:http'

/**
 * Makes `response.end(text)` write head and body as one text, and end the response in the next tick. Node's own `end`
 * always adds an empty piece, so that the socket gets a list of pieces, for which room of three bytes a character is
 * allocated. A body that is no text ends as before.
 */
export const endInOneWrite = (response: ServerResponse): void => {
  // One function for all: with one for each response, V8 keeps the responses until its next full collection.
  response.end = endText
}

/** Node keeps the length that the head announces, for its own check. */
type EndedResponse = ServerResponse & { _contentLength?: number | null }

function endText (this: EndedResponse, body?: unknown, ...rest: unknown[]): ServerResponse {
  if (typeof body !== 'string') return Reflect.apply(originalEnd(this), this, [body, ...rest])
  // Fastify has counted the bytes, and counting them again takes half a microsecond for 5 kB.
  const bytes = this._contentLength ?? Buffer.byteLength(body)
  // ASCII has the same bytes in Latin-1, which Node copies as they are.
  this.write(body, bytes === body.length ? 'latin1' : 'utf8')
  // In the same tick the socket would still be corked, and `end` would add its piece to the text.
  process.nextTick(endWritten, this)
  return this
}

const endWritten = (response: ServerResponse): void => { Reflect.apply(originalEnd(response), response, []) }

/** Of the response's class, which is another one where an app is asked without a socket (`app.inject`). */
const originalEnd = (response: ServerResponse): ServerResponse['end'] => Object.getPrototypeOf(response).end
