/** OpenTelemetry of this process: what a test registers and sets ends with it. */
import { context, diag, metrics, propagation, trace } from '@opentelemetry/api'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listeningPort } from './listening-port.js'

/** Call it before anything is registered. The SDK reads the variables of its process, as those of every language do. */
export const globalTelemetry = (t: Test, env: Record<string, string> = {}): void => {
  // Logs are not what is looked at, and their provider would stay.
  const all = { ...env, OTEL_LOGS_EXPORTER: 'none' }
  Object.assign(process.env, all)
  t.teardown(() => {
    for (const name of Object.keys(all)) delete process.env[name]
    for (const api of [trace, metrics, context, propagation, diag]) api.disable()
  })
}

export interface Sent { path: string, authorization: string | undefined, body: string }

/** A collector, and the variables that lead an SDK to it. `sent` grows while it runs. */
export const collector = async (t: Test, more: Record<string, string> = {}): Promise<{ endpoint: string, sent: Sent[] }> => {
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    text(request).then((body) => {
      sent.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }, t.fail)
  })
  const endpoint = `http://127.0.0.1:${await listeningPort(t, server)}`
  globalTelemetry(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...more })
  return { endpoint, sent }
}
