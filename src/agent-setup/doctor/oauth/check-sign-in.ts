/**
 * The checks `oauth endpoint` and `oauth sign-in`: a caller without a token learns where the sign-in is described,
 * and its endpoints and the page that asks people are reached through every proxy between.
 */
import { fetchText, form } from '../../credentials/http-client.js'
import { shownText } from '../../server-text.js'
import { failed, passed, skipped, type CheckResult } from '../finding.js'
import { describe } from '../probe.js'
import { sameOrigin } from '../../registry/endpoint-address.js'
import { urlIn, type OAuthProbe } from './oauth-probe.js'

const ADDRESS =
  'Set PUBLIC_URL (or OAUTH_URL) to the address that people type, and let the proxy pass the Host header on.'
const ROUTE = 'Let the proxy pass /oauth/ and everything below it on to the server.'

export const checkChallenge = async (probe: OAuthProbe): Promise<CheckResult> => {
  const { url, given } = probe
  const answer = await probe.challenge()
  if (!('status' in answer)) return failed(`${url.href}: ${describe(answer)}`, ROUTE)
  // A server without OAuth knows neither the address nor a document about it.
  if (answer.status === 404 && !given && (await probe.resource()).status === 404) {
    return skipped('the server has none at this address; with OAUTH_URL, name it with --oauth-url')
  }
  if (answer.status !== 401) {
    return failed(`${url.pathname}: ${describe(answer)} to a caller without a token, not HTTP 401`,
      answer.status === 403 ? ADDRESS : ROUTE)
  }
  const challenge = answer.header('www-authenticate')
  const metadata = await probe.resourceMetadata()
  if (challenge === undefined || metadata === undefined) {
    const answerText = challenge === undefined ? 'no WWW-Authenticate' : `the challenge ${shownText(challenge, 80)}`
    return failed(`HTTP 401 with ${answerText}`,
      'Let the proxy pass the server\'s own 401 and its WWW-Authenticate on: applications find the sign-in by it.')
  }
  if (!URL.canParse(metadata)) {
    return failed(`resource_metadata is ${shownText(metadata, 80)}`,
      'It has to be a whole address: something on the way has changed it.')
  }
  const named = new URL(metadata)
  if (!sameOrigin(named, url)) {
    return failed(`the 401 leads to ${shownText(named.origin)}, not to ${url.origin}`, otherOrigin(url, named))
  }
  if (!await tokensArrive(probe)) {
    return failed('no token arrived: a request with one is answered as one without',
      'Let the proxy pass the Authorization header of requests on to the server.')
  }
  return passed(`${url.pathname} asks people to sign in`)
}

/** A server that gets a wrong token names the error (RFC 6750 section 3.1), and none where no token came. */
const tokensArrive = async (probe: OAuthProbe): Promise<boolean> => {
  const answer = await probe.withWrongToken()
  return !('status' in answer) || answer.status !== 401 || /\berror=/.test(answer.header('www-authenticate') ?? '')
}

export const otherOrigin = (typed: URL, written: URL): string =>
  typed.protocol === 'https:' && written.protocol === 'http:'
    ? 'The server does not know that people reach it by https: set PUBLIC_URL (or OAUTH_URL) to the https address.'
    : ADDRESS

const ROUTE_TOKEN = 'Let the proxy pass /oauth/ on to the server, requests by POST and their bodies too.'
const ROUTE_PAGES = 'Let the proxy pass /oauth/, and the pages of the web application, on to the server.'

export const checkEndpoints = async (probe: OAuthProbe, timeoutMs: number): Promise<CheckResult> => {
  const issuer = await probe.issuer()
  const { json = (await probe.metadata('appended OpenID')).json } = await probe.metadata('inserted OAuth')
  const at = (name: string, path: string): URL => {
    const address = urlIn(json?.[name])
    const usual = new URL(issuer.pathname.replace(/\/$/, '') + path, issuer.origin)
    return address && (sameOrigin(address, issuer) || sameOrigin(address, probe.keys)) ? address : usual
  }
  const token = at('token_endpoint', '/token')
  const answer = await fetchText(token, { method: 'POST', ...form({}) }, timeoutMs)
  // Without parameters it refuses by RFC 6749, which no proxy does.
  if (answer.status < 400 || answer.status > 499 || !answer.text?.includes('"error"')) {
    return failed(`${token.pathname} answers a POST with ${answer.status || answer.text}`, ROUTE_TOKEN)
  }
  const authorize = at('authorization_endpoint', '/authorize')
  const page = await fetchText(authorize, { headers: { accept: 'text/html' } }, timeoutMs)
  if (page.status < 200 || page.status > 399) {
    return failed(`${authorize.pathname} answers with ${page.status || page.text}`, ROUTE_PAGES)
  }
  return passed('the token endpoint answers, and the browser is led to the sign-in')
}
