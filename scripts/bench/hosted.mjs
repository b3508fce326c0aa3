// node scripts/services/run.mjs node scripts/bench/hosted.mjs: get_exploration through the hosted product (credential, access, both limits in Valkey,
// audit committed) beside a bare Fastify route that does one indexed PostgreSQL read of the same record, in interleaved rounds of one run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Pool } from 'undici'
import { openBackend } from '../../dist/commands/open-backend.js'
import { readConfig } from '../../dist/config.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const REQUESTS = 3000
const CONNECTIONS = 32
const AIM = { cpu: 0.5, p99: 2.5 }

const env = { DATABASE_URL: process.env.TEST_DATABASE_URL, VALKEY_URL: process.env.TEST_VALKEY_URL }
const backend = await openBackend(readConfig(env), undefined)
await backend.importRecords(createReadStream(new URL('../../dist/sample/sample.ndjson', import.meta.url)), () => {})
const [user] = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
const { key } = await backend.credentials.createKey({ user: user.id, name: 'bench', scope: 'admin' })
const { items: [workspace] } = await backend.store.workspaces.list((await backend.credentials.verify(key)).principal.workspaces, { limit: 1 })
const { items: [exploration] } = await backend.store.explorations.list(workspace.id, { limit: 1 })
await backend.close()

const MODERN = '2026-07-28'
const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' } }
const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` }
const params = { name: 'get_exploration', arguments: { exploration_id: exploration.id } }
const message = (extra) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...extra, ...params } })
const modern = { headers: { ...common, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'get_exploration' }, body: message({ _meta: META }) }

const start = async (kind) => {
  const child = fork(new URL('hosted-contender.mjs', import.meta.url), [kind], { env: { ...process.env, ...env }, execArgv: ['--no-warnings'] })
  const [{ port }] = await once(child, 'message')
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  const send = async ({ headers, body }) => {
    const reply = await pool.request({ method: 'POST', path: '/mcp', headers, body })
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
  }
  const cpu = async () => {
    child.send('cpu')
    return (await once(child, 'message'))[0].cpu
  }
  return { send, cpu, stop: async () => { await pool.close(); child.kill() } }
}

const bare = await start('bare')
const product = await start('product')
const opened = await product.send({
  headers: common,
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } })
})
const legacy = { headers: { ...common, 'mcp-session-id': opened.headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' }, body: message({}) }

const contenders = [
  { name: 'bare route', server: bare, request: modern },
  { name: 'get_exploration, modern', server: product, request: modern },
  { name: 'get_exploration, legacy', server: product, request: legacy }
]

const round = async ({ server, request }) => {
  const before = await server.cpu()
  const times = []
  let left = REQUESTS
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) {
      const begun = performance.now()
      const { status, text } = await server.send(request)
      if (status !== 200) throw new Error(`answered ${status}: ${text}`)
      times.push(performance.now() - begun)
    }
  }))
  times.sort((one, other) => one - other)
  return { cpu: (await server.cpu() - before) / REQUESTS, p99: times[Math.floor(times.length * 0.99)] }
}

for (const contender of contenders) Object.assign(contender, { cpu: Infinity, p99: Infinity })
for (let n = 0; n < ROUNDS; n++) {
  for (const contender of contenders) {
    const { cpu, p99 } = await round(contender)
    contender.cpu = Math.min(contender.cpu, cpu)
    contender.p99 = Math.min(contender.p99, p99)
  }
}

console.log(`Best of ${ROUNDS} interleaved rounds of ${REQUESTS} requests over ${CONNECTIONS} connections (aim: ${AIM.cpu} of the bare route by CPU, p99 at most ${AIM.p99} times its own)\n`)
for (const { name, cpu, p99 } of contenders) {
  const [ratio, times] = [contenders[0].cpu / cpu, p99 / contenders[0].p99]
  console.log(`${name.padEnd(26)}${cpu.toFixed(0).padStart(6)} µs CPU  ${ratio.toFixed(2)}   p99 ${p99.toFixed(1).padStart(6)} ms  ${times.toFixed(2)}×`)
}
for (const { stop } of [bare, product]) await stop()
process.exit()
