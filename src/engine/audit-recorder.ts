/** Writes one audit row for each audited request before its reply, then reports to the instrumentation. */
import { targetsOf, type MethodDefinition } from './methods/index.js'
import type { AuditEntry, AuditSink } from './audit-entry.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import { isObject } from '../lib/json/json-object.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { Instrumented } from './instrumentation.js'

/** A method that is not audited still leaves a row when it is refused as `forbidden`. */
export class AuditRecorder {
  readonly #started: number
  #fields: Record<string, string> | undefined
  #isWritten = false
  #isFinished = false
  /** Whether the method wrote its own row; absent when it does not. */
  #ownRow: Promise<boolean> | undefined

  constructor (
    private readonly audit: AuditSink | undefined, private readonly request: Request,
    private readonly definition: MethodDefinition | undefined, private readonly exchange: HttpExchange,
    private readonly instrumented: Instrumented | undefined
  ) {
    this.#started = audit ? performance.now() : 0
  }

  setField (key: string, value: string): void {
    this.#fields ??= {}
    this.#fields[key] = value
  }

  /** Runs work that writes the row of the method itself, such as in a transaction. */
  within<T, P extends Principal> (
    work: (entryOf: () => AuditEntry<P>) => Promise<T>, principal: P, admitted: AdmittedRequest
  ): Promise<T> {
    const written = work(() => ({ ...this.#entry('ok', admitted, this.#targets().join(' ')), principal }))
    this.#ownRow = written.then(() => true, () => false)
    return written
  }

  /** Writes the row of a subscription when it starts, because it may stay open for hours. */
  async begun (acknowledged: unknown, admitted: AdmittedRequest): Promise<void> {
    const audit = this.#auditOf('ok')
    if (!audit || !this.definition?.alwaysStreams) return
    const granted = isObject(acknowledged) ? acknowledged['resourceSubscriptions'] : undefined
    await this.#write(audit, 'ok', admitted, Array.isArray(granted) ? granted : [])
  }

  async finish (outcome: string, admitted: AdmittedRequest | undefined): Promise<void> {
    const audit = this.#auditOf(outcome)
    if (audit) await this.#write(audit, outcome, admitted)
    if (this.#isFinished) return
    this.#isFinished = true
    this.instrumented?.finish(outcome, admitted)
  }

  /** Undefined when there is no row to write, or none any more. */
  #auditOf (outcome: string): AuditSink | undefined {
    return !this.#isWritten && (this.definition?.audited || outcome === 'forbidden') ? this.audit : undefined
  }

  /** With `granted`, one row for each target, and `left_out` for those not in it; otherwise one for all targets. */
  async #write (
    audit: AuditSink, outcome: string, admitted: AdmittedRequest | undefined, granted?: readonly unknown[]
  ): Promise<void> {
    this.#isWritten = true
    if (await this.#ownRow) return
    const targets = this.#targets()
    await (granted === undefined || targets.length === 0
      ? audit.record(this.#entry(outcome, admitted, targets.join(' ')))
      : Promise.all(targets.map((target) => {
        const entry = this.#entry(granted.includes(target) ? outcome : 'left_out', admitted, target)
        return audit.record({ ...entry, fields: {} })
      })))
  }

  #targets (): string[] {
    return this.definition ? targetsOf(this.definition, this.request.params) : []
  }

  #entry (outcome: string, admitted: AdmittedRequest | undefined, target: string): AuditEntry {
    const { principal, requestId, remoteAddress } = this.exchange
    return {
      principal,
      method: this.request.method,
      target: target || undefined,
      outcome,
      durationMs: performance.now() - this.#started,
      requestId,
      remoteAddress,
      client: admitted?.client,
      fields: this.#fields ?? {}
    }
  }
}
