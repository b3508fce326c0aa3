/** What can go wrong, in words. Codes and statuses belong to the eras: they map each kind once, in a table of their own. */

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

/** A request that is refused as a whole. `data` is sent to the client as it stands. */
export class Fault extends Error {
  constructor (readonly kind: FaultKind, message: string, readonly data?: Record<string, unknown>, cause?: unknown) {
    super(message, { cause })
    this.name = 'Fault'
  }
}

/**
 * Something that cannot be done as asked, in a sentence that says what to do instead. A tool answers it as a result with
 * `isError: true`, a list method as invalid params, the management API as 409 or 422, a command as exit code 1.
 */
export class Refusal extends Error {
  constructor (message: string, readonly reason: 'invalid' | 'not_found' | 'conflict' = 'invalid') {
    super(message)
    this.name = 'Refusal'
  }
}

/** What the server works with is away for the moment. The cause is the operator's. */
export const unavailable = (message: string, cause: unknown, retryAfterSeconds = 1): Fault =>
  new Fault('unavailable', `${message} Try again in a moment.`, { retry_after_seconds: retryAfterSeconds }, cause)

export const forbidden = (message: string, hint: string): Fault => new Fault('forbidden', message, { hint })
