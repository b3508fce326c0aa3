/** The context of one request: era-neutral, authenticated and admitted. */
import type { LogLevel } from './log-level.js'
import type { Principal } from '../lib/principal.js'

export interface ClientInfo {
  name?: string
  version?: string
  capabilities: Readonly<Record<string, unknown>>
}

export interface RequestContext {
  principal: Principal
  /** The revision of the specification that the caller speaks. */
  revision: string
  client: ClientInfo
  /** The request's id, as the client chose it. */
  jsonrpcId: string | number
  /** The server's own id of the HTTP request, as in the log. */
  requestId: string
  /** Fires when the caller has gone or takes the request back. Made when first read. */
  readonly signal: AbortSignal
  /** What the caller's session remembers, in an era that has sessions. */
  readonly session?: SessionHandle | undefined
  /** Adds a fact to the audit event of this call: `workspace_id`, `exploration_id`, or an `outcome` that the caller is not told. */
  setAuditField (key: string, value: string): void
}

export interface SessionHandle {
  setLogLevel (level: LogLevel): Promise<void>
  /** A `Refusal` when the session watches as much as it may. */
  subscribe (uri: string): Promise<void>
  unsubscribe (uri: string): Promise<void>
}

/** Something to do before the result: to say, to ask, or to let the connection go. */
export type HandlerEvent = OutgoingNotification | InputRequired | CloseStream | BecomeTask

/** Progress and log are dropped when the caller did not ask for them. */
export type OutgoingNotification =
  | { kind: 'progress', progress: number, total?: number, message?: string }
  | { kind: 'log', level: LogLevel, data: unknown, logger?: string }
  | { kind: 'notification', method: string, params: Readonly<Record<string, unknown>> }

/** The caller need not hold the connection while the work goes on, where it can come back for the result. */
export interface CloseStream {
  kind: 'release'
  /** When the caller may come back, in milliseconds. */
  retryMs: number
}

/** From here on the work takes a while: it goes on as a task where the client knows tasks, else as before. */
export interface BecomeTask {
  kind: 'task'
  /** The work is only done as a task: clients that do not know tasks are refused. */
  required?: boolean
}

/** Questions to the client, each under a key of the program's own. Yielding it gives the `InputResponses` once all are there. */
export interface InputRequired {
  kind: 'input'
  requests: Readonly<Record<string, InputRequest>>
}

export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: Readonly<Record<string, unknown>>
}

/** The client's result for each key: an elicitation's, a sampling's or a list of roots. */
export type InputResponses = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Work that may have something to say first. */
export type HandlerOutput<Result> = Promise<Result> | AsyncGenerator<HandlerEvent, Result, unknown>

/** Progress of a call. `progress` has to grow from one step to the next. */
export const progress = (done: number, total?: number, message?: string): HandlerEvent =>
  ({
    kind: 'progress', progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message })
  })

/** Adds the services to the context. Mutates `context`, which belongs to one request. */
export const attachServices = <Services extends object>(
  context: RequestContext, services: Services
): RequestContext & Services =>
    Object.assign(context, services)

/** Asks the client; `const answers = yield input({ key: request })`. Work that asks is run again from its start in the modern era. */
export const inputRequired = (
  requests: Readonly<Record<string, InputRequest>>
): InputRequired => ({ kind: 'input', requests })
