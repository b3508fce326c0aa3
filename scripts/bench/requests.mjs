// Requests of the benches, and a client that sends them over several connections and reads each reply.
import { Pool } from 'undici'

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const CLIENT = { name: 'bench', version: '1' }
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT
}

const request = (key, method, params, headers) => ({
  headers: {
    'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}`, ...headers
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
})

/** A request of the modern era. */
export const modern = (key, method, params = {}) => request(key, method, { _meta: META, ...params }, {
  'mcp-protocol-version': MODERN, 'mcp-method': method, ...params.name && { 'mcp-name': params.name }
})

/** A modern call of a tool. */
export const call = (key, name, args) => modern(key, 'tools/call', { name, arguments: args })

/** A request in a session. */
export const legacy = (key, session, method, params = {}) =>
  request(key, method, params, { 'mcp-session-id': session, 'mcp-protocol-version': LEGACY })

/** Opens a session on this port; gives its id. */
export const openSession = async (port, key) => {
  const hello = request(key, 'initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT })
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', ...hello })
  await reply.arrayBuffer()
  return reply.headers.get('mcp-session-id')
}

/** Sends requests to a server of builds.mjs over so many connections; rejects when one is not answered with a result. */
export const clientOf = ({ port, cpuMs }, connections) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  const send = async ({ path = '/mcp', headers, body }) => {
    const begun = performance.now()
    const reply = await pool.request({ method: 'POST', path, headers, body })
    const text = await reply.body.text()
    if (reply.statusCode !== 200 || text.includes('"isError":true')) {
      throw new Error(`answered ${reply.statusCode}: ${text.slice(0, 300)}`)
    }
    return performance.now() - begun
  }
  return {
    /** One request; gives its milliseconds. */
    send,
    /**
     * Sends `count` requests from index `from` on, one per connection at a time; gives the milliseconds of each, how many were answered a
     * second, and the milliseconds of the server's processor time for one.
     */
    async load (requests, count, from = 0) {
      const times = []
      let sent = 0
      const [begun, used] = [performance.now(), cpuMs()]
      await Promise.all(Array.from({ length: connections }, async () => {
        while (sent < count) times.push(await send(requests[(from + sent++) % requests.length]))
      }))
      return { times, rate: count * 1000 / (performance.now() - begun), cpu: (cpuMs() - used) / count }
    }
  }
}
