/**
 * An era is a way of framing a conversation. Everything that differs between the two lives behind this interface, so that
 * a method never asks which era it is in.
 */
import type { SessionHandle, ClientInfo, CloseStream } from '../request-context.js'
import type { LogLevel } from '../log-level.js'
import type { MethodResult } from '../methods/method.js'
import type { Notification, Request, Response } from '../jsonrpc/message.js'
import type { Principal } from '../../lib/principal.js'
import type { RequestInfo } from '../request-info.js'
import type { RequestInput } from '../input-request.js'
import type { Revision } from '../revisions.js'
import type { LazyAbortController } from '../cancellation.js'

/** The headers of a request as Node gives them: lower-cased names, each at most once. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The HTTP request that a message came in. */
export interface HttpExchange {
  headers: Headers
  principal: Principal
  requestId: string
  remoteAddress: string
  /** What is learnt of it on its way. */
  about: RequestInfo
  /** How to reply: as a stream only when something is said before the result, always, or never. */
  reply: ReplyMode
  /** Calls back when the caller goes away before the reply is complete. */
  onDisconnect (listener: () => void): void
  /** Told of work that may go on after the reply: what it costs is still its caller's. Absent where nobody counts it. */
  hold? (work: Promise<unknown>): void
}

export type ReplyMode = 'auto' | 'json' | 'sse'

/** A request that its era has let in. */
export interface AdmittedRequest {
  revision: Revision
  client: ClientInfo
  progressToken?: string | number | undefined
  /** The least level of log messages to send, or how to find it out; none when absent. */
  logLevel?: LogLevel | undefined | (() => Promise<LogLevel>)
  /** Headers of the reply that belong to the conversation, such as a new session's id. */
  headers?: Record<string, string>
  session?: SessionHandle
  /** What the session's things are kept under. */
  sessionKey?: string
  /** The id of the credential that asks. */
  credential?: string
  /** Metadata of every notification that is this request's own subject, as those of a subscription are. */
  notificationMeta?: Readonly<Record<string, unknown>>
  /** Calls back when the client takes the request back by a message of its own; gives what ends the waiting. */
  onCancelled? (listener: () => void): () => void
}

/** What a stream is made of: messages, and the moments when the client may let the connection go. */
export type Frame = string | CloseStream

/** One server-sent event; a text alone is a message without an id. */
export type ServerEvent = string | { id?: string, data?: string, retry?: number }

/** `return` says that nobody reads on. */
export interface Events {
  next (): Promise<IteratorResult<ServerEvent, void>>
  return (): Promise<unknown>
}

export interface Era {
  name: 'legacy' | 'modern'
  /** Lets a request in, or throws the `Fault` that says why not. */
  admit (request: Request, exchange: HttpExchange): Promise<AdmittedRequest>
  /** Checks a message that gets no answer in the same way. */
  accept (message: Notification | Response, exchange: HttpExchange): Promise<void>
  /** How work of this request asks the client for input. */
  inputRequester (
    request: Request, admitted: AdmittedRequest, exchange: HttpExchange, cancellation: LazyAbortController
  ): RequestInput
  /** A method's result as this era frames it. */
  result (result: MethodResult, admitted: AdmittedRequest): Record<string, unknown>
  /** The result that hands out a task, in an era that knows tasks. */
  task? (task: Record<string, unknown>): Record<string, unknown>
  /** The frames of a reply as events that outlive their connection; absent where the end of the connection ends the request. */
  makeResumable? (
    request: Request,
    frames: AsyncGenerator<Frame, void, void>,
    admitted: AdmittedRequest,
    cancellation: LazyAbortController
  ): Events | undefined
}

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
