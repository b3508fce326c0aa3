/** The check `oauth sign-in`: the endpoints and the page that asks people are reached through every proxy between. */
import { request } from 'undici'
import { boundedResponse } from '../../../lib/http/bounded-response.js'
import { errorCodeOrName } from '../../../lib/error-code.js'
import { form } from '../../credentials/http-client.js'
import { failed, passed, type CheckResult } from '../finding.js'
import { sameOrigin } from './oauth-addresses.js'
import type { OAuthProbe } from './oauth-probe.js'

const MAX_BYTES = 200_000

const ROUTE_TOKEN = 'Let the proxy pass /oauth/ on to the server, requests by POST and their bodies too.'
const ROUTE_PAGES = 'Let the proxy pass /oauth/, and the pages of the web application, on to the server.'

/** Returns the result of the check, with the remedy when it did not pass. */
export const checkEndpoints = async (probe: OAuthProbe, timeoutMs: number): Promise<CheckResult> => {
  const issuer = await probe.issuer()
  const { json = (await probe.metadata('appended OpenID')).json } = await probe.metadata('inserted OAuth')
  const at = (name: string, path: string): URL => {
    const value = json?.[name]
    const address = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
    const usual = new URL(issuer.pathname.replace(/\/$/, '') + path, issuer.origin)
    return address && (sameOrigin(address, issuer) || sameOrigin(address, probe.keys)) ? address : usual
  }
  const token = at('token_endpoint', '/token')
  const answer = await ask(token, timeoutMs, 'POST')
  // Without parameters it refuses by RFC 6749, which no proxy does.
  if (!/^4\d\d$/.test(answer.status) || !answer.text.includes('"error"')) {
    return failed(`${token.pathname} answers a POST with ${answer.status}`, ROUTE_TOKEN)
  }
  const authorize = at('authorization_endpoint', '/authorize')
  const page = await ask(authorize, timeoutMs, 'GET')
  if (!/^[23]\d\d$/.test(page.status)) {
    return failed(`${authorize.pathname} answers with ${page.status}`, ROUTE_PAGES)
  }
  return passed('the token endpoint answers, and the browser is led to the sign-in')
}

const ask = async (url: URL, timeoutMs: number, method: 'GET' | 'POST'): Promise<{ status: string, text: string }> => {
  const options = { method, reset: true, ...method === 'GET' ? { headers: { accept: 'text/html' } } : form({}) }
  try {
    const { status, text = '' } = await boundedResponse(
      (signal) => request(url, { ...options, signal }), { timeoutMs, maxBytes: MAX_BYTES })
    return { status: String(status), text }
  } catch (error) {
    return { status: `no answer (${errorCodeOrName(error)})`, text: '' }
  }
}
