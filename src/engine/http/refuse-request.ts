/** The error handler of the endpoint: turns every error into a `Fault`, and a fault into a JSON-RPC error. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endAfterRequest } from '../../lib/http/end-after-request.js'
import { errorCode } from '../../lib/error-code.js'
import { Fault, neededScopeOf, type FaultKind } from '../../lib/errors.js'
import { redactText } from '../../lib/redact/redact.js'
import type { AuditEntry, AuditSink } from '../audit-entry.js'
import { faultReply } from '../eras/faults.js'
import { internalFault, type ProtocolEngine } from '../protocol-engine.js'
import { errorResponse } from '../jsonrpc/message.js'
import { requestInfo } from '../request-info.js'
import { headerEra } from './http-exchange.js'
import { tooLarge } from './media-type.js'

export interface RefuseDeps {
  maxBodyBytes: number
  audit: Pick<AuditSink, 'recordDenial'> | undefined
  onUnexpectedError: ProtocolEngine['onUnexpectedError']
  addressOf (request: FastifyRequest): string
  /** Returns the WWW-Authenticate header of a 401, or of a 403 that a credential with `neededScope` would not get. */
  challenge (request: FastifyRequest, neededScope: string | undefined): string
}

export const createErrorHandler = ({ maxBodyBytes, audit, onUnexpectedError, addressOf, challenge }: RefuseDeps) => {
  const toFault = (error: unknown, request: FastifyRequest): Fault => {
    const where = { requestId: request.id, about: requestInfo(request) }
    if (error instanceof Fault) {
      if (error.cause !== undefined) onUnexpectedError(error, where)
      return error
    }
    const code = errorCode(error)
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(maxBodyBytes)
    // The client went away before its body was whole; no one reads the reply.
    if (code === 'ECONNRESET') return new Fault('invalid_request', 'The body ended before it was whole.')
    if (code?.startsWith('FST_ERR_CTP')) {
      return new Fault('invalid_request', 'The body could not be read as it was announced.')
    }
    onUnexpectedError(error, where)
    return internalFault(request.id)
  }

  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = requestInfo(request).refused = toFault(error, request)
    if (BEFORE_METHOD.includes(fault.kind)) audit?.recordDenial?.(denialEntry(fault, request, addressOf(request)))
    if (fault.kind === 'content_too_large') endAfterRequest(request.raw, reply.raw)
    const { status, headers, error: rpcError } = faultReply(fault, headerEra(request))
    const neededScope = neededScopeOf(fault)
    if (status === 401 || neededScope !== undefined) reply.header('www-authenticate', challenge(request, neededScope))
    return reply.code(status).headers(headers).type('application/json').send(errorResponse(undefined, rpcError))
  }
}

// Later faults are audited with the method that failed.
const BEFORE_METHOD: readonly FaultKind[] = ['unauthorized', 'foreign_origin', 'rate_limited', 'too_many_streams']

const denialEntry = ({ kind, data }: Fault, { about, id, headers }: FastifyRequest, address: string): AuditEntry => {
  const caller = about?.caller
  const target = data?.['reason'] ?? data?.['window']
  const { 'user-agent': userAgent } = headers
  return {
    principal: caller && 'principal' in caller ? caller.principal : undefined,
    method: 'refused',
    target: typeof target === 'string' ? target : undefined,
    outcome: kind,
    durationMs: 0,
    requestId: id,
    remoteAddress: address,
    client: userAgent === undefined ? undefined : { name: redactText(userAgent).slice(0, 100) },
    fields: {}
  }
}
