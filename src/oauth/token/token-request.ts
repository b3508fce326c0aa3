/** A request to the token endpoint whose client is known. */
export interface TokenRequest {
  clientId: string
  /** Reads a parameter; throws an `OAuthError` `invalid_request` for one that is given twice. */
  parameter (name: string): string | undefined
  /** The canonical address that the tokens are to be for; undefined when none is named. */
  resource: string | undefined
}
