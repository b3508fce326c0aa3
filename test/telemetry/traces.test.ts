// Spans and figures of requests by the conventions of OpenTelemetry, in the traces of clients.
import { setImmediate } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'
import { NodeSDK, metrics as figures, tracing } from '@opentelemetry/sdk-node'
import t from 'tap'
import { build, handshake, legacy, meta, modern, modernRequest, post } from '../helpers/build.js'
import { globalTelemetry } from '../helpers/telemetry.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const OTHER_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const OTHER_PARENT = `00-${OTHER_TRACE}-b7ad6b7169203331-01`

const spans = new tracing.InMemorySpanExporter()
const exported = new figures.InMemoryMetricExporter(figures.AggregationTemporality.CUMULATIVE)
const reader = new figures.PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 3_600_000 })
globalTelemetry(t)
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [new tracing.SimpleSpanProcessor(spans)],
  metricReaders: [reader]
})
sdk.start()
t.teardown(() => sdk.shutdown())

/** The span that the last audited call was worked on in. */
let active: string | undefined
const { app, key, log } = await build(t, {}, [], undefined, undefined, {
  audit: {
    record: async () => { active = trace.getActiveSpan()?.spanContext().spanId }, purge: async () => 0, createPartitions: async () => 0
  }
})
const endpoint = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

const finished = () => [...spans.getFinishedSpans()]
const taken = () => {
  const all = finished()
  spans.reset()
  return {
    http: all.filter(({ name }) => name.includes(' /')),
    mcp: all.filter(({ attributes }) => 'mcp.method.name' in attributes)
  }
}
t.beforeEach(() => spans.reset())

t.test('a call is a span in the trace that _meta names, linked to its HTTP request', async (t) => {
  log.length = 0
  await modern(app, key, 'tools/call', { name: 'list_workspaces', arguments: {}, _meta: meta({ traceparent: PARENT, tracestate: 'rojo=1' }) }, {
    traceparent: OTHER_PARENT
  })
  const { http: [http], mcp: [mcp, ...more] } = taken()
  t.same(more, [])
  t.match(mcp, {
    name: 'tools/call list_workspaces',
    kind: 1,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'list_workspaces',
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': '2026-07-28',
      'jsonrpc.request.id': '1',
      'network.transport': 'tcp'
    },
    status: { code: 0 },
    parentSpanContext: { traceId: TRACE, spanId: '00f067aa0ba902b7' }
  })
  t.equal(mcp!.spanContext().traceId, TRACE)
  t.equal(active, mcp!.spanContext().spanId, 'the work is done inside it, so that what it does is a part of it')
  t.equal(mcp!.parentSpanContext?.traceState?.get('rojo'), '1')
  t.match(http, {
    name: 'POST /mcp',
    kind: 1,
    parentSpanContext: { traceId: OTHER_TRACE },
    attributes: {
      'http.request.method': 'POST', 'http.route': '/mcp', 'http.response.status_code': 200, 'url.path': '/mcp'
    }
  })
  t.equal(mcp!.links[0]?.context.spanId, http!.spanContext().spanId)
  const answered = log.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'answered')
  t.match(answered, { trace_id: TRACE, span_id: mcp!.spanContext().spanId })
})

t.test('without one in _meta it is a child of its HTTP request, which is in the trace of the header', async (t) => {
  // By a connection: reading a body from one must not lead out of the context that the request began in.
  const { headers, ...call } = modernRequest(key, 'tools/list')
  const { status } = await fetch(endpoint, {
    ...call, headers: { ...headers, traceparent: OTHER_PARENT }
  })
  t.equal(status, 200)
  const { http: [http], mcp: [mcp] } = taken()
  t.equal(mcp!.name, 'tools/list')
  t.equal(mcp!.parentSpanContext?.spanId, http!.spanContext().spanId)
  t.equal(mcp!.spanContext().traceId, OTHER_TRACE)
  t.same(mcp!.links, [])
})

t.test('the legacy era too, with a name for its session that opens nothing', async (t) => {
  const session = await handshake(app, key)
  await legacy(app, key, session, 'tools/call', { name: 'ping', arguments: {}, _meta: { traceparent: PARENT } })
  await legacy(app, key, session, 'tools/list')
  await post(app, key, { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session })
  const { mcp } = taken()
  t.same(mcp.map(({ name }) => name), ['initialize', 'tools/call ping', 'tools/list', 'notifications/initialized'])
  const named = mcp.slice(1, 3).map(({ attributes }) => String(attributes['mcp.session.id']))
  t.match(named[0], /^[0-9a-f]{32}$/)
  t.equal(named[0], named[1])
  t.notOk(session.includes(named[0]!))
  t.match(mcp[1]!.attributes, { 'mcp.protocol.version': '2025-11-25' })
})

t.test('what went wrong is its code, or tool_error', async (t) => {
  await modern(app, key, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: 'no id' } })
  await modern(app, key, 'tools/call', { name: 'no_such_tool', arguments: {} })
  await modern(app, key, 'no/such/method')
  await modern(app, key, 'resources/read', { uri: 'service://exploration/svc_key_SECRET' })
  await modern(app, key, 'resources/read', { uri: 'service://workspaces' })
  const { mcp } = taken()
  t.equal(mcp.pop()?.attributes['mcp.resource.uri'], 'service://workspaces', 'a resource that was found is named')
  t.same(mcp.map(({ name, attributes, status }) => [name, attributes['error.type'], attributes['rpc.response.status_code'], status.code]), [
    ['tools/call get_exploration', 'tool_error', undefined, 2],
    ['tools/call', '-32602', '-32602', 2],
    ['_OTHER', '-32601', '-32601', 2],
    ['resources/read', '-32602', '-32602', 2]
  ])
})

t.test('neither arguments nor secrets are in spans or figures, whatever is sent', async (t) => {
  const mark = 'SECRETSECRET'
  await modern(app, key, 'tools/call', { name: 'find_explorations', arguments: { query: mark } })
  await modern(app, key, 'tools/call', { name: mark, arguments: {} })
  await modern(app, key, mark)
  await modern(app, key, 'resources/read', { uri: `service://${mark}` })
  await modern(app, key, 'tools/list', { _meta: meta({ baggage: `a=${mark}`, tracestate: `a=${mark}`, traceparent: mark }) })
  await legacy(app, key, await handshake(app, key), 'resources/unsubscribe', { uri: `service://${mark}` })
  await post(app, `svc_key_${mark}`, `{"${mark}`, {}, `/mcp?token=${mark}`)
  await app.inject({ method: 'GET', url: `/${mark}?token=${mark}`, headers: { host: 'localhost', authorization: `Bearer ${key}` } })
  const kept = finished().map(({ name, attributes, status, events, links }) => ({ name, attributes, status, events, links }))
  await reader.forceFlush()
  const all = JSON.stringify(kept).replaceAll(`"url.path":"/${mark}"`, '') + JSON.stringify(exported.getMetrics().map(({ scopeMetrics }) => scopeMetrics))
  t.notMatch(all, mark)
  t.notMatch(all, key)
})

t.test('a trace context that is none is no reason to refuse', async (t) => {
  for (const traceparent of ['x', `00-${TRACE}-${'0'.repeat(16)}-01`, 'a'.repeat(30_000), 7, null, [PARENT], { a: PARENT }]) {
    const { status } = await modern(app, key, 'tools/list', { _meta: meta({ traceparent, tracestate: traceparent, baggage: traceparent }) })
    t.equal(status, 200)
    t.not(taken().mcp[0]!.spanContext().traceId, TRACE, JSON.stringify(traceparent).slice(0, 80))
  }
  t.equal((await modern(app, key, 'tools/list', {}, { traceparent: 'x', tracestate: 'y'.repeat(2000) })).status, 200)
})

t.test('the span of a request whose client goes away is ended', async (t) => {
  const gone = new AbortController()
  const listening = await fetch(endpoint, {
    signal: gone.signal,
    ...modernRequest(key, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  })
  t.equal(listening.status, 200)
  gone.abort()
  while (spans.getFinishedSpans().length < 2) await setImmediate()
  const { http, mcp } = taken()
  t.equal(http.length, 1)
  t.match(mcp, [{ name: 'subscriptions/listen', status: { code: 0 } }])
})

t.test('health checks leave no spans, a request that was refused leaves one', async (t) => {
  for (const url of ['/livez', '/readyz']) await app.inject({ method: 'GET', url, headers: { host: 'localhost' } })
  t.same(finished(), [])
  await post(app, undefined, {})
  const { http, mcp } = taken()
  t.match(http, [{ name: 'POST /mcp', attributes: { 'http.response.status_code': 401 }, status: { code: 0 } }])
  t.same(mcp, [])
})

t.test('figures by the conventions', async (t) => {
  await modern(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  const session = await handshake(app, key)
  await app.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': session } })
  exported.reset()
  await reader.forceFlush()
  const all = exported.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics).flatMap(({ metrics }) => metrics)
  const named = (name: string) => all.find(({ descriptor }) => descriptor.name === name)
  t.match(named('mcp.server.operation.duration')?.descriptor, { unit: 's' })
  const calls = named('mcp.server.operation.duration')?.dataPoints.filter(({ attributes }) => attributes['gen_ai.tool.name'] === 'list_workspaces')
  t.match(
    calls,
    [{ attributes: { 'mcp.method.name': 'tools/call', 'mcp.protocol.version': '2026-07-28', 'gen_ai.operation.name': 'execute_tool' } }]
  )
  t.ok(named('mcp.server.session.duration'))
  t.ok(named('http.server.request.duration'))
  t.ok(named('mcp.server.open_streams'))
})
