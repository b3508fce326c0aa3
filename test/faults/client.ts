/** A client that balances over the replicas, as a proxy does that tries the next one, and knows what the right answers are. */
import { meta } from '../helpers/build.js'
import { wireTo, type Message, type Stream, type Wire } from '../helpers/wire.js'
import type { Served } from './cluster.js'

export type Outcome = 'answered' | 'refused' | 'failed' | 'wrong'

interface Told { message: Message | undefined, lastId: string | undefined }
type Reply = Told & { status: number, retryAfter: string | null, session: string | null }

const ATTEMPTS = 3
/** A stream that was lost is come back for, as often as it takes this long. */
const TIMEOUT_MS = 15_000

/** Requests to a server by its base address. Nothing of them has to be ended. */
export const wireOf = (address: string, key: string): Wire => wireTo({ teardown () {} } as never, `${address}/mcp`, key)

export const client = ({ addresses, key, exploration }: Pick<Served, 'addresses' | 'key' | 'exploration'>, name: string) => {
  let turn = 0

  /** From the next replica, or from another where that cannot be reached. */
  const exchange = async (send: (wire: Wire) => Promise<Stream>): Promise<Reply> => {
    const first = turn++
    for (let attempt = 0; ; attempt++) {
      try {
        const reply = await send(wireOf(addresses[(first + attempt) % addresses.length]!, key))
        const { status, headers } = reply
        return { status, retryAfter: headers.get('retry-after'), session: headers.get('mcp-session-id'), ...await readEvents(reply) }
      } catch (error) {
        if (attempt + 1 === ATTEMPTS) throw error
      }
    }
  }

  const outcomeOf = ({ status, retryAfter, message }: Reply, id: number): Outcome => {
    // In a stream that has begun the status has been said.
    const later = status === 200 ? message?.error?.data?.['retry_after_seconds'] : retryAfter
    if (message?.error?.code === 503 && (later ?? undefined) !== undefined) {
      if (process.env['FAULT_WORDS']) console.log(status, message.error.message)
      return 'refused'
    }
    const { id: read, exploration_id: planned } = (message?.result?.['structuredContent'] ?? {}) as { id?: string, exploration_id?: string }
    const right = status === 200 && message?.id === id && (read ?? planned) === exploration
    if (!right && process.env['FAULT_WORDS']) console.log(status, JSON.stringify(message).slice(0, 500))
    return right ? 'answered' : 'wrong'
  }
  const settled = async (work: () => Promise<Outcome>): Promise<Outcome> => await work().catch(() => 'failed' as const)

  const called = (tool: string, id: number, _meta?: object) =>
    ({ id, method: 'tools/call', params: { name: tool, arguments: { exploration_id: exploration }, ...(_meta && { _meta }) } })

  return {
    /** The handshake of a legacy session that is named in the audit log. */
    async session (as: string): Promise<string> {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: as } }
      for (;;) {
        const { session } = await exchange((wire) => wire.post({ id: 0, method: 'initialize', params }))
        if (session !== null) return session
      }
    },

    modern: (id: number, as: string): Promise<Outcome> => settled(async () => {
      const { method, params } = called('get_exploration', id, meta({ 'io.modelcontextprotocol/clientInfo': { name, version: as } }))
      return outcomeOf(await exchange((wire) => wire.modern(method, params, id)), id)
    }),

    legacy: (id: number, session: string): Promise<Outcome> => settled(async () =>
      outcomeOf(await exchange((wire) => wire.post(called('get_exploration', id), { 'mcp-session-id': session })), id)),

    /** A call whose answer is a stream, which is come back for elsewhere when it is lost. */
    streamed: (id: number, session: string): Promise<Outcome> => settled(async () => {
      const headers = { 'mcp-session-id': session }
      const begin = () => exchange((wire) => wire.post(called('get_planning_full', id, { progressToken: id }), headers))
      const end = performance.now() + TIMEOUT_MS
      let reply = await begin()
      for (let lastId = reply.lastId; performance.now() < end;) {
        // What is told when a replica took the work with it, and when the rest is no longer kept.
        const again = reply.message?.error?.message.endsWith('Send the request again.')
        if (reply.message && !again) return outcomeOf(reply, id)
        const from = again ? undefined : lastId
        reply = from === undefined ? await begin() : await exchange((wire) => wire.get({ ...headers, 'last-event-id': from }))
        lastId = reply.lastId ?? lastId
      }
      return 'failed'
    })
  }
}

/** The reply among the events, when it came, and the id to come back with otherwise. */
const readEvents = async (stream: Stream): Promise<Told> => {
  const told: Told = { message: undefined, lastId: undefined }
  try {
    for (let step = await stream.next(); !step.done; step = await stream.next()) {
      const { id, message } = step.value
      if (id !== undefined) told.lastId = id
      if (message?.result ?? message?.error) told.message = message
    }
  } catch (error) {
    if (told.lastId === undefined) throw error
  }
  return told
}
