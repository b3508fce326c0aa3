/** What the checks of requests, codes and tokens share. */
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Authorizer } from './authorize.js'
import type { RunCheck } from './discovery.js'
import type { Web, WebReply } from './web.js'

export interface Audit {
  resource: string
  issuer: string
  metadata: JsonObject
  web: Web
  check: RunCheck
  /** The ids of two clients. */
  client: string
  otherClient: string
  authorizer: Authorizer
  /** Waits, in milliseconds. */
  pause(ms: number): Promise<void>
  /** A correct authorization request; `over` changes it. */
  requestOf(verifier: string, over?: Record<string, string | undefined>): Record<string, string | undefined>
  authorize: Authorizer['authorize'] extends (endpoint: string, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
  /** Sends a form to the token endpoint. */
  token(form: Record<string, string | undefined>): Promise<WebReply>
}
