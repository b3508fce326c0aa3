// @own-process: registers global telemetry, and sets environment variables
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { startSdk } from '../../src/telemetry/sdk.js'
import { toolCall } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

interface Sent { path: string, authorization: string | undefined, body: unknown }

/** All objects that hold this key, however deep. */
const holding = (body: unknown, key: string): Array<Record<string, unknown>> => {
  if (typeof body !== 'object' || body === null) return []
  return [...key in body ? [body as Record<string, unknown>] : [], ...Object.values(body).flatMap((value) => holding(value, key))]
}

t.test('serve sends traces and figures to a collector, and what is left when it stops', async (t) => {
  const sent: Sent[] = []
  const collector = createServer((request, response) => {
    json(request).then((body) => {
      sent.push({ path: request.url!, authorization: request.headers.authorization, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }, t.fail)
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => collector.close())
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'plans'
  }
  // The SDK reads the variables of its process, as those of every language do.
  Object.assign(process.env, env)
  const cli = commandLine(t, { env })
  const user = await cli.json<{ id: string }>('users create --email a@example.com --name A')
  const { key } = await cli.json<{ key: string }>(`keys create --user ${user.id} --name a --scope read`)
  const { hello, stop } = await cli.serve()
  const answer = await fetch(/http:\S+\/mcp/.exec(hello)![0], {
    ...toolCall(key, 'ping', {}, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
  })
  t.equal(answer.status, 200, await answer.text())
  t.match(await stop(), { code: 0 })

  const traces = sent.filter(({ path }) => path === '/v1/traces')
  const spans = holding(traces, 'spanId').filter((span) => 'name' in span)
  t.match(spans.find(({ name }) => name === 'tools/call ping'), {
    traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2
  })
  t.ok(spans.find(({ name }) => name === 'POST /mcp'))
  const figures = sent.filter(({ path }) => path === '/v1/metrics')
  t.ok(holding(figures, 'histogram').find(({ name }) => name === 'mcp.server.operation.duration'))
  t.ok(holding(figures, 'gauge').find(({ name }) => name === 'mcp.server.event_loop_utilization'))
  const resource = new Map(holding(traces, 'resource').flatMap((one) => holding(one['resource'], 'key')).map(({ key, value }) => [key, value]))
  t.match(resource.get('service.name'), { stringValue: 'plans' })
  t.match(resource.get('deployment.environment.name'), { stringValue: 'test' })
  t.notOk(resource.has('process.command_args'), 'arguments may hold an address with a password')
  t.ok(sent.every(({ authorization }) => authorization === 'Bearer of-the-collector'))
  t.notMatch(JSON.stringify(sent.map(({ body }) => body)), key)
})

t.test('who has a provider already keeps it', async (t) => {
  const sdk = await startSdk({ endpoint: 'http://127.0.0.1:9', failed: t.fail }, 'a package that is not asked for')
  t.equal(sdk.missing, undefined)
  await sdk.close()
})
