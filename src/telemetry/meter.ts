/** What is measured as it happens. Each metrics backend implements this interface. */
import type { OperationLabels } from '../engine/request-info.js'

export interface Meter {
  /** A message has been processed; `revision` is absent when it was not admitted. */
  operation (operation: OperationLabels, seconds: number, revision: string | undefined): void
  /** An HTTP request has been answered, or its client disconnected. */
  request (request: HttpRequest): void
  requestStarted (): void
  /** A limit refused something. `window` is empty when the limit is not a rate. */
  rateLimited (scope: string, window: string): void
  sessionOpened (): void
  sessionEnded (seconds: number): void
}

export interface HttpRequest {
  method: string
  /** The route's pattern; empty for an unknown path. */
  route: string
  status: number
  seconds: number
  /** The operation that was asked for, on the MCP endpoint. */
  operation: OperationLabels | undefined
  /** Of the bodies; undefined when unknown. */
  requestBytes: number | undefined
  responseBytes: number | undefined
}

/** A meter, and gauges that are read at each scrape. */
export interface Metrics {
  meter: Meter
  /** `read` may return one value per value of `label`. A gauge that cannot be read is left out of the scrape. */
  gauge (name: string, help: string, read: () => MetricValue | Promise<MetricValue>, label?: string): void
}

export type MetricValue = number | Readonly<Record<string, number>>

export const fanOutMeter = (all: readonly Meter[]): Meter => ({
  operation: (...what) => { for (const meter of all) meter.operation(...what) },
  request: (what) => { for (const meter of all) meter.request(what) },
  requestStarted: () => { for (const meter of all) meter.requestStarted() },
  rateLimited: (...what) => { for (const meter of all) meter.rateLimited(...what) },
  sessionOpened: () => { for (const meter of all) meter.sessionOpened() },
  sessionEnded: (seconds) => { for (const meter of all) meter.sessionEnded(seconds) }
})
