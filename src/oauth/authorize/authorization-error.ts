/** The two ways to answer an authorization request: an error, or the client's address with the answer in it. */

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

/**
 * @param redirectUri stays as it is, character by character
 * @param issuer shows the client whose answer this is (RFC 9207)
 */
export const responseAddress = (
  redirectUri: string, answer: Readonly<Record<string, string>>, state: string | undefined, issuer: string
): string => {
  const parameters = new URLSearchParams({ ...answer, ...state !== undefined && { state }, iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`
}
