/** Whether a credential may go to an address: not in clear over a network, unless the user said so. */
import { Refusal } from '../../lib/errors.js'
import { isLoopbackUrl } from '../../lib/loopback.js'

/** Plain http to another machine: whoever is on the way reads what is sent. */
export const isPlainHttp = (url: URL): boolean => url.protocol === 'http:' && !isLoopbackUrl(url)

/**
 * RFC 8628 section 3.1 and RFC 6750 section 5.3 ask for TLS wherever a credential is sent.
 * @param allowed whether the user gave --allow-http
 * @throws {Refusal} for plain http to another machine that is not allowed
 */
export const requireSecureTransport = (url: URL, allowed: boolean | undefined): void => {
  if (!isPlainHttp(url) || allowed) return
  throw new Refusal(`${url.origin} is plain http: anyone on the way could read the credential, so none is sent. ` +
    'Use the https address of the server; or, in a network that you trust, add --allow-http.')
}
