/** The check `oauth sign-in`: the endpoints and the page that asks people are reached through every proxy between. */
import { form } from '../../credentials/http-client.js'
import { failed, passed, type CheckResult } from '../finding.js'
import { fetchText } from './get-document.js'
import { sameOrigin } from '../../registry/endpoint-address.js'
import type { OAuthProbe } from './oauth-probe.js'

const ROUTE_TOKEN = 'Let the proxy pass /oauth/ on to the server, requests by POST and their bodies too.'
const ROUTE_PAGES = 'Let the proxy pass /oauth/, and the pages of the web application, on to the server.'

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
  const answer = await fetchText(token, timeoutMs, { method: 'POST', ...form({}) })
  // Without parameters it refuses by RFC 6749, which no proxy does.
  if (answer.status < 400 || answer.status > 499 || !answer.text?.includes('"error"')) {
    return failed(`${token.pathname} answers a POST with ${answer.status || answer.text}`, ROUTE_TOKEN)
  }
  const authorize = at('authorization_endpoint', '/authorize')
  const page = await fetchText(authorize, timeoutMs, { method: 'GET', headers: { accept: 'text/html' } })
  if (page.status < 200 || page.status > 399) {
    return failed(`${authorize.pathname} answers with ${page.status || page.text}`, ROUTE_PAGES)
  }
  return passed('the token endpoint answers, and the browser is led to the sign-in')
}
