/** A client that balances over the replicas, as a proxy does that tries the next one, and knows what the right answers are. */
import { createParser } from 'eventsource-parser'
import { Agent, request } from 'undici'
import { BOTH, meta, MODERN } from '../helpers/build.js'
import type { Served } from './cluster.js'

export type Outcome = 'answered' | 'refused' | 'failed' | 'wrong'

interface Message {
  id?: number
  result?: { structuredContent?: { id?: string, exploration_id?: string } }
  error?: { code: number, message: string, data?: { retry_after_seconds?: number } }
}

interface Reply { status: number, retryAfter: unknown, message: Message | undefined, session: unknown, lastId: string | undefined }

const ATTEMPTS = 3
/** A stream that was lost is come back for, as often as it takes this long. */
const TIMEOUT_MS = 15_000

export const client = ({ addresses, key, exploration }: Pick<Served, 'addresses' | 'key' | 'exploration'>, name: string) => {
  const agent = new Agent({ connections: 128, headersTimeout: 20_000, bodyTimeout: 20_000 })
  const common = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: BOTH }
  let turn = 0

  /** From the next replica, or from another where that cannot be reached. */
  const exchange = async (method: 'GET' | 'POST', headers: Record<string, string>, body?: object): Promise<Reply> => {
    const first = turn++
    for (let attempt = 0; ; attempt++) {
      try {
        const reply = await request(`${addresses[(first + attempt) % addresses.length]}/mcp`, {
          method, dispatcher: agent, headers: { ...common, ...headers }, ...(body && { body: JSON.stringify(body) })
        })
        const streamed = String(reply.headers['content-type']).startsWith('text/event-stream')
        const read = streamed ? await readEvents(reply.body) : { message: await reply.body.json() as Message, lastId: undefined }
        return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], session: reply.headers['mcp-session-id'], ...read }
      } catch (error) {
        if (attempt + 1 === ATTEMPTS) throw error
      }
    }
  }

  const outcomeOf = ({ status, retryAfter, message }: Reply, id: number): Outcome => {
    // In a stream that has begun the status has been said.
    const later = status === 200 ? message?.error?.data?.retry_after_seconds : retryAfter
    if (message?.error?.code === 503 && later !== undefined) {
      if (process.env['FAULT_WORDS']) console.log(status, message.error.message)
      return 'refused'
    }
    const { id: read, exploration_id: planned } = message?.result?.structuredContent ?? {}
    const right = status === 200 && message?.id === id && (read ?? planned) === exploration
    if (!right && process.env['FAULT_WORDS']) console.log(status, JSON.stringify(message).slice(0, 500))
    return right ? 'answered' : 'wrong'
  }
  const settled = async (work: () => Promise<Outcome>): Promise<Outcome> => await work().catch(() => 'failed' as const)

  const called = (tool: string, id: number, _meta?: object) => ({
    jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: { exploration_id: exploration }, ...(_meta && { _meta }) }
  })

  return {
    /** The handshake of a legacy session that is named in the audit log. */
    async session (as: string): Promise<string> {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: as } }
      for (;;) {
        const { session } = await exchange('POST', {}, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
        if (typeof session === 'string') return session
      }
    },

    modern: (id: number, as: string): Promise<Outcome> => settled(async () => {
      const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'get_exploration' }
      const body = called('get_exploration', id, meta({ 'io.modelcontextprotocol/clientInfo': { name, version: as } }))
      return outcomeOf(await exchange('POST', headers, body), id)
    }),

    legacy: (id: number, session: string): Promise<Outcome> => settled(async () =>
      outcomeOf(await exchange('POST', { 'mcp-session-id': session }, called('get_exploration', id)), id)),

    /** A call whose answer is a stream, which is come back for elsewhere when it is lost. */
    streamed: (id: number, session: string): Promise<Outcome> => settled(async () => {
      const headers = { 'mcp-session-id': session }
      const call = called('get_planning_full', id, { progressToken: id })
      const end = performance.now() + TIMEOUT_MS
      let reply = await exchange('POST', headers, call)
      for (let lastId = reply.lastId; performance.now() < end;) {
        // What is told when a replica took the work with it, and when the rest is no longer kept.
        const again = reply.message?.error?.message.endsWith('Send the request again.')
        if (reply.message && !again) return outcomeOf(reply, id)
        reply = again || lastId === undefined
          ? await exchange('POST', headers, call)
          : await exchange('GET', { ...headers, accept: 'text/event-stream', 'last-event-id': lastId })
        lastId = reply.lastId ?? lastId
      }
      return 'failed'
    }),

    close: () => agent.destroy()
  }
}

/** The reply among the events, when it came, and the id to come back with otherwise. */
const readEvents = async (body: AsyncIterable<Buffer>): Promise<Pick<Reply, 'message' | 'lastId'>> => {
  const told: { message?: Message, lastId?: string } = {}
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (id !== undefined) told.lastId = id
      const message = data === '' ? {} : JSON.parse(data) as Message
      if (message.result ?? message.error) told.message = message
    }
  })
  try {
    for await (const chunk of body) parser.feed(chunk.toString())
  } catch (error) {
    if (told.lastId === undefined) throw error
  }
  return { message: told.message, lastId: told.lastId }
}
