/** The context that a method receives for a request that its era has admitted. */
import type { AuditEntry } from './audit-entry.js'
import type { RequestContext, SessionHandle, ClientInfo } from './request-context.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { AuditRecorder } from './audit-recorder.js'
import type { LazyAbortController } from './cancellation.js'

/** The `RequestContext` of one request. Reading `signal` creates the AbortController. */
export class HandlerContext implements RequestContext {
  readonly principal: Principal
  readonly revision: string
  readonly client: ClientInfo
  readonly jsonrpcId: string | number
  readonly requestId: string
  readonly cancellation: LazyAbortController
  readonly #admitted: AdmittedRequest
  readonly #auditRecorder: AuditRecorder

  constructor (
    { id }: Request, admitted: AdmittedRequest, { principal, requestId }: HttpExchange,
    cancellation: LazyAbortController, auditRecorder: AuditRecorder
  ) {
    this.principal = principal
    this.revision = admitted.revision
    this.client = admitted.client
    this.jsonrpcId = id
    this.requestId = requestId
    this.cancellation = cancellation
    this.#admitted = admitted
    this.#auditRecorder = auditRecorder
  }

  get signal (): AbortSignal {
    return this.cancellation.signal
  }

  get session (): SessionHandle | undefined {
    return this.#admitted.session
  }

  setAuditField (key: string, value: string): void {
    this.#auditRecorder.setField(key, value)
  }

  auditWithin<T> (work: (entryOf: () => AuditEntry) => Promise<T>): Promise<T> {
    return this.#auditRecorder.within(work, this.principal, this.#admitted)
  }
}
