/** The two ways to answer an authorization request: an error, or the client's address with the answer in it. */

/** `page`: it is only shown to the person, as the request names no address of the client. */
export class AuthorizationError extends Error {
  constructor (readonly code: string, message: string, readonly audience: 'page' | 'client' = 'client') {
    super(message)
  }
}

/** Why a client cannot be connected. Only a page may say so: nothing is sent to a client that is not known. */
export class ClientRefusal extends AuthorizationError {
  constructor (code: 'invalid_client' | 'unauthorized_client', message: string) { super(code, message, 'page') }
}

/** Leaves the URI as it is, character by character; the issuer shows whose answer this is (RFC 9207). */
export const responseAddress = (
  redirectUri: string, answer: Readonly<Record<string, string>>, state: string | undefined, issuer: string
): string => {
  const parameters = new URLSearchParams({ ...answer, ...state !== undefined && { state }, iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`
}
