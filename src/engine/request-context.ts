/** The context of one request: era-neutral, authenticated and admitted. */
import type { AuditEntry } from './audit-entry.js'
import type { LogLevel } from './log-level.js'
import type { Principal } from '../lib/principal.js'

/** What the client declares about itself; not verified. */
export interface ClientInfo {
  name?: string
  version?: string
  capabilities: Readonly<Record<string, unknown>>
}

/** What a tool, a resource or a prompt knows of the request. `P` is what the server's authentication yields. */
export interface RequestContext<P extends Principal = Principal> {
  principal: P
  /** The revision of the specification that the caller uses. */
  revision: string
  client: ClientInfo
  /** The JSON-RPC id of the request, as the client chose it. */
  jsonrpcId: string | number
  /** The server's id of the HTTP request, as in the log. */
  requestId: string
  /** Aborts when the caller disconnects or cancels the request. Created on the first read. */
  readonly signal: AbortSignal
  /** The session of the caller; undefined when its era or its transport has none. */
  readonly session?: SessionHandle | undefined
  /** Adds a fact to the `fields` of this request's audit entry, which the caller does not get to see. */
  setAuditField (key: string, value: string): void
  /**
   * Runs work that writes the audit row of this request itself, such as in its transaction: `entryOf` returns the row,
   * with the outcome `ok`. When the work rejects, the row is written as usual.
   */
  auditWithin<T> (work: (entryOf: () => AuditEntry<P>) => Promise<T>): Promise<T>
}

/** The state of a legacy session that methods may change. */
export interface SessionHandle {
  setLogLevel (level: LogLevel): Promise<void>
  /** Rejects with a `Refusal` when the session has as many subscriptions as allowed. */
  subscribe (uri: string): Promise<void>
  unsubscribe (uri: string): Promise<void>
}

/**
 * What a handler yields before its result: a notification, a request for input, or a change of how the client gets
 * the result.
 */
export type HandlerEvent = OutgoingNotification | InputRequired | CloseStream | BecomeTask

/** A notification to the client. Progress and log messages are dropped when the caller did not ask for them. */
export type OutgoingNotification =
  | { kind: 'progress', progress: number, total?: number, message?: string }
  | { kind: 'log', level: LogLevel, data: unknown, logger?: string }
  | { kind: 'notification', method: string, params: Readonly<Record<string, unknown>> }

/** The caller may close the connection while the work continues, where its revision lets it come back. */
export interface CloseStream {
  kind: 'release'
  /** When the caller may reconnect, in milliseconds. */
  retryMs: number
}

/** The work of a tool takes long: it continues as a task when the client supports tasks, and otherwise as before. */
export interface BecomeTask {
  kind: 'task'
  /** Whether to refuse clients that do not support tasks. */
  required?: boolean
}

/**
 * Requests to the client, each under a key that the handler chooses. Yielding it returns the `InputResponses` when
 * all have arrived.
 */
export interface InputRequired {
  kind: 'input'
  requests: Readonly<Record<string, InputRequest>>
}

/** A request that the server sends to the client, in the form of the protocol. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: Readonly<Record<string, unknown>>
}

/** The client's result for each key: of an elicitation, a sampling or a list of roots. */
export type InputResponses = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A handler that yields events before it returns its result. */
export type HandlerGenerator<Result> = AsyncGenerator<HandlerEvent, Result, unknown>

/** A handler either returns a promise, or a generator that yields events before it returns its result. */
export type HandlerOutput<Result> = Promise<Result> | AsyncGenerator<HandlerEvent, Result, unknown>

/** Creates a progress event. `progress` has to grow from one event to the next; `total` has the same unit. */
export const progress = (done: number, total?: number, message?: string): HandlerEvent =>
  ({
    kind: 'progress', progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message })
  })

/** Adds services to the context of a request, which it changes, and returns it. */
export type AttachServices<Services extends object> = (context: RequestContext) => RequestContext & Services

export const createAttachServices = <Services extends object, P extends Principal>(
  services: Services | ((principal: P) => Services)
): AttachServices<Services> => typeof services === 'function'
    // What authenticates is the caller's own option, so that the principal is of its type.
    ? (context) => Object.assign(context, services(context.principal as P))
    : (context) => Object.assign(context, services)

/**
 * Creates a request for input: `const responses = yield inputRequired({ key: request })`. In the modern era the
 * handler is run again from its start when the responses arrive.
 */
export const inputRequired = (
  requests: Readonly<Record<string, InputRequest>>
): InputRequired => ({ kind: 'input', requests })

/**
 * Requests input from the client, from inside a handler: `const { name } = yield * requestInput({ name: request })`.
 * In the modern era the handler is run again from its start when the responses arrive.
 * @returns the client's response for each key: of an elicitation, a sampling or a list of roots
 * @throws {Refusal} when a legacy client refuses, fails or does not answer within 5 minutes
 */
export async function * requestInput<Key extends string> (
  requests: Readonly<Record<Key, InputRequest>>
): AsyncGenerator<InputRequired, Record<Key, Readonly<Record<string, unknown>>>, unknown> {
  // The engine resumes a handler with a checked response for each key, or throws into it.
  return (yield inputRequired(requests)) as Record<Key, Readonly<Record<string, unknown>>>
}
