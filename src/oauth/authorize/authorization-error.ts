/** An authorization request that is not put to the person. */

/**
 * `code` is an error code of OAuth, the message a sentence for the person. `page`: only a page may say so, as the
 * request names no address of the client; otherwise the client may be told too.
 */
export class AuthorizationError extends Error {
  constructor (readonly code: string, message: string, readonly audience: 'page' | 'client' = 'client') {
    super(message)
    this.name = 'AuthorizationError'
  }
}
