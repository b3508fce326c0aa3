// @own-process: registers global telemetry, and sets environment variables
import t from 'tap'
import { startSdk } from '../../src/telemetry/sdk.js'
import { trace } from '@opentelemetry/api'

t.test('without a collector nothing is loaded', async (t) => {
  const sdk = await startSdk({ endpoint: undefined, serviceName: 'x', failed: t.fail }, 'a package that is not there')
  t.equal(sdk.missing, undefined)
})

t.test('without its package the server serves, and the operator is told what to install', async (t) => {
  const sdk = await startSdk({ endpoint: 'http://127.0.0.1:9', serviceName: 'x', failed: t.fail }, 'a package that is not there')
  t.match(sdk.missing, /npm install @opentelemetry\/sdk-node/)
  await sdk.close()
})

t.test('a collector that is away is told of, and keeps nobody from stopping', async (t) => {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '100' })
  const told: string[] = []
  const sdk = await startSdk({ endpoint: 'http://127.0.0.1:9', serviceName: 'x', failed: (reason) => { told.push(reason) } })
  trace.getTracer('test').startSpan('lost').end()
  const begun = performance.now()
  await sdk.close()
  t.ok(performance.now() - begun < 5000)
  t.ok(told.length > 0)
  t.ok(told.every((reason) => reason.length <= 300))
})
