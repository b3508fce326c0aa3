/**
 * An era is a way of framing a conversation. Everything that differs between the two lives behind this interface, so that
 * a method never asks which era it is in.
 */
import type { Client, LogLevel } from '../call.js'
import type { MethodResult } from '../methods/method.js'
import type { Notification, Request, Response } from '../rpc/message.js'
import type { Principal } from '../principal.js'
import type { Ask } from './input.js'
import type { Revision } from '../revisions.js'

/** The headers of a request as Node gives them: lower-cased names, each at most once. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The HTTP request that a message came in. */
export interface Exchange {
  headers: Headers
  principal: Principal
  requestId: string
  remoteAddress: string
  /** Calls back when the caller goes away before the reply is complete. */
  whenGone (listener: () => void): void
}

/** A request that its era has let in. */
export interface Opened {
  revision: Revision
  client: Client
  progressToken?: string | number | undefined
  /** The least level of log messages to send; none when absent. */
  logLevel?: LogLevel | undefined
  /** Headers of the reply that belong to the conversation, such as a new session's id. */
  headers?: Record<string, string>
}

export interface Era {
  name: 'legacy' | 'modern'
  /** Lets a request in, or throws the `Fault` that says why not. */
  open (request: Request, exchange: Exchange): Promise<Opened>
  /** Checks a message that gets no answer in the same way. */
  accept (message: Notification | Response, exchange: Exchange): Promise<void>
  /** How work of this request asks the client for input. */
  asker (request: Request, opened: Opened, exchange: Exchange): Ask
  /** A method's result as this era frames it. */
  result (result: MethodResult): Record<string, unknown>
}

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
