/** One request in the hands of the program: era-neutral, already authenticated and opened. */
import type { Principal } from './principal.js'

export interface Client {
  name?: string
  version?: string
  capabilities: Readonly<Record<string, unknown>>
}

export interface Call {
  principal: Principal
  /** The revision of the specification that the caller speaks. */
  revision: string
  client: Client
  /** The server's own id of the HTTP request, as in the log. */
  requestId: string
  /** Fires when the caller has gone or takes the request back. Made when first read. */
  readonly signal: AbortSignal
  /** Adds a fact to the record that the audit log keeps of this call (such as `workspace_id`, `exploration_id`). */
  note (key: string, value: string): void
}

/** Something to say or to ask before the result. Progress and log are dropped when the caller did not ask for them. */
export type Step =
  | { kind: 'progress', progress: number, total?: number, message?: string }
  | { kind: 'log', level: LogLevel, data: unknown, logger?: string }
  | InputStep

/** Questions to the client, each under a key of the program's own. Yielding it gives the `Answers` once all are there. */
export interface InputStep {
  kind: 'input'
  requests: Readonly<Record<string, InputRequest>>
}

export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: Readonly<Record<string, unknown>>
}

/** The client's result for each key: an elicitation's, a sampling's or a list of roots. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** Work that may have something to say first. */
export type Work<Result> = Promise<Result> | AsyncGenerator<Step, Result, unknown>

/** Progress of a call. `progress` has to grow from one step to the next. */
export const progress = (done: number, total?: number, message?: string): Step =>
  ({ kind: 'progress', progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })

/** The call with what a room works with on it. The call's own properties stay live, so that its signal is still made only when read. */
export const withServices = <Services extends object>(call: Call, services: Services): Call & Services =>
  Object.assign(Object.create(call) as Call, services)

/** Asks the client; `const answers = yield input({ key: request })`. Work that asks is run again from its start in the modern era. */
export const input = (requests: Readonly<Record<string, InputRequest>>): InputStep => ({ kind: 'input', requests })
