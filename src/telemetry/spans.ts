/**
 * A span for each message, in the trace that its `_meta` names, else in that of its HTTP request. Holds neither
 * arguments nor secrets.
 */
import { createHash } from 'node:crypto'
import {
  context, isSpanContextValid, propagation, SpanKind, SpanStatusCode, trace, type Attributes, type TextMapGetter
} from '@opentelemetry/api'
import type { AdmittedRequest } from '../engine/eras/era.js'
import type { Notification, Request } from '../engine/jsonrpc/message.js'
import { redactText } from '../lib/redact/redact.js'
import { failureOf, namesOf, SCOPE, spanNameOf, TRANSPORT } from './conventions.js'
import { metaOf, type Tracing } from './tracing.js'

const MAX_ID_LENGTH = 64
const MAX_HEADER_LENGTH = 8192

/** Whether a tracing SDK is active: one that this server or its host process started. */
export const hasTracingSdk = (): boolean =>
  isSpanContextValid(trace.getTracer(...SCOPE).startSpan('whether spans are kept').spanContext())

export const spans = (): Tracing => {
  const tracer = trace.getTracer(...SCOPE)
  return {
    begin (message, named, { about, remoteAddress }) {
      const ambient = context.active()
      const around = trace.getSpanContext(ambient)
      const parent = propagation.extract(ambient, metaOf(message), TEXTS)
      const isRemote = trace.getSpanContext(parent) !== around
      const attributes = { ...namesOf(named), ...TRANSPORT, 'client.address': remoteAddress, ...idOf(message) }
      const links = isRemote && around ? [{ context: around }] : []
      const span = tracer.startSpan(spanNameOf(named), { kind: SpanKind.SERVER, attributes, links }, parent)
      const { traceId, spanId } = span.spanContext()
      about.trace = { trace_id: traceId, span_id: spanId }
      return {
        run: (work) => context.with(trace.setSpan(parent, span), work),
        finish (operation, admitted) {
          if (span.isRecording()) {
            const failure = failureOf(operation)
            span.setAttributes({
              ...admittedAttributes(admitted), ...failure, ...(operation.outcome === 'ok' && resourceOf(message))
            })
            // Without the error's message, which may quote what the client sent.
            if ('error.type' in failure) span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        }
      }
    }
  }
}

/** Reads strings of bounded length from `_meta`, whose content a client chose. */
const TEXTS: TextMapGetter<Readonly<Record<string, unknown>>> = {
  keys: (carrier) => Object.keys(carrier),
  get (carrier, key) {
    const value = Object.hasOwn(carrier, key) ? carrier[key] : undefined
    return typeof value === 'string' && value.length <= MAX_HEADER_LENGTH ? value : undefined
  }
}

const idOf = (message: Request | Notification): Attributes =>
  message.kind === 'request' ? { 'jsonrpc.request.id': redactText(String(message.id)).slice(0, MAX_ID_LENGTH) } : {}

const admittedAttributes = (admitted: AdmittedRequest | undefined): Attributes => admitted === undefined
  ? {}
  : {
      'mcp.protocol.version': admitted.revision,
      ...(admitted.sessionKey !== undefined && { 'mcp.session.id': nameOf(admitted.sessionKey) })
    }

/** A hash: it tells sessions apart and cannot be used as one. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32)

/** Only a URI that was found: such a URI holds nothing but ids. */
const resourceOf = ({ method, params: { uri } }: Request | Notification): Attributes =>
  URI_METHODS.has(method) && typeof uri === 'string' ? { 'mcp.resource.uri': uri } : {}

const URI_METHODS = new Set(['resources/read', 'resources/subscribe'])
