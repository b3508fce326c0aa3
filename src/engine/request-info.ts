/** What the server learns of a request while it works on it, for metrics, traces and logs. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fault } from '../lib/errors.js'
import type { Authentication } from '../lib/principal.js'

/** What is known of a request so far. It is filled in while the request is handled. */
export interface RequestInfo {
  /** Who calls, or why it is no one; undefined until authentication has run. */
  caller?: Authentication
  /** The trace that the request belongs to, in the form that the log uses. */
  trace?: { trace_id: string, span_id: string }
  /** The era that the headers name; a message's own metadata may name the other one. */
  era?: 'legacy' | 'modern'
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

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until something is known. */
    about: RequestInfo | null
  }
}

export const decorateRequestInfo = (app: FastifyInstance): void => {
  if (!app.hasRequestDecorator('about')) app.decorateRequest('about', null)
}

export const requestInfo = (request: FastifyRequest): RequestInfo => (request.about ??= {})
