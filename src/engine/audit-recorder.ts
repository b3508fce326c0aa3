/**
 * Writes one audit row for each audited request before its reply is sent, and then reports the outcome to the
 * instrumentation.
 */
import { targetsOf, type MethodDefinition } from './methods/index.js'
import type { AuditEntry, AuditSink } from './audit-entry.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import { isObject } from '../lib/json/json-object.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { Instrumented } from './instrumentation.js'

/** The request that is recorded. */
export interface AuditedRequest {
  /** Nothing is recorded without `audit`. */
  engine: { audit?: Pick<AuditSink, 'record'> | undefined }
  definition: MethodDefinition | undefined
  request: Request
  exchange: HttpExchange
  instrumented: Instrumented | undefined
}

/**
 * The recorder of one request. It writes at most one set of rows and reports at most one outcome; further calls do
 * nothing. A method that is not audited still leaves a row when it is refused as `forbidden`.
 */
export class AuditRecorder {
  readonly #request: AuditedRequest
  /** By `performance.now()`; not read where nothing is recorded. */
  readonly #started: number
  #fields: Record<string, string> | undefined
  #isWritten = false
  #isFinished = false
  /** Whether the method wrote its own row; absent when it does not. */
  #ownRow: Promise<boolean> | undefined

  constructor (request: AuditedRequest) {
    this.#request = request
    this.#started = request.engine.audit ? performance.now() : 0
  }

  /** Adds a fact to the row of the method. */
  setField (key: string, value: string): void {
    this.#fields ??= {}
    this.#fields[key] = value
  }

  /**
   * Runs work that writes the row of the method itself, such as in a transaction, by the entry that `entryOf` returns.
   * When it rejects, the row is written as usual.
   */
  within<T, P extends Principal> (
    work: (entryOf: () => AuditEntry<P>) => Promise<T>, principal: P, admitted: AdmittedRequest
  ): Promise<T> {
    const { definition, request } = this.#request
    const target = definition && targetsOf(definition, request.params).join(' ')
    const written = work(() => ({ ...this.#entry('ok', admitted, target || undefined, this.#fields ?? {}), principal }))
    this.#ownRow = written.then(() => true, () => false)
    return written
  }

  /**
   * Writes the row of a subscription when it starts, because it may stay open for hours. Does nothing for other
   * methods.
   */
  async begun (acknowledged: unknown, admitted: AdmittedRequest): Promise<void> {
    if (!this.#request.definition?.alwaysStreams) return
    const granted = isObject(acknowledged) ? acknowledged['resourceSubscriptions'] : undefined
    await this.#write('ok', admitted, Array.isArray(granted) ? granted : [])
  }

  /** Writes the row, unless it was written before, and then reports the outcome. */
  async finish (outcome: string, admitted: AdmittedRequest | undefined): Promise<void> {
    await this.#write(outcome, admitted)
    if (this.#isFinished) return
    this.#isFinished = true
    this.#request.instrumented?.finish(outcome, admitted)
  }

  /**
   * With `granted`, writes one row for each target, and `left_out` for targets not in it. Without, writes one row
   * that names all targets.
   */
  async #write (
    outcome: string, admitted: AdmittedRequest | undefined, granted?: readonly unknown[]
  ): Promise<void> {
    const { engine: { audit }, definition, request } = this.#request
    if (!audit || this.#isWritten || !(definition?.audited || outcome === 'forbidden')) return
    this.#isWritten = true
    if (await this.#ownRow) return
    const targets = definition ? targetsOf(definition, request.params) : []
    const one = (target: string | undefined, result: string, fields: AuditEntry['fields']): Promise<void> =>
      audit.record(this.#entry(result, admitted, target, fields))
    await (granted === undefined || targets.length === 0
      ? one(targets.join(' ') || undefined, outcome, this.#fields ?? {})
      : Promise.all(targets.map((target) => one(target, granted.includes(target) ? outcome : 'left_out', {}))))
  }

  #entry (
    outcome: string, admitted: AdmittedRequest | undefined, target: string | undefined, fields: AuditEntry['fields']
  ): AuditEntry {
    const { request, exchange } = this.#request
    return {
      principal: exchange.principal,
      method: request.method,
      target,
      outcome,
      durationMs: performance.now() - this.#started,
      requestId: exchange.requestId,
      remoteAddress: exchange.remoteAddress,
      client: admitted?.client,
      fields
    }
  }
}
