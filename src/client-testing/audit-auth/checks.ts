/** What `audit-auth` checks, in the order of its report: level, clause, and what has to be so. */
import type { Check } from '../reports/report.js'

type Row = readonly [level: Check['level'], clause: string, title: string]

const INDEX = 'basic/authorization'
const DISCOVERY = `${INDEX}/authorization-server-discovery`
const REGISTRATION = `${INDEX}/client-registration`
const SECURITY = `${INDEX}/security-considerations`

export const AUTH_CHECKS = {
  challenge: ['MUST', `${INDEX}#token-handling`,
    'A request without a token is answered 401 with a Bearer challenge.'],
  'challenge-metadata': ['MUST', `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    'The address of the metadata is in the challenge, or the metadata is at its well-known address.'],
  'challenge-scope': ['SHOULD', `${INDEX}#scope-selection-strategy`, 'The challenge says which scope to ask for.'],
  'no-data': ['MUST', `${SECURITY}#access-token-privilege-restriction`,
    'A request without a token is refused before anything else of it is looked at.'],
  'invalid-token': ['MUST', `${INDEX}#token-handling`, 'An invalid token is answered 401 with error="invalid_token".'],
  'resource-metadata': ['MUST', `${DISCOVERY}#authorization-server-location`,
    'The metadata of the resource names this resource, letter by letter, and an authorization server.'],
  'resource-offline-access': ['SHOULD', `${INDEX}#refresh-tokens`,
    'Neither the challenge nor the metadata of the resource has the scope offline_access.'],
  'server-metadata': ['MUST', `${INDEX}#overview`,
    'The authorization server has metadata (RFC 8414, OpenID Connect) under the issuer that the resource names.'],
  'metadata-forms': ['MUST', 'RFC 8414#section-3.3',
    'Each address that has metadata has the same issuer and the same endpoints.'],
  'pkce-advertised': ['MUST', `${SECURITY}#authorization-code-protection`,
    'The metadata says that PKCE works with S256.'],
  https: ['MUST', `${SECURITY}#communication-security`, 'All endpoints are https, or on loopback.'],
  'iss-advertised': ['MUST', `${INDEX}#authorization-response-validation`,
    'The metadata says whether responses have the issuer.'],
  registration: ['SHOULD', `${REGISTRATION}#dynamic-client-registration`,
    'A public client with a loopback address can register itself where registration is offered.'],
  'registration-redirects': ['MUST', `${SECURITY}#communication-security`,
    'Registration takes no redirect address that is neither https nor on loopback.'],
  'authorize-cors': ['MUST', 'RFC 9700#section-2.6',
    'The authorization endpoint cannot be read by scripts of other sites.'],
  'cors-credentials': ['MUST', 'RFC 9700#section-2.6',
    'No endpoint lets scripts of other sites send a person\'s cookies.'],
  state: ['MUST', 'RFC 6749#section-4.1.2', 'The response has the state of the request.'],
  iss: ['MUST', `${INDEX}#authorization-response-validation`,
    'The response names its issuer once, letter by letter, when the metadata says so or when it names one.'],
  'client-unknown': ['MUST', `${SECURITY}#open-redirection`, 'A client that is not known is not redirected to.'],
  'redirect-exact': ['MUST', `${SECURITY}#open-redirection`,
    'A redirect address is compared exactly with those of the client; only the port of loopback is free.'],
  'client-documents': ['SHOULD', `${SECURITY}#authorization-server-abuse-protection`,
    'Documents of clients are fetched neither from private addresses nor without TLS.'],
  'pkce-required': ['MUST', `${SECURITY}#authorization-code-protection`, 'A code needs a challenge of PKCE.'],
  'pkce-plain': ['MUST', `${SECURITY}#authorization-code-protection`, 'The challenge method is S256, and not plain.'],
  'pkce-verifier': ['MUST', `${SECURITY}#authorization-code-protection`, 'A code works with its own verifier only.'],
  'code-client': ['MUST', 'RFC 6749#section-4.1.3', 'A code works for its own client only.'],
  'token-response': ['MUST', 'RFC 6749#section-5.1',
    'The response with tokens is JSON, not stored, with a Bearer token.'],
  'token-accepted': ['MUST', `${INDEX}#token-handling`, 'The resource accepts the token that was issued for it.'],
  'token-in-query': ['MUST', `${INDEX}#token-requirements`, 'A token in the query of the address is none.'],
  'token-kind': ['MUST', `${INDEX}#token-handling`,
    'The resource accepts access tokens only, and none that was altered.'],
  audience: ['MUST', `${SECURITY}#token-audience-binding-and-validation`,
    'A token that was asked for another resource is not issued, or not accepted here.'],
  'refresh-client': ['MUST', 'RFC 6749#section-6', 'A refresh token works for its own client only.'],
  'refresh-rotation': ['MUST', `${SECURITY}#token-theft`,
    'A refresh token of a public client is replaced when it is used.'],
  'refresh-replay': ['MUST', 'RFC 9700#section-4.14.2',
    'A refresh token that was replaced no longer works after 60 s.'],
  'code-once': ['MUST', 'RFC 6749#section-4.1.2', 'A code works once.'],
  'code-once-revokes': ['SHOULD', 'RFC 6749#section-4.1.2', 'A second use of a code ends the tokens of the first.'],
  revocation: ['MUST', 'RFC 7009#section-2.1', 'A refresh token that its client revoked no longer works.']
} as const satisfies Record<string, Row>

export type AuthCheckId = keyof typeof AUTH_CHECKS

export interface Verdict {
  status: Check['status']
  detail: string
}

export const passed = (detail = ''): Verdict => ({ status: 'passed', detail })
export const failed = (detail: string): Verdict => ({ status: 'failed', detail })
export const notExercised = (detail: string): Verdict => ({ status: 'not-exercised', detail })

/** Fails when there is anything wrong: what is not said is right. */
export const verdictOn = (faults: ReadonlyArray<string | false | undefined>): Verdict => {
  const found = faults.filter((fault) => typeof fault === 'string')
  return found.length > 0 ? failed(found.join('\n')) : passed()
}
