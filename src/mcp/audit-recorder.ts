/** Writes one audit row per audited request before the reply; then ends its metrics. */
import { targetsOf, type MethodDefinition } from './methods/index.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import { isObject } from './jsonrpc/parse.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { Instrumented } from './instrumentation.js'

export interface AuditEntry {
  principal: Principal
  method: string
  target: string | undefined
  /** `ok`, `error` for a result that says so, or the kind of the fault. */
  outcome: string
  durationMs: number
  requestId: string
  remoteAddress: string
  client: { name?: string, version?: string } | undefined
  fields: Readonly<Record<string, string>>
}

/** Resolves once the deed is on record. */
export type WriteAudit = (entry: AuditEntry) => Promise<void>

export const createAuditRecorder = (
  writeAudit: WriteAudit, definition: MethodDefinition | undefined, request: Request, exchange: HttpExchange,
  instrumented: Instrumented | undefined
) => {
  const fields: Record<string, string> = {}
  const started = performance.now()
  let isWritten = false
  let isFinished = false

  /** `granted` are those of the targets that a subscription is for, a row each; else all are of one row. */
  const write = async (
    outcome: string, admitted: AdmittedRequest | undefined, granted?: readonly unknown[]
  ): Promise<void> => {
    if (isWritten || !(definition?.audited || outcome === 'forbidden')) return
    isWritten = true
    const targets = definition ? targetsOf(definition, request.params) : []
    const one = (
      target: string | undefined, outcome: string, fields: AuditEntry['fields']
    ): Promise<void> => writeAudit({
      principal: exchange.principal,
      method: request.method,
      target,
      outcome,
      durationMs: performance.now() - started,
      requestId: exchange.requestId,
      remoteAddress: exchange.remoteAddress,
      client: admitted?.client,
      fields
    })
    if (granted === undefined || targets.length === 0) await one(targets.join(' ') || undefined, outcome, fields)
    else await Promise.all(targets.map((target) => one(target, granted.includes(target) ? outcome : 'left_out', {})))
  }

  return {
    fields,
    /** A subscription is on record from when it begins: nobody knows when it ends. */
    async begun (acknowledged: unknown, admitted: AdmittedRequest): Promise<void> {
      if (!definition?.alwaysStreams) return
      const granted = isObject(acknowledged) ? acknowledged['resourceSubscriptions'] : undefined
      await write('ok', admitted, Array.isArray(granted) ? granted : [])
    },
    async finish (outcome: string, admitted: AdmittedRequest | undefined): Promise<void> {
      await write(outcome, admitted)
      if (isFinished) return
      isFinished = true
      instrumented?.finish(outcome, admitted)
    }
  }
}
