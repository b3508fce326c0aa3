/** Whether a credential may be sent to an address: not in clear over a network, unless the user allows it. */
import { Refusal } from '../../lib/errors.js'
import { isLoopbackUrl } from '../../lib/http/loopback.js'

/** Whether the address is plain HTTP to another machine, where everything that is sent can be read on the way. */
export const isPlainHttp = (url: URL): boolean => url.protocol === 'http:' && !isLoopbackUrl(url)

/**
 * Requires TLS for credentials, as RFC 8628 section 3.1 and RFC 6750 section 5.3 do.
 * @param allowed whether the user gave --allow-http
 * @throws {Refusal} for plain http to another machine that is not allowed
 */
export const requireSecureTransport = (url: URL, allowed: boolean | undefined): void => {
  if (!isPlainHttp(url) || allowed) return
  throw new Refusal(`${url.origin} is plain http: anyone on the way could read the credential, so none is sent. ` +
    'Use the https address of the server; or, in a network that you trust, add --allow-http.')
}
