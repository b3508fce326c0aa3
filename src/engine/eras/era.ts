/**
 * An era is a way of framing a conversation. Everything that differs between the two eras is behind this interface,
 * so that a method never asks which era it is in.
 */
import type { SessionHandle, ClientInfo, CloseStream } from '../request-context.js'
import { Fault } from '../../lib/errors.js'
import type { LogLevel } from '../log-level.js'
import type { MethodDefinition } from '../methods/index.js'
import type { MethodResult } from '../methods/method.js'
import type { Notification, Request, Response } from '../jsonrpc/message.js'
import type { Principal } from '../../lib/principal.js'
import type { RequestInfo } from '../request-info.js'
import type { RequestInput } from '../input-request.js'
import type { Revision } from '../revisions.js'
import type { LazyAbortController } from '../cancellation.js'

/** The headers of a request as Node gives them: lower-cased names, each at most once. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The HTTP request that a message arrived in. */
export interface HttpExchange {
  headers: Headers
  headerEra: Era['name']
  principal: Principal
  requestId: string
  remoteAddress: string
  /** What the server has learnt of the request so far. */
  about: RequestInfo
  reply: ReplyMode
  /** Calls `listener` when the caller disconnects before the reply is complete. */
  onDisconnect (listener: () => void): void
  /** The slot that the call occupies; undefined when it needs none. */
  slot?: CallSlot | undefined
}

/** A place among the calls of one credential that run at the same time. */
export interface CallSlot {
  /** Keeps the slot occupied until this work has settled too, so that work after the reply counts for its caller. */
  hold (work: Promise<unknown>): void
}

/** `auto`: JSON unless something is sent before the result. `json` and `sse`: always alike. */
export type ReplyMode = 'auto' | 'json' | 'sse'

/** A request that its era has admitted. */
export interface AdmittedRequest {
  /** The method that is called; it exists in the era of the request. */
  method: MethodDefinition
  revision: Revision
  client: ClientInfo
  progressToken?: string | number | undefined
  /** The least severe level of log messages to send, or a function that looks it up. Sends none when undefined. */
  readonly logLevel?: LogLevel | undefined | (() => Promise<LogLevel>)
  /** Headers of the reply that belong to the conversation, such as the id of a new session. */
  readonly headers?: Record<string, string> | undefined
  readonly session?: SessionHandle | undefined
  /** The key under which the state of the session is stored. */
  sessionKey?: string
  /** The id of the caller's credential. */
  credential?: string
  /** Metadata of each notification that belongs to this request, such as those of a subscription. */
  notificationMeta?: Readonly<Record<string, unknown>> | undefined
  /** Calls `listener` when the client cancels the request by a message. Returns the function that stops listening. */
  onCancelled? (listener: () => void): () => void
}

/** One element of a reply stream: a JSON-RPC message, or the point at which the client may close the connection. */
export type Frame = string | CloseStream

/** One server-sent event. A plain string is a message without an id. */
export type ServerEvent = string | { id?: string, data?: string, retry?: number }

/** `legacy`: the revisions with a handshake, up to 2025-11-25. `modern`: those without one, from 2026-07-28. */
export type EraName = 'legacy' | 'modern'

/** The events of a stream. Call `return` when no one reads on. */
export interface Events {
  next (): Promise<IteratorResult<ServerEvent, void>>
  return (): Promise<unknown>
}

export interface Era {
  name: EraName
  /** Admits a request; rejects with the `Fault` that says why not. `method` is undefined when there is none. */
  admit (
    request: Request, exchange: HttpExchange, method: MethodDefinition | undefined
  ): Promise<AdmittedRequest>
  /** Checks a notification or a response in the same way. */
  accept (message: Notification | Response, exchange: HttpExchange): Promise<void>
  inputRequester (
    request: Request, admitted: AdmittedRequest, exchange: HttpExchange, cancellation: LazyAbortController
  ): RequestInput
  result (result: MethodResult, admitted: AdmittedRequest): Record<string, unknown>
  /** The result that announces a task; undefined in an era without tasks. */
  task? (task: Record<string, unknown>): Record<string, unknown>
  /** Turns a reply into events that outlive their connection; undefined when its end ends the request. */
  makeResumable? (
    request: Request,
    frames: AsyncGenerator<Frame, void, void>,
    admitted: AdmittedRequest,
    cancellation: LazyAbortController
  ): Events | undefined
}

/** @throws {Fault} `method_not_found` when the era does not have it */
export const requireMethod = (
  method: MethodDefinition | undefined, era: Era['name'], name: string, revision: string
): MethodDefinition => {
  if (method?.[era]) return method
  throw new Fault('method_not_found', `There is no method ${JSON.stringify(name)} in revision ${revision}.`)
}

/** Returns the value of a header; several values are joined by commas. `name` is in lower case. */
export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
