/** Which host passkeys belong to, and whether browsers make any for it. */
import { isIP } from 'node:net'

export interface RelyingParty {
  /** The host of PUBLIC_URL, otherwise `localhost`. Passkeys of one host do not work for another. */
  id: string
  /** Whether passkeys work: browsers want https or localhost, and refuse IP addresses. */
  isUsable: boolean
}

/** Returns the relying party. `pagesUrl` is the base URL of the pages. */
export const relyingPartyOf = (publicUrl: string | undefined, pagesUrl: string): RelyingParty => {
  const { protocol, hostname } = new URL(publicUrl ?? pagesUrl)
  const id = publicUrl === undefined ? 'localhost' : hostname
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return {
    id, isUsable: isNamed && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'))
  }
}
