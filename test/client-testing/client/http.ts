/** HTTP for the client of these tests: node:http, so that its defects can be lenient. */
import { request, type IncomingMessage } from 'node:http'
import { eventsIn, type ReadEvent } from '../../../src/lib/json/event-data.js'
import type { Has } from './defects.js'

export interface Answer { status: number, header (name: string): string | undefined, body: IncomingMessage }

export interface Sending { method: string, headers: Record<string, string | undefined>, body?: string, signal: AbortSignal }

export const send = (url: URL, { method, headers, body, signal }: Sending, has: Has): Promise<Answer> => new Promise((resolve, reject) => {
  const outgoing = request(url, {
    method,
    agent: false,
    insecureHTTPParser: has('lenient'),
    signal,
    headers: Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))
  }, (reply) => {
    resolve({ status: reply.statusCode ?? 0, header: (name) => [reply.headers[name]].flat().join(', ') || undefined, body: reply })
  })
  outgoing.on('error', reject)
  outgoing.end(body)
})

export const readText = async (body: IncomingMessage, has: Has): Promise<string> => {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch (error) {
    if (!has('lenient')) throw error
  }
  return new TextDecoder('utf-8', { fatal: !has('lenient') }).decode(Buffer.concat(chunks))
}

/** All that the strict client knows: an event a piece, of one line of data. */
const STRICT = /^(?:(?:(?:id|event): .+\n)*data: ?(?:\{.*\})?\n\n)+$/

export async function * readEvents (body: IncomingMessage, has: Has): AsyncGenerator<ReadEvent> {
  const pieces = async function * () {
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (has('strict') && !STRICT.test(String(piece))) throw new Error(`cannot read ${String(piece).slice(0, 100)}`)
      yield piece
    }
  }
  for await (const event of eventsIn(pieces())) if ((event.event ?? 'message') === 'message') yield event
}
