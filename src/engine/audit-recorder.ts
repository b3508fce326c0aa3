/**
 * Writes one audit row for each audited request before its reply is sent, and then reports the outcome to the
 * instrumentation.
 */
import { targetsOf, type MethodDefinition } from './methods/index.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import { isObject } from '../lib/json/json-object.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { Instrumented } from './instrumentation.js'

/** One row for an audit log: a call of a method, or a request that was refused before its method ran. */
export interface AuditEntry<P extends Principal = Principal> {
  /** Undefined when no one was authenticated. */
  principal: P | undefined
  /** The JSON-RPC method; `refused` for a request that was refused before its method ran. */
  method: string
  /** A tool's name, a URI or a task's id; of a refusal, why the credential or which limit. */
  target: string | undefined
  /**
   * `ok`, `error` (the result has `isError: true`), `left_out` (a resource that a subscription does not cover), or
   * the kind of the fault.
   */
  outcome: string
  durationMs: number
  requestId: string
  remoteAddress: string
  /** What the client declares about itself; of a refusal, the User-Agent header as `name`. */
  client: { name?: string, version?: string } | undefined
  /** What handlers added by `setAuditField`. */
  fields: Readonly<Record<string, string>>
}

/** The port of an audit log. */
export interface AuditSink<P extends Principal = Principal> {
  /** Resolves when the row is committed: the reply waits for it. Rejects when it cannot be; the request then fails. */
  record (entry: AuditEntry<P>): Promise<void>
  /** Takes the row of a request that was refused before its method ran. The reply does not wait, so it may sum up. */
  recordDenial? (entry: AuditEntry<P>): void
}

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
    const { engine: { audit }, definition, request, exchange } = this.#request
    if (!audit || this.#isWritten || !(definition?.audited || outcome === 'forbidden')) return
    this.#isWritten = true
    const targets = definition ? targetsOf(definition, request.params) : []
    const one = (
      target: string | undefined, outcome: string, fields: AuditEntry['fields']
    ): Promise<void> => audit.record({
      principal: exchange.principal,
      method: request.method,
      target,
      outcome,
      durationMs: performance.now() - this.#started,
      requestId: exchange.requestId,
      remoteAddress: exchange.remoteAddress,
      client: admitted?.client,
      fields
    })
    await (granted === undefined || targets.length === 0
      ? one(targets.join(' ') || undefined, outcome, this.#fields ?? {})
      : Promise.all(targets.map((target) => one(target, granted.includes(target) ? outcome : 'left_out', {}))))
  }
}
