/** Sends a call to the server behind the proxy. */
import { request as requestHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { request as requestHttps, Agent as HttpsAgent } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { ClientRequest } from './exchange.js'
import type { ReplyHeaders, Reply } from './reply.js'

/** A header that is undefined is left out. */
export interface RequestChanges {
  /** A name for the server instead of its own; an Origin that names it is passed on too. */
  host?: string
  headers?: Readonly<Record<string, string | undefined>>
  body?: string
  signal?: AbortSignal
}

// They belong to one connection (RFC 9110 section 7.6.1), or are written anew.
const HOP_BY_HOP = new Set([
  'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'upgrade', 'te', 'trailer',
  'proxy-connection'
])

/** Creates the sender of calls to one endpoint. `fixedHeaders` replace those of each call. */
export const createForwarder = (target: URL, fixedHeaders: ReplyHeaders = {}) => {
  const secure = target.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = secure ? requestHttps : requestHttp
  return {
    /** Sends a call and resolves when the head of its reply is there. Rejects when the server cannot be reached. */
    send: ({ method, url, headers, body, signal }: ClientRequest, changes: RequestChanges = {}) =>
      new Promise<Reply>((resolve, reject) => {
        const bytes = changes.body === undefined ? body : Buffer.from(changes.body)
        const all = { ...headers, 'accept-encoding': 'identity', ...fixedHeaders, ...changes.headers }
        const outgoing = Object.fromEntries(
          Object.entries(all).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.has(name)))
        if (changes.host !== undefined) outgoing['host'] = changes.host
        else if (headers.origin === `http://${headers.host}`) outgoing['origin'] = target.origin
        const query = url.indexOf('?')
        const path = target.pathname + (query < 0 ? target.search : url.slice(query))
        const upstream = request(new URL(path, target), {
          agent,
          method,
          headers: { ...outgoing, ...(bytes.length > 0 && { 'content-length': bytes.length }) },
          signal: changes.signal ?? signal
        }, (reply) => { toReply(reply).then(resolve, reject) })
        upstream.on('error', reject)
        upstream.end(bytes.length > 0 ? bytes : undefined)
      }),
    close: () => { agent.destroy() }
  }
}

const toReply = async (incoming: IncomingMessage): Promise<Reply> => {
  const status = incoming.statusCode ?? 502
  const headers = Object.fromEntries(
    Object.entries(incoming.headers)
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, value]) => [name, [value].flat().join(', ')])
  )
  if (headers['content-type']?.startsWith('text/event-stream')) {
    return { kind: 'stream', status, headers, chunks: incoming }
  }
  return { kind: 'whole', status, headers, body: await buffer(incoming) }
}
