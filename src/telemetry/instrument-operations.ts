/** Measures and traces each message: names it by few names, tells the meters how long it took, and puts it into its trace. */
import type { OperationLabels } from '../mcp/request-info.js'
import type { Instrument } from '../mcp/instrumentation.js'
import { targetOf } from '../mcp/methods/index.js'
import type { Meter } from './meter.js'
import type { Tracing } from './tracing.js'

export interface OperationInstrumentDeps {
  tools: readonly string[]
  meter: Meter | undefined
  tracing: Tracing
}

const NOTIFICATIONS = new Set(['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/roots/list_changed'])

/** What clients may send without end is one name. */
export const OTHER = 'other'

export const instrumentOperations = ({ tools, meter, tracing }: OperationInstrumentDeps): Instrument => {
  const toolNames = new Set(tools)
  return (message, definition, era, exchange) => {
    const started = performance.now()
    const target = definition?.name === 'tools/call' ? targetOf(definition, message.params) : undefined
    const method = definition?.name ?? (NOTIFICATIONS.has(message.method) ? message.method : OTHER)
    const tool = typeof target === 'string' && toolNames.has(target) ? target : ''
    const { about } = exchange
    // Who goes away before the end is no longer told of it.
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
