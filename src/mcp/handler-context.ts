/** The context that a method receives for a request that its era has admitted. */
import type { RequestContext, SessionHandle, ClientInfo } from './request-context.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import type { HttpExchange, AdmittedRequest } from './eras/era.js'
import type { LazyAbortController } from './cancellation.js'

/** The `RequestContext` of one request. Reading `signal` creates the AbortController. */
export class HandlerContext implements RequestContext {
  readonly principal: Principal
  readonly revision: string
  readonly client: ClientInfo
  readonly jsonrpcId: string | number
  readonly requestId: string
  readonly session: SessionHandle | undefined
  readonly cancellation: LazyAbortController
  readonly auditFields: Record<string, string>

  constructor (
    { id }: Request, { revision, client, session }: AdmittedRequest, { principal, requestId }: HttpExchange,
    cancellation: LazyAbortController, auditFields: Record<string, string>
  ) {
    this.principal = principal
    this.revision = revision
    this.client = client
    this.jsonrpcId = id
    this.requestId = requestId
    this.session = session
    this.cancellation = cancellation
    this.auditFields = auditFields
  }

  get signal (): AbortSignal {
    return this.cancellation.signal
  }

  setAuditField (key: string, value: string): void {
    this.auditFields[key] = value
  }
}
