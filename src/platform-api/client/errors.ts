/**
 * Errors of a platform. Their messages are for the operator's log; clients learn only that it is away or that something
 * went wrong.
 */

/** The platform is away, rejects this gateway, or replied with an error. Only `transient` errors are worth a retry. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable'
  constructor (
    message: string, readonly kind: 'transient' | 'permanent', readonly retryAfterMs?: number, cause?: unknown
  ) {
    super(message, { cause })
  }
}

/** The platform's response violates the platform API. */
export class PlatformProtocolError extends Error {
  override readonly name = 'PlatformProtocolError'
}
