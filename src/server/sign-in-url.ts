/** The URL of a sign-in link. The token stands in the fragment, which reaches no log and no preview of the link. */

export interface SignInUrl {
  url: string
  /** RFC 3339. */
  expires_at: string
}

/** Returns the URL that signs in with a token. `base` is that of the web application, without a trailing slash. */
export const signInUrl = (base: string, token: string): string => `${base}/sign-in#token=${token}`
