// @own-process: registers global telemetry, and sets environment variables
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import t from 'tap'
import { httpSpans } from '../../src/telemetry/http-spans.js'
import { startSdk } from '../../src/telemetry/sdk.js'
import { trace } from '@opentelemetry/api'

t.test('without a collector nothing is loaded', async (t) => {
  const sdk = await startSdk({ endpoint: undefined, failed: t.fail }, 'a package that is not there')
  t.equal(sdk.missing, undefined)
})

t.test('without its package the server serves, and the operator is told what to install', async (t) => {
  const sdk = await startSdk({ endpoint: 'http://127.0.0.1:9', failed: t.fail }, 'a package that is not there')
  t.match(sdk.missing, /npm install @opentelemetry\/sdk-node @fastify\/otel$/)
  await sdk.close()
})

t.test('without the package for spans of requests the server serves, and says so', async (t) => {
  const app = fastify()
  const told: unknown[] = []
  await httpSpans(app, (reason) => { told.push(reason) }, 'a package that is not there')
  app.get('/', async () => 'served')
  t.equal((await app.inject('/')).body, 'served')
  t.match(told, [/npm install a package that is not there$/])
})

t.test('a collector that never answers is told of, and keeps no one from stopping', async (t) => {
  const collector = createServer(() => {})
  t.teardown(() => {
    collector.closeAllConnections()
    collector.close()
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '100' })
  const told: string[] = []
  const sdk = await startSdk({ endpoint, failed: (reason) => { told.push(reason) } })
  trace.getTracer('test').startSpan('lost').end()
  await sdk.close()
  t.ok(told.length > 0)
  t.ok(told.every((reason) => reason.length <= 300))
})
