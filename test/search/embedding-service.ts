/** An embedding service on a local port that answers as a test wants it to, each request by the next behaviour; the last one stays. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface Asked {
  path: string | undefined
  headers: IncomingHttpHeaders
  body: { model: string, input: string[], dimensions?: number }
}

export type Behaviour = (reply: ServerResponse, asked: Asked) => void

export async function service (t: Test, ...behaviours: Behaviour[]) {
  const asked: Asked[] = []
  const server = createServer((request, reply) => {
    const { url: path, headers } = request
    readJson(request).then((body) => {
      const one = { path, headers, body: body as Asked['body'] }
      asked.push(one)
      behaviours[Math.min(asked.length, behaviours.length) - 1]!(reply, one)
    }, (error: unknown) => { reply.destroy(error instanceof Error ? error : undefined) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** A vector that tells texts apart: how long one is, beside 1. */
export const vectorOf = (text: string): number[] => [text.length, 1, 0]

/** As the interface says, in an order of its own. */
export const well: Behaviour = (reply, { body }) => {
  json(reply, {
    object: 'list',
    data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse()
  })
}

/** Answers each request with these vectors, whatever was asked. */
export const vectors = (...embeddings: unknown[]): Behaviour => (reply) => {
  json(reply, { data: embeddings.map((embedding, index) => ({ index, embedding })) })
}

export const json = (reply: ServerResponse, body: unknown): void => {
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify(body))
}

export const status = (
  code: number, headers: Record<string, string> = {}, text = '{"error":{"message":"no"}}'
): Behaviour => (reply) => {
  reply.writeHead(code, { 'content-type': 'application/json', ...headers }).end(text)
}
