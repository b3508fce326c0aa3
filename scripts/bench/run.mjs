// npm run bench: the engine beside bare Fastify routes that stringify objects of the same size, in one process too, and beside the least that the
// contract of the endpoint demands (sketch-server.mjs). The figure is CPU time of the server per request. A machine's speed changes from one second to the next, so contenders answer in turns of many short
// rounds, in another order each time, a ratio compares two of the same round, and the median of all ratios counts. Before each measured round a few requests fill the caches of the processor, which another
// process had before. Two processes of one program differ by up to 10 %, as V8 optimizes each of them differently: each contender has several, and the medians of each are shown beside.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { busyClient } from './busy-client.mjs'
import { TOKEN } from './engine-server.mjs'

const STARTS = Number(process.env.BENCH_STARTS ?? 3)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 24)
const WARM_UP_ROUNDS = 16
const REQUESTS = 1000
const UNMEASURED_REQUESTS = 200
const CONNECTIONS = 16
const SESSIONS = 20_000

const BARE_CALL = 'bare route, the size of tools/call'
const BARE_LIST = 'bare route, the size of tools/list'
const BARE_PING = 'bare route, the size of ping'

/** What each contender is compared with, and the least that it should reach of it. */
const COMPARISONS = {
  [BARE_CALL]: {},
  'tools/call, modern': { against: BARE_CALL, least: 0.85 },
  'tools/call, legacy': { against: BARE_CALL, least: 0.85 },
  'tools/call, modern, as a stream': { against: 'tools/call, modern', least: 0.9 },
  'tools/call, legacy, as a stream': { against: 'tools/call, legacy' },
  [BARE_LIST]: {},
  'tools/list, modern': { against: BARE_LIST, least: 1.1 },
  'tools/list, legacy': { against: BARE_LIST, least: 1.1 },
  [BARE_PING]: {},
  'ping, legacy': { against: BARE_PING, least: 0.8 },
  'sketch: tools/call, modern': { against: BARE_CALL },
  'sketch: tools/call, legacy': { against: BARE_CALL },
  'sketch: tools/list, modern': { against: BARE_LIST },
  'sketch: ping': { against: BARE_PING }
}

const MODERN = '2026-07-28'
const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' } }
const COMMON = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${TOKEN}` }

const call = { name: 'get_exploration', arguments: { exploration_id: '3f1c9a52-8f0e-4a31-9a51-000000000001' } }

const modern = (method, params = {}) => ({
  headers: { ...COMMON, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }) },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } })
})
const legacy = (session, method, params = {}) => ({
  headers: { ...COMMON, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
})
const initialize = {
  headers: COMMON,
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } })
}

const start = async (args, env = {}) => {
  const child = fork(new URL('contender.mjs', import.meta.url), args, { env: { ...process.env, ...env }, execArgv: ['--expose-gc', '--no-warnings'] })
  const [{ port }] = await once(child, 'message')
  const client = await busyClient(port, CONNECTIONS)
  const ask = async (question) => {
    child.send(question)
    return (await once(child, 'message'))[0]
  }
  return {
    sendOne: ({ path = '/mcp', ...request }) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...request }),
    send: client.send,
    ask,
    stop () {
      client.close()
      child.kill()
    }
  }
}

/** Microseconds of the server's CPU per request. */
const round = async ({ send, ask }, request) => {
  await send(request, UNMEASURED_REQUESTS)
  const before = await ask('cpu')
  await send(request, REQUESTS)
  return ((await ask('cpu')).cpu - before.cpu) / REQUESTS
}

const shuffled = (all) => all.map((one) => ({ one, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ one }) => one)

const openSession = async ({ sendOne }) => {
  const reply = await sendOne(initialize)
  await reply.arrayBuffer()
  return reply.headers.get('mcp-session-id')
}

/** Starts a process of each contender and has them answer in turns: of each round the microseconds of CPU of each contender, by its name. */
const measure = async () => {
  const json = await start(['engine', 'auto'])
  const sse = await start(['engine', 'sse'])
  const sketch = await start(['sketch'])
  const session = await openSession(json)
  const sseSession = await openSession(sse)
  const sketchSession = await openSession(sketch)
  const bareRequests = { '/call': modern('tools/call', call), '/list': modern('tools/list'), '/ping': legacy(session, 'ping') }
  const bodies = {}
  for (const [path, request] of Object.entries(bareRequests)) bodies[path] = await (await json.sendOne(request)).json()
  const bare = await start(['bare'], { BENCH_BODIES: JSON.stringify(bodies) })

  const contenders = [
    { name: BARE_CALL, server: bare, request: { path: '/call', ...bareRequests['/call'] } },
    { name: 'tools/call, modern', server: json, request: modern('tools/call', call) },
    { name: 'tools/call, legacy', server: json, request: legacy(session, 'tools/call', call) },
    { name: 'tools/call, modern, as a stream', server: sse, request: modern('tools/call', call) },
    { name: 'tools/call, legacy, as a stream', server: sse, request: legacy(sseSession, 'tools/call', call) },
    { name: BARE_LIST, server: bare, request: { path: '/list', ...bareRequests['/list'] } },
    { name: 'tools/list, modern', server: json, request: modern('tools/list') },
    { name: 'tools/list, legacy', server: json, request: legacy(session, 'tools/list') },
    { name: BARE_PING, server: bare, request: { path: '/ping', ...bareRequests['/ping'] } },
    { name: 'ping, legacy', server: json, request: legacy(session, 'ping') },
    { name: 'sketch: tools/call, modern', server: sketch, request: modern('tools/call', call) },
    { name: 'sketch: tools/call, legacy', server: sketch, request: legacy(sketchSession, 'tools/call', call) },
    { name: 'sketch: tools/list, modern', server: sketch, request: modern('tools/list') },
    { name: 'sketch: ping', server: sketch, request: legacy(sketchSession, 'ping') }
  ]
  const rounds = []
  for (let n = -WARM_UP_ROUNDS; n < ROUNDS; n++) {
    const taken = {}
    for (const { name, server, request } of shuffled(contenders)) taken[name] = await round(server, request)
    if (n >= 0) rounds.push(taken)
  }
  for (const { stop } of [json, sse, sketch, bare]) stop()
  return rounds
}

/** Bytes of the heap that a session leaves behind. */
const bytesOfSession = async () => {
  const server = await start(['engine', 'auto'])
  await server.send(initialize, SESSIONS)
  const before = await server.ask('memory')
  await server.send(initialize, SESSIONS)
  const after = await server.ask('memory')
  server.stop()
  return (after.memory - before.memory) / SESSIONS
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1]

const starts = []
for (let n = 0; n < STARTS; n++) starts.push(await measure())
const rounds = starts.flat()

console.log(`CPU of the server per request: medians of ${rounds.length} interleaved rounds of ${REQUESTS} requests, ${STARTS} processes of each\n`)
console.log(`${''.padEnd(38)}${'µs'.padStart(8)}${'of bare'.padStart(9)}${'aim'.padStart(7)}${'met'.padStart(6)}   medians of each process`)
let missed = 0
for (const [name, { against, least }] of Object.entries(COMPARISONS)) {
  const microseconds = median(rounds.map((taken) => taken[name])).toFixed(1)
  if (against === undefined) {
    console.log(`${name.padEnd(38)}${microseconds.padStart(8)}`)
    continue
  }
  const ratioIn = (some) => median(some.map((taken) => taken[against] / taken[name]))
  const ratio = ratioIn(rounds)
  const isMissed = least !== undefined && ratio < least
  if (isMissed) missed++
  const aim = least === undefined ? ''.padStart(13) : `${least.toFixed(2).padStart(7)}${(isMissed ? 'no' : 'yes').padStart(6)}`
  console.log(`${name.padEnd(38)}${microseconds.padStart(8)}${ratio.toFixed(2).padStart(9)}${aim}   ${starts.map((some) => ratioIn(some).toFixed(2)).join(', ')}`)
}
console.log(`\nHeap after ${SESSIONS} legacy sessions opened and left: ${(await bytesOfSession()).toFixed(0)} bytes each`)
process.exitCode = missed === 0 ? 0 : 1
