/** What the server learns of a request while it works on it, for metrics, traces and logs. */
import type { Fault } from '../lib/errors.js'

export interface RequestInfo {
  /** The trace that the request belongs to, in the form that the log uses. */
  trace?: { trace_id: string, span_id: string }
  /** The method that is called, and its outcome so far. */
  operation?: OperationLabels
  /** Why the request was refused before its message was parsed. */
  refused?: Fault
}

/** Labels of metrics. The number of different values is bounded, whatever clients send. */
export interface OperationLabels {
  /** `other` when there is no such method. */
  method: string
  /** The tool that is called; empty when there is none, or no such tool. */
  tool: string
  era: 'legacy' | 'modern'
  outcome: string
}
