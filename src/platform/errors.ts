/** What can be wrong with a platform. The words are the operator's: callers hear that it is away, or that something went wrong. */

/** It cannot be reached, does not let the front in, or does not answer as it should be asked again for. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable'
  constructor (
    message: string, readonly kind: 'transient' | 'permanent', readonly retryAfterMs?: number, cause?: unknown
  ) {
    super(message, { cause })
  }
}

/** It answered something that is no answer. */
export class PlatformProtocolError extends Error {
  override readonly name = 'PlatformProtocolError'
}
