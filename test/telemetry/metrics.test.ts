// Metrics that Prometheus scrapes: counted by labels of which there are few, and served on an address of their own.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { metricsServer, prometheus } from '../../src/telemetry/prometheus.js'
import { build, handshake, legacy, meta, MODERN, modern, modernRequest, post, type Server } from '../helpers/build.js'
import type { ServerDeps } from '../../src/server/dependencies.js'
import { commandLine } from '../helpers/command-line.js'

/** What was scraped: the value of the series with just these labels, and how many series there are of such names. */
const samplesOf = (text: string) => {
  const samples = new Map(text.split('\n').filter((line) => /^[a-z]/.test(line)).map((line) => {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return [`${name} ${labels.split(',').sort().join()}`, Number(value)]
  }))
  return {
    series: (prefix: string) => [...samples.keys()].filter((key) => key.startsWith(prefix)).length,
    value: (name: string, labels: Readonly<Record<string, string>>) =>
      samples.get(`${name} ${Object.entries(labels).map(([label, value]) => `${label}="${value}"`).sort().join()}`)
  }
}
type Samples = ReturnType<typeof samplesOf>

const { db } = await build(t)

const measured = async (t: Test, flags = {}, parts: Partial<ServerDeps> = {}): Promise<Server & { scrape (): Promise<Samples> }> => {
  const figures = prometheus()
  const server = await build(t, flags, [], db, undefined, { metrics: figures, ...parts })
  return { ...server, scrape: async () => samplesOf((await figures.scrape()).text) }
}

const EXPLORATION = '00000000-0000-4000-8000-000000000000'
const requests = (samples: Samples, method: string, outcome: string, era = 'modern', tool = '') =>
  samples.value('mcp_requests_total', { method, tool, era, outcome })

t.test('requests are counted, timed and sized by method, tool, era and outcome; sessions too', async (t) => {
  const { app, key, scrape } = await measured(t)
  await modern(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  await modern(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  const session = await handshake(app, key)
  await legacy(app, key, session, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: EXPLORATION } })
  await modern(app, key, 'resources/read', { uri: 'service://nothing' })
  const samples = await scrape()
  const listed = { method: 'tools/call', tool: 'list_workspaces', era: 'modern', outcome: 'ok' }
  t.equal(samples.value('mcp_requests_total', listed), 2)
  t.equal(samples.value('mcp_request_duration_seconds_count', listed), 2)
  t.ok(samples.value('mcp_request_duration_seconds_sum', listed)! > 0)
  t.equal(samples.value('mcp_request_size_bytes_count', listed), 2)
  t.ok(samples.value('mcp_request_size_bytes_sum', listed)! > 300)
  t.ok(samples.value('mcp_response_size_bytes_sum', listed)! > 1000, 'all three workspaces, twice')
  t.equal(requests(samples, 'tools/call', 'error', 'legacy', 'get_exploration'), 1)
  t.equal(requests(samples, 'resources/read', 'resource_not_found'), 1)
  t.equal(requests(samples, 'initialize', 'ok', 'legacy'), 1)
  t.equal(samples.value('mcp_http_request_duration_seconds_count', { method: 'POST', route: '/mcp', status: '200' }), 4)
  t.equal(samples.value('mcp_http_requests_in_flight', {}), 0)

  const batched = await handshake(app, key, '2025-03-26')
  await app.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': session } })
  await post(app, key, [{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'ping' }], { 'mcp-session-id': batched })
  const more = await scrape()
  t.equal(more.value('mcp_sessions_opened_total', {}), 2)
  t.equal(more.value('mcp_sessions_ended_total', {}), 1, 'when its client ends it')
  t.equal(requests(more, 'ping', 'ok', 'legacy'), 2, 'a batch counts each message, its bytes once')
  t.equal(more.value('mcp_request_size_bytes_count', { method: 'batch', tool: '', era: 'legacy', outcome: 'ok' }), 1)
})

t.test('who is refused before a method runs is counted with the reason, and each limit by window and scope', async (t) => {
  const { app, key, scrape } = await measured(t, {
    rateLimitReadPerMinute: '2', rateLimitReadPerDay: '3', failedAuthPerMinute: '1'
  })
  for (let n = 0; n < 4; n++) await modern(app, key, 'ping')
  for (let n = 0; n < 2; n++) await modern(app, 'svc_key_nonsense', 'tools/list')
  const samples = await scrape()
  t.equal(requests(samples, 'none', 'rate_limited'), 3)
  t.equal(requests(samples, 'none', 'unauthorized'), 1)
  t.equal(samples.value('mcp_rate_limit_refusals_total', { scope: 'read', window: 'minute' }), 2)
  t.equal(samples.value('mcp_rate_limit_refusals_total', { scope: 'address', window: 'minute' }), 1)
})

t.test('whatever clients send, there are few labels', async (t) => {
  const { app, key, scrape } = await measured(t, {
    rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '100000', failedAuthPerMinute: '100000'
  })
  const attack = async (n: number): Promise<void> => {
    await modern(app, key, `method/${n}`)
    await modern(app, key, 'tools/call', { name: `tool_${n}`, arguments: {} })
    await modern(app, key, 'resources/read', { uri: `service://exploration/${n}` })
    await post(app, key, { jsonrpc: '2.0', method: `notifications/${n}` }, { 'mcp-protocol-version': MODERN })
    await modern(app, key, `m${n}`, { _meta: meta({ 'io.modelcontextprotocol/protocolVersion': `v${n}` }) })
    await post(app, `svc_key_${n}`, {}, { 'mcp-protocol-version': `1900-01-${n}` })
    await app.inject({ method: 'GET', url: `/nowhere/${n}`, headers: { host: 'localhost' } })
  }
  await attack(0)
  const before = (await scrape()).series('mcp_')
  for (let n = 1; n < 40; n++) await attack(n)
  const samples = await scrape()
  t.equal(samples.series('mcp_'), before)
  t.equal(requests(samples, 'other', 'method_not_found'), 40)
  t.equal(requests(samples, 'tools/call', 'invalid_params'), 40)
})

t.test('an open stream is seen while it is open, and one whose client goes is no longer under way', async (t) => {
  const { app, key, scrape } = await measured(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const { body, ...listen } = modernRequest(key, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  const listening = request({ port, host: '127.0.0.1', path: '/mcp', ...listen })
  listening.end(body)
  const [response] = await once(listening, 'response')
  await once(response, 'data')
  const open = await scrape()
  t.equal(open.value('mcp_open_streams', {}), 1)
  t.equal(open.value('mcp_http_requests_in_flight', {}), 1)
  t.equal(open.value('mcp_http_connections', {}), 1)
  response.on('error', () => {})
  listening.destroy()
  const over = { method: 'subscriptions/listen', tool: '', era: 'modern', outcome: 'cancelled' }
  let samples = await scrape()
  while (samples.value('mcp_requests_total', over) !== 1 || samples.value('mcp_http_requests_in_flight', {}) !== 0) {
    await setImmediate()
    samples = await scrape()
  }
  t.equal(samples.value('mcp_open_streams', {}), 0)
  t.ok(samples.value('mcp_response_size_bytes_sum', over)! > 100, 'what was written of a stream')
})

t.test('the state of the server: pool, Valkey, search index, process', async (t) => {
  let reachable = true
  const { scrape } = await measured(t, {}, {
    databaseConnections: () => ({ inUse: 3, idle: 2, waiting: 7 }),
    valkey: { away: true, watch: () => {} },
    searchIndex: {
      state: async () => {
        if (!reachable) throw new Error('away')
        return { state: 'building', pending: 5, explorations: 9 } as never
      }
    }
  })
  const samples = await scrape()
  for (const [state, connections] of [['in_use', 3], ['idle', 2], ['waiting', 7]] as const) {
    t.equal(samples.value('mcp_database_connections', { state }), connections)
  }
  t.equal(samples.value('mcp_valkey_away', {}), 1)
  t.equal(samples.value('mcp_search_index_pending', {}), 5)
  t.equal(samples.value('mcp_draining', {}), 0)
  t.match(samples.value('mcp_event_loop_utilization', {}), Number)
  t.ok(samples.value('process_resident_memory_bytes', {})! > 1e6)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'mcp_build_info']) t.equal(samples.series(`${name} `), 1)
  reachable = false
  t.equal((await scrape()).value('mcp_search_index_pending', {}), undefined, 'what cannot be read is left out')
})

t.test('an audit that cannot be written is counted as the refusal that its caller got', async (t) => {
  const { app, key, scrape } = await measured(t, {}, {
    audit: { record: async () => { throw new Error('disk full') }, purge: async () => 0, createPartitions: async () => 0 }
  })
  await modern(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  const samples = await scrape()
  t.equal(requests(samples, 'tools/call', 'internal_error', 'modern', 'list_workspaces'), 1)
  t.equal(requests(samples, 'tools/call', 'ok', 'modern', 'list_workspaces'), undefined)
})

t.test('the address of the metrics serves nothing else, and only to its own name', async (t) => {
  const app = metricsServer(prometheus(), '127.0.0.1')
  t.teardown(() => app.close())
  const ask = (url: string, host = 'localhost', method: 'GET' | 'POST' = 'GET') =>
    app.inject({ url, method, headers: { host } })
  const metrics = await ask('/metrics')
  t.equal(metrics.statusCode, 200)
  t.equal(metrics.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  t.equal(metrics.headers['x-content-type-options'], 'nosniff')
  for (const url of ['/', '/mcp', '/readyz', '/livez', '/api/v1/token', '/metrics/']) t.equal((await ask(url)).statusCode, 404, url)
  t.equal((await ask('/metrics', 'localhost', 'POST')).statusCode, 404)
  t.equal((await ask('/metrics', 'rebound.example')).statusCode, 403)
})

t.test('serve --metrics-port: on an address of its own, while the server stops too', async (t) => {
  const cli = commandLine(t)
  const free = metricsServer(prometheus(), '127.0.0.1')
  await free.listen({ host: '127.0.0.1', port: 0 })
  const { port } = free.server.address() as AddressInfo
  t.match(await cli.run(`serve --port 0 --no-sample --metrics-port ${port}`), {
    code: 1, err: `Port ${port} of 127.0.0.1 is in use: stop what uses it, or choose another with --metrics-port.\n`
  })
  await free.close()
  const { hello, stop } = await cli.serve(`serve --port 0 --no-sample --metrics-port ${port}`)
  const endpoint = /http:\S+\/mcp/.exec(hello)![0]
  const scraped = await fetch(`http://127.0.0.1:${port}/metrics`)
  t.match(await scraped.text(), 'mcp_build_info')
  t.equal((await fetch(endpoint.replace('/mcp', '/metrics'))).status, 404)
  t.equal((await stop()).code, 0)
  await t.rejects(fetch(`http://127.0.0.1:${port}/metrics`))
})
