/** Measures and traces each message, and counts sessions. Labels have few different values, whatever clients send. */
import type { OperationLabels } from '../engine/request-info.js'
import type { Instrument } from '../engine/instrumentation.js'
import { targetOf } from '../engine/methods/index.js'
import type { Meter } from './meter.js'
import type { Tracing } from './tracing.js'
import type { Sessions } from '../engine/eras/legacy/session.js'

const NOTIFICATIONS = new Set([
  'notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/roots/list_changed'
])

/** The label of every unknown method: clients could send any number of names. */
export const OTHER = 'other'

/** The hook that the engine calls with each message. `tools` are the names that may become labels. */
export const instrumentOperations = (
  tools: readonly string[], meter: Meter | undefined, tracing: Tracing
): Instrument => {
  const toolNames = new Set(tools)
  return (message, definition, era, exchange) => {
    const started = performance.now()
    const target = definition?.name === 'tools/call' ? targetOf(definition, message.params) : undefined
    const method = definition?.name ?? (NOTIFICATIONS.has(message.method) ? message.method : OTHER)
    const tool = typeof target === 'string' && toolNames.has(target) ? target : ''
    const { about } = exchange
    // The outcome of a request whose client disconnects: `finish` is not called for it.
    const labels: OperationLabels = { method, tool, era, outcome: 'cancelled' }
    about.operation = about.operation ? { method: 'batch', tool: '', era, outcome: 'ok' } : labels
    const traced = tracing.begin(message, labels, exchange)
    return {
      run: traced.run,
      finish (outcome, admitted) {
        const operation = { ...labels, outcome }
        if (about.operation === labels) about.operation = operation
        traced.finish(operation, admitted)
        meter?.operation(operation, (performance.now() - started) / 1000, admitted?.revision)
      }
    }
  }
}

/** The same sessions; `meter` counts each that opens and, with its age in seconds, each that its client ends. */
export const instrumentSessions = (sessions: Sessions, ttlSeconds: number, meter: Meter): Sessions => ({
  ...sessions,
  issue (session) {
    meter.sessionOpened()
    return sessions.issue(session)
  },
  async end (id, expires) {
    await sessions.end(id, expires)
    meter.sessionEnded(Math.max(0, ttlSeconds - (expires - Date.now()) / 1000))
  }
})
