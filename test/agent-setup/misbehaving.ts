/** Proxies that do to requests and answers what proxies in the field do. */
import {
  createServer, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listeningPort } from '../helpers/listening-port.js'

/** A whole answer, which a proxy may change before it passes it on. */
export interface Answer { status: number, headers: IncomingHttpHeaders, body: string }

export interface Manners {
  /** Answers by itself, and says so. */
  instead? (incoming: IncomingMessage, reply: ServerResponse): boolean
  /** Where this request goes. */
  upstream? (incoming: IncomingMessage): string
  ask? (headers: IncomingHttpHeaders): IncomingHttpHeaders
  answer? (headers: IncomingHttpHeaders): OutgoingHttpHeaders
  /** Keeps the answer until it is whole, and changes it. */
  rewrite? (answer: Answer, incoming: IncomingMessage): void
  /** Passes on what comes first, and keeps the rest until there is all of it. */
  buffersTheRest?: boolean
  delayMs?: number
  /** Ends a stream after so long. */
  cutsAfterMs?: number
  tls?: { key: string, cert: string }
}

/** A proxy on loopback; its manners may change. `url` is its address, with the path of MCP, and `asked` what it was asked. */
export const proxy = async (
  t: Test, upstream: string, manners: Manners = {}
): Promise<{ url: string, asked: string[] }> => {
  const asked: string[] = []
  const pass = (incoming: IncomingMessage, reply: ServerResponse): void => {
    const { connection, ...headers } = incoming.headers
    asked.push(`${incoming.method} ${incoming.url}`)
    if (manners.instead?.(incoming, reply)) return
    const outgoing = request(manners.upstream?.(incoming) ?? new URL(incoming.url ?? '/', upstream), {
      method: incoming.method, headers: manners.ask?.(headers) ?? headers, agent: false
    })
    outgoing.on('response', (answer) => {
      const begin = () => reply.writeHead(answer.statusCode!, manners.answer?.(answer.headers) ?? answer.headers)
      if (manners.rewrite) {
        text(answer).then((body) => {
          const { 'transfer-encoding': _, ...headers } = answer.headers
          const whole = { status: answer.statusCode!, headers, body }
          manners.rewrite?.(whole, incoming)
          reply.writeHead(whole.status, { ...whole.headers, 'content-length': Buffer.byteLength(whole.body) }).end(whole.body)
        }, () => reply.destroy())
      } else if (manners.buffersTheRest) {
        begin()
        const kept: Buffer[] = []
        answer.once('data', (first: Buffer) => {
          reply.write(first)
          answer.on('data', (part: Buffer) => { kept.push(part) })
        })
        answer.on('end', () => { reply.end(Buffer.concat(kept)) })
      } else {
        begin().flushHeaders()
        answer.pipe(reply)
      }
      answer.on('error', () => reply.destroy())
      if (manners.cutsAfterMs !== undefined && answer.headers['content-type'] === 'text/event-stream') {
        setTimeout(() => { reply.end() }, manners.cutsAfterMs).unref()
      }
    })
    outgoing.on('error', () => reply.destroy())
    reply.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
  const listener = (incoming: IncomingMessage, reply: ServerResponse): void => {
    if (manners.delayMs === undefined) pass(incoming, reply)
    else setTimeout(() => pass(incoming, reply), manners.delayMs)
  }
  const server = manners.tls ? createSecureServer(manners.tls, listener) : createServer(listener)
  return { url: `${manners.tls ? 'https' : 'http'}://127.0.0.1:${await listeningPort(t, server)}/mcp`, asked }
}
