// The SDK of OpenTelemetry: started where a collector is named, by a server that serves without it too.
import { createServer } from 'node:http'
import { trace } from '@opentelemetry/api'
import { fastify } from 'fastify'
import t from 'tap'
import { httpSpans } from '../../src/telemetry/http-spans.js'
import { startSdk } from '../../src/telemetry/sdk.js'
import { toolCall } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { listeningPort } from '../helpers/listening-port.js'
import { collector, globalTelemetry } from '../helpers/telemetry.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const NOT_THERE = 'a package that is not there'

/** All objects that hold this key, however deep. */
const holding = (body: unknown, key: string): Array<Record<string, unknown>> => {
  if (typeof body !== 'object' || body === null) return []
  return [...key in body ? [body as Record<string, unknown>] : [], ...Object.values(body).flatMap((value) => holding(value, key))]
}

t.test('without a collector nothing is loaded; without the packages the server serves, and the operator is told what to install', async (t) => {
  t.equal((await startSdk({ endpoint: undefined, failed: t.fail }, NOT_THERE)).missing, undefined)
  const sdk = await startSdk({ endpoint: 'http://127.0.0.1:9', failed: t.fail }, NOT_THERE)
  t.match(sdk.missing, /npm install @opentelemetry\/sdk-node @fastify\/otel$/)
  await sdk.close()
  const app = fastify()
  const told: unknown[] = []
  await httpSpans(app, (reason) => { told.push(reason) }, NOT_THERE)
  app.get('/', async () => 'served')
  t.equal((await app.inject('/')).body, 'served')
  t.match(told, [/npm install a package that is not there$/])
})

t.test('a collector that never answers is told of, and keeps no one from stopping', async (t) => {
  const endpoint = `http://127.0.0.1:${await listeningPort(t, createServer(() => {}))}`
  globalTelemetry(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '100' })
  const told: string[] = []
  const sdk = await startSdk({ endpoint, failed: (reason) => { told.push(reason) } })
  trace.getTracer('test').startSpan('lost').end()
  await sdk.close()
  t.ok(told.length > 0)
  t.ok(told.every((reason) => reason.length <= 300))
})

t.test('serve sends traces and figures to a collector, and what is left when it stops; who has a provider already keeps it', async (t) => {
  const { endpoint, sent } = await collector(t, {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'plans'
  })
  const cli = commandLine(t, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
  const user = await cli.json<{ id: string }>('users create --email a@example.com --name A')
  const { key } = await cli.json<{ key: string }>(`keys create --user ${user.id} --name a --scope read`)
  const { hello, stop } = await cli.serve()
  const answer = await fetch(/http:\S+\/mcp/.exec(hello)![0], {
    ...toolCall(key, 'ping', {}, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
  })
  t.equal(answer.status, 200, await answer.text())
  t.match(await stop(), { code: 0 })

  const of = (kind: string) => sent.filter(({ path }) => path === `/v1/${kind}`).map(({ body }) => JSON.parse(body) as unknown)
  const spans = holding(of('traces'), 'spanId').filter((span) => 'name' in span)
  t.match(spans.find(({ name }) => name === 'tools/call ping'), { traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  t.ok(spans.find(({ name }) => name === 'POST /mcp'))
  t.ok(holding(of('metrics'), 'histogram').find(({ name }) => name === 'mcp.server.operation.duration'))
  t.ok(holding(of('metrics'), 'gauge').find(({ name }) => name === 'mcp.server.event_loop_utilization'))
  const resource = new Map(holding(of('traces'), 'resource').flatMap((one) => holding(one['resource'], 'key')).map(({ key, value }) => [key, value]))
  t.match(resource.get('service.name'), { stringValue: 'plans' })
  t.match(resource.get('deployment.environment.name'), { stringValue: 'test' })
  t.notOk(resource.has('process.command_args'), 'arguments may hold an address with a password')
  t.ok(sent.every(({ authorization }) => authorization === 'Bearer of-the-collector'))
  t.notMatch(JSON.stringify(sent), key)
  const second = await startSdk({ endpoint, failed: t.fail }, NOT_THERE)
  t.equal(second.missing, undefined)
  await second.close()
})
