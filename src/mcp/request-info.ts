/** What is learnt of a request while it is worked on, for whoever measures, traces or logs it. */
import type { Fault } from '../lib/errors.js'

export interface RequestInfo {
  /** The trace that it belongs to, as the log says it. */
  trace?: { trace_id: string, span_id: string }
  /** What it asks for, and how that ended so far. */
  operation?: OperationLabels
  /** Why it was refused before its message was understood. */
  refused?: Fault
}

/** Names of which there are few, whatever clients send. */
export interface OperationLabels {
  /** `other` where there is no such method. */
  method: string
  /** The tool that is called; empty where there is none, or no such tool. */
  tool: string
  era: 'legacy' | 'modern'
  outcome: string
}
