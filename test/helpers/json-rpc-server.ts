/** A server that answers each POST by JSON, and knows nothing of MCP unless `answer` does. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listeningPort } from './listening-port.js'

/** Starts it; answers its address, with the path /mcp. */
export const jsonRpcServer = async (
  t: Test, answer: (method: string, id: unknown) => { status?: number, body: object }
): Promise<string> => {
  const server = createServer((request, reply) => {
    json(request).then((body) => {
      const { method, id } = body as { method: string, id: unknown }
      const { status = 200, body: answered } = answer(method, id)
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
    }, () => reply.writeHead(400).end())
  })
  return `http://127.0.0.1:${await listeningPort(t, server)}/mcp`
}

export const JSON_RPC_2 = (_method: string, id: unknown): { body: object } =>
  ({ body: { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } } })
/** As of 2005: no version, and members that are null. */
export const JSON_RPC_1 = (_method: string, id: unknown): { status: number, body: object } =>
  ({ status: 500, body: { result: null, error: 'no such method', id } })
