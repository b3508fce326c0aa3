/** What is measured as it happens. Each way to show figures is one of these. */
import type { OperationLabels } from '../mcp/request-info.js'

export interface Meter {
  /** A message has been worked on; `revision` is absent where it was not let in. */
  operation (operation: OperationLabels, seconds: number, revision: string | undefined): void
  /** An HTTP request has been answered, or its client has gone. */
  request (request: HttpRequest): void
  /** An HTTP request has begun. */
  requestStarted (): void
  /** A limit refused something. `window` is empty where the limit is no rate. */
  rateLimited (scope: string, window: string): void
  sessionOpened (): void
  /** `seconds` since it was opened. */
  sessionEnded (seconds: number): void
  taskStarted (): void
  taskEnded (status: string): void
}

export interface HttpRequest {
  method: string
  /** As it is registered; empty where there is none. */
  route: string
  status: number
  seconds: number
  /** What it asked for, on the MCP endpoint. */
  operation: OperationLabels | undefined
  /** Of the bodies; undefined where it is not known. */
  requestBytes: number | undefined
  responseBytes: number | undefined
}

/** A meter, and figures that are read when they are asked for. */
export interface Metrics {
  meter: Meter
  /** Left out where it cannot be read. With `label` one for each of its values. */
  gauge (name: string, help: string, read: () => MetricValue | Promise<MetricValue>, label?: string): void
}

export type MetricValue = number | Readonly<Record<string, number>>

/** One that tells all of them. */
export const fanOutMeter = (all: readonly Meter[]): Meter => ({
  operation: (...what) => { for (const meter of all) meter.operation(...what) },
  request: (what) => { for (const meter of all) meter.request(what) },
  requestStarted: () => { for (const meter of all) meter.requestStarted() },
  rateLimited: (...what) => { for (const meter of all) meter.rateLimited(...what) },
  sessionOpened: () => { for (const meter of all) meter.sessionOpened() },
  sessionEnded: (seconds) => { for (const meter of all) meter.sessionEnded(seconds) },
  taskStarted: () => { for (const meter of all) meter.taskStarted() },
  taskEnded: (status) => { for (const meter of all) meter.taskEnded(status) }
})
