/** Measures and traces each message: names it by few names, tells the meters how long it took, and puts it into its trace. */
import type { Operation } from '../mcp/request-info.js'
import type { Watch } from '../mcp/instrumentation.js'
import { targetOf } from '../mcp/methods/index.js'
import type { Meter } from './meter.js'
import type { Tracing } from './tracing.js'

export interface OperationWatch {
  tools: readonly string[]
  meter: Meter | undefined
  tracing: Tracing
}

const NOTIFICATIONS = new Set(['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/roots/list_changed'])

/** What clients may send without end is one name. */
export const OTHER = 'other'

export const watchOperations = ({ tools, meter, tracing }: OperationWatch): Watch => {
  const known = new Set(tools)
  return (message, entry, era, exchange) => {
    const started = performance.now()
    const target = entry?.name === 'tools/call' ? targetOf(entry, message.params) : undefined
    const method = entry?.name ?? (NOTIFICATIONS.has(message.method) ? message.method : OTHER)
    const tool = typeof target === 'string' && known.has(target) ? target : ''
    const { about } = exchange
    // Who goes away before the end is no longer told of it.
    const begun: Operation = { method, tool, era, outcome: 'cancelled' }
    about.operation = about.operation ? { method: 'batch', tool: '', era, outcome: 'ok' } : begun
    const traced = tracing.begin(message, begun, exchange)
    return {
      within: traced.within,
      ended (outcome, opened) {
        const operation = { ...begun, outcome }
        if (about.operation === begun) about.operation = operation
        traced.ended(operation, opened)
        meter?.operation(operation, (performance.now() - started) / 1000, opened?.revision)
      }
    }
  }
}
