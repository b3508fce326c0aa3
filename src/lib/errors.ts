/** The errors of the program, by kind. Each protocol era maps a kind to its code and HTTP status in one table. */

export type FaultKind =
  | 'parse_error'
  | 'invalid_request'
  | 'method_not_found'
  | 'invalid_params'
  | 'resource_not_found'
  | 'header_mismatch'
  | 'missing_capability'
  | 'unsupported_version'
  | 'foreign_origin'
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'unsupported_media_type'
  | 'content_too_large'
  | 'session_required'
  | 'session_not_found'
  | 'too_many_streams'
  | 'too_many_tasks'
  | 'unavailable'
  | 'cancelled'
  | 'internal_error'

/**
 * Rejects a request as a whole. The client receives `message` and `data` unchanged; `cause` is for the operator's log.
 */
export class Fault extends Error {
  constructor (readonly kind: FaultKind, message: string, readonly data?: Record<string, unknown>, cause?: unknown) {
    super(message, { cause })
    this.name = 'Fault'
  }
}

/** Refuses a request whose parameters are not as they have to be. @throws {Fault} `invalid_params` */
export function requireParams (isValid: boolean, message: string): asserts isValid {
  if (!isValid) throw new Fault('invalid_params', message)
}

/**
 * Rejects an action with a sentence that says what to do instead. A tool returns it as a result with `isError: true`, a
 * list method as invalid params, the management API as 404, 409, 412, 422 or 428, a command as exit code 1.
 */
export class Refusal extends Error {
  constructor (message: string, readonly reason: RefusalReason = 'invalid') {
    super(message)
    this.name = 'Refusal'
  }
}

/** Returns the error when it is a `Refusal`. @throws any other one */
export const requireRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  throw error
}

/** `stale`: what would be replaced has changed since it was read; `unread`: nothing shows that it was read. */
export type RefusalReason = 'invalid' | 'not_found' | 'conflict' | 'stale' | 'unread'

/** Refuses a change of something that is not as it was read; `current` is how it is now. */
export class StaleRefusal extends Refusal {
  constructor (message: string, readonly current: object) {
    super(message, 'stale')
    this.name = 'StaleRefusal'
  }
}

/**
 * Creates the `Fault` for a dependency that does not answer now, such as the database.
 * @param message one sentence; "Try again in a moment." is added
 * @param cause goes to the operator's log, not to the client
 */
export const unavailable = (message: string, cause: unknown, retryAfterSeconds = 1): Fault =>
  new Fault('unavailable', `${message} Try again in a moment.`, { retry_after_seconds: retryAfterSeconds }, cause)

/** Creates the `Fault` for a caller who lacks a permission. `hint` says how to obtain it. */
export const forbidden = (message: string, hint: string): Fault => new Fault('forbidden', message, { hint })

/**
 * Creates the `Fault` for a credential whose scope is too small. The reply is a 403 whose WWW-Authenticate header names
 * the scopes, so that a client of OAuth can ask its user for them.
 * @param scope every scope that the operation needs, separated by spaces
 */
export const insufficientScope = (scope: string): Fault => new Fault(
  'forbidden', `This needs a credential with more scope: ${scope}.`,
  { reason: INSUFFICIENT_SCOPE, scope, hint: 'Use a credential with that scope, or authorize again and ask for it.' })

/** Returns the scopes that an `insufficientScope` names; undefined for any other fault. */
export const neededScopeOf = ({ data }: Fault): string | undefined => {
  const scope = data?.['reason'] === INSUFFICIENT_SCOPE ? data['scope'] : undefined
  return typeof scope === 'string' ? scope : undefined
}

const INSUFFICIENT_SCOPE = 'insufficient_scope'
