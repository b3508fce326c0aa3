// The requests of `npm run bench:embedded`: records to read and questions to ask, from an import file.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Pool } from 'undici'

const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' }
}
const QUESTION_WORDS = 10

/** The explorations of an import file (their ids, and questions made of their titles and sentences), and the ids of its workspaces. */
export const readRecords = async (file) => {
  const stream = createReadStream(file)
  const explorations = []
  const workspaces = []
  for await (const line of createInterface({ input: file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream })) {
    if (line.startsWith('{"type":"workspace"')) workspaces.push(JSON.parse(line).id)
    if (!line.startsWith('{"type":"exploration"')) continue
    const { id, title, summaries = [] } = JSON.parse(line)
    const sentences = summaries.flatMap(({ text }) => text.split(/[.!?]\s+/)).filter((sentence) => sentence.split(/\s+/).length >= 4)
    explorations.push({ id, questions: [title, ...sentences.slice(0, 3)].map((text) => text.split(/\s+/).slice(0, QUESTION_WORDS).join(' ')) })
  }
  return { explorations, workspaces }
}

/** A modern call of a tool, or of `ping`. */
export const call = (key, name, args) => ({
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': name
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } })
})

/** All of a list, in an order in which each part of it is like the whole: titles and sentences take about the same turns everywhere. */
const mixed = (list) => {
  const step = coprime(Math.round(list.length * 0.618), list.length)
  return list.map((_, n) => list[n * step % list.length])
}

/** The next number from `number` on that has no common divisor with `other`. */
const coprime = (number, other) => {
  const divisor = (a, b) => b === 0 ? a : divisor(b, a % b)
  return divisor(number, other) === 1 ? number : coprime(number + 1, other)
}

/** Each list with the keys in turn. */
export const requestsOf = (explorations, keys) => ({
  get: explorations.map(({ id }, n) => call(keys[n % keys.length], 'get_exploration', { exploration_id: id })),
  find: mixed(explorations.flatMap(({ questions }) => questions)).map((query, n) =>
    call(keys[n % keys.length], 'find_explorations', { query: query.slice(0, 300), limit: 10 })),
  ping: keys.map((key) => call(key, 'ping', {}))
})

/** Sends requests over so many connections. */
export const clientOf = (port, connections) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  const send = async ({ headers, body }) => {
    const begun = performance.now()
    const reply = await pool.request({ method: 'POST', path: '/mcp', headers, body })
    const text = await reply.body.text()
    if (reply.statusCode !== 200 || text.includes('"isError":true')) throw new Error(`answered ${reply.statusCode}: ${text.slice(0, 300)}`)
    return performance.now() - begun
  }
  return {
    /** Sends `count` requests from place `from` of the list on, one per connection at a time; gives the sorted milliseconds and the rate. */
    async load (requests, count, from = 0) {
      const times = []
      let sent = 0
      const begun = performance.now()
      await Promise.all(Array.from({ length: connections }, async () => {
        while (sent < count) times.push(await send(requests[(from + sent++) % requests.length]))
      }))
      return { times: times.sort((one, other) => one - other), rate: count * 1000 / (performance.now() - begun) }
    },
    send,
    close: () => pool.close()
  }
}
