/** The address of an authorization response: the client's, with the answer in its query (RFC 6749 section 4.1.2). */

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
