/** Profiles of `grade --authorization`: what is wrong with the authorization server, or with tokens. */
import { methodOf, type Exchange } from '../proxy/exchange.js'
import { jsonReply, textReply, type Reply } from '../proxy/reply.js'
import { breaks, copes, fail, judgeLeak, judgeProcess, notExercised } from '../profiles/judges.js'
import { profilesOf, type Evidence, type Judgement, type Profile } from '../profiles/profile.js'
import { once } from '../profiles/targets.js'
import {
  authorizationFront, bearerHeader, endpointOf, parametersOf, SCOPE, type Quirks
} from './authorization-front.js'

const MAX_ATTEMPTS = 5
const WRITE = 'plans:write'
const NEVER = 'The client did not ask for authorization.'
const ALIVE = 'the process neither hangs nor dies'
const WORKS = 'the process ends with 0'

const requestsTo = (endpoint: string, { exchanges }: Evidence): Exchange[] =>
  exchanges.filter((exchange) => endpointOf(exchange) === endpoint)

const parametersTo = (endpoint: string, name: string, evidence: Evidence): string[] =>
  requestsTo(endpoint, evidence).map((exchange) => parametersOf(exchange).get(name) ?? '')

const refreshes = (evidence: Evidence): Exchange[] => requestsTo('token', evidence)
  .filter((exchange) => parametersOf(exchange).get('grant_type') === 'refresh_token')

const stopsBefore = (endpoint: 'authorize' | 'token'): Profile['judge'] => (evidence) => {
  const [use] = requestsTo(endpoint, evidence)
  if (use) return fail('accepts it', `It went on to the ${endpoint} endpoint.`, use)
  const [first] = endpoint === 'token' ? requestsTo('authorize', evidence) : evidence.exchanges
  return judgeProcess(evidence, first, { mayFail: true }) ??
    (first ? copes(`It did not go on to the ${endpoint} endpoint.`, first) : notExercised(NEVER))
}

/** The client has to get its token and continue, unless a request shows that it did it wrongly. */
const worksUnless = (
  fault: (evidence: Evidence) => Judgement | undefined, mayFail = false
): Profile['judge'] => (evidence) => {
  const [first] = requestsTo('authorize', evidence)
  return fault(evidence) ?? judgeProcess(evidence, first, { mayFail }) ??
    (first ? copes('It went on.', first) : notExercised(NEVER))
}

const breaksBy = (wrong: Exchange | undefined, detail: string): Judgement | undefined => wrong && breaks(detail, wrong)

interface Row extends Omit<Profile, 'family' | 'eras' | 'create'> {
  quirks (marker: string, otherOrigin: string): Quirks
}

const DISCOVERY = 'authorization-server-metadata-discovery'
const RESOURCE = 'protected-resource-metadata-discovery-requirements'
const CODES = 'authorization-code-protection'
const ofOverview = (anchor: string) =>
  ({ modern: `basic/authorization#${anchor}`, legacy: `basic/authorization#${anchor}` })
const ofPage = (page: string, anchor: string) =>
  ({ modern: `basic/authorization/${page}#${anchor}`, legacy: `basic/authorization#${anchor}` })

/** What a client must not continue with: it has to stop before this endpoint. */
const illegal = (
  id: string, clauses: Pick<Row, 'modern' | 'legacy'>, endpoint: 'authorize' | 'token', happens: string,
  expects: string, quirks: Quirks
): Row => ({
  id,
  kind: 'illegal',
  level: 'MUST',
  ...clauses,
  happens,
  expects,
  judgedBy: `the ${endpoint} endpoint is never asked, and ${ALIVE}`,
  quirks: () => quirks,
  judge: stopsBefore(endpoint)
})

/** An authorization response whose issuer is not the recorded one. `iss` gets the right one. */
const wrongIssuer = (id: string, happens: string, iss: (issuer: string) => Record<string, string>): Row =>
  illegal(id, { modern: ofOverview('authorization-response-validation').modern }, 'token', happens,
    'not send the code to the token endpoint', { response: ({ iss: own = '', ...rest }) => ({ ...rest, ...iss(own) }) })

const legal = (
  id: string, clauses: Pick<Row, 'modern' | 'legacy'>, happens: string, expects: string, judgedBy: string,
  quirks: Row['quirks'], judge = worksUnless(() => undefined)
): Row => ({ id, kind: 'legal', level: 'MUST', ...clauses, happens, expects, judgedBy, quirks, judge })

/** The tokens end with each `uses`-th request of the protocol; `once` only the first time. */
const expiring = (uses: number, more: (server: string) => string = (server) => server, often = false): Quirks => {
  let count = 0
  return {
    rotates: often,
    serve: (_call, _interception, state) => {
      if (++count % uses === 0 && (often || count === uses)) {
        state.tokens.clear()
        state.server = more(state.server)
      }
      return undefined
    }
  }
}

/** Refuses calls for their scope: all of them, or those with a token that does not have it. */
const refusing = (always: boolean): Quirks => ({
  serve: (call, { inject }, { tokens }): Reply | undefined => {
    const isEnough = !always && [...tokens.values()].some((scope) => scope.includes(WRITE))
    if (methodOf(call) !== 'tools/call' || isEnough) return undefined
    inject('403: the scope is insufficient')
    const challenge = { error: 'insufficient_scope', scope: `${SCOPE} ${WRITE}` }
    return jsonReply({ error: 'insufficient_scope' }, 403, bearerHeader(challenge))
  }
})

const ROWS: readonly Row[] = [
  wrongIssuer('iss-wrong', 'the authorization response names another issuer', () => ({ iss: 'https://honest.example' })),
  wrongIssuer('iss-missing', 'the authorization response names no issuer, although the metadata says that it does',
    () => ({})),
  wrongIssuer('iss-normalized', 'the issuer in the authorization response has a slash more than in the metadata',
    (issuer) => ({ iss: `${issuer}/` })),
  {
    ...wrongIssuer('iss-wrong-error', 'the authorization response is an error and names another issuer', () => ({})),
    expects: 'not show what the error says',
    judgedBy: `the description of the error is not printed, and ${ALIVE}`,
    quirks: (marker) => ({
      response: ({ code: _, ...rest }) =>
        ({ ...rest, iss: 'https://honest.example', error: 'access_denied', error_description: `denied ${marker}` })
    }),
    judge: (evidence) => `${evidence.subject?.stdout}${evidence.subject?.stderr}`.includes(`denied ${evidence.marker}`)
      ? fail('accepts it', 'It printed the description of the error.', requestsTo('authorize', evidence)[0])
      : stopsBefore('token')(evidence)
  },
  illegal('metadata-issuer-other', { modern: ofPage('authorization-server-discovery', DISCOVERY).modern }, 'authorize',
    'the metadata of the authorization server has the issuer of another one', 'not use the metadata',
    { metadata: (document) => ({ ...document, issuer: 'https://honest.example' }) }),
  illegal('resource-other', ofPage('authorization-server-discovery', RESOURCE), 'authorize',
    'the metadata of the protected resource is that of another resource', 'not use it: RFC 9728, section 3.3',
    { resource: (document) => ({ ...document, resource: 'https://honest.example/mcp' }) }),
  illegal('pkce-unsupported', ofPage('security-considerations', CODES), 'authorize',
    'the metadata of the authorization server has no code_challenge_methods_supported', 'refuse to proceed',
    { metadata: ({ code_challenge_methods_supported: _, ...rest }) => rest }),
  legal('challenge-bare', ofPage('authorization-server-discovery', RESOURCE),
    'the challenge of a 401 does not say where the metadata is', 'find it at the well-known address', WORKS,
    () => ({ challenge: ({ scope = '' }) => ({ scope }) })),
  legal('metadata-openid', ofPage('authorization-server-discovery', DISCOVERY),
    'the metadata of the authorization server is at the address of OpenID alone', 'try that address too', WORKS,
    () => ({ openIdOnly: true })),
  {
    ...legal('scope-step-up', ofOverview('step-up-authorization-flow'),
      'a call needs a scope more, by 403 and insufficient_scope',
      'ask for authorization again, with the scopes that the challenge names, and send the call again',
      `an authorization request names the scope, and ${WORKS}`, () => refusing(false),
      worksUnless((evidence) => {
        const refusal = evidence.exchanges.find(({ status }) => status === 403)
        return parametersTo('authorize', 'scope', evidence).some((scope) => scope.includes(WRITE))
          ? undefined
          : judgeProcess(evidence, refusal) ?? breaksBy(refusal, 'It did not ask for the scope of the challenge.')
      })),
    level: 'SHOULD'
  },
  {
    ...legal('scope-step-up-endless', ofOverview('step-up-authorization-flow'),
      'each call needs a scope more, whatever the token has', 'stop after a few attempts',
      `at most ${MAX_ATTEMPTS} authorization requests come, and the process ends`, () => refusing(true),
      worksUnless((evidence) => breaksBy(requestsTo('authorize', evidence)[MAX_ATTEMPTS],
        `It asked more than ${MAX_ATTEMPTS} times.`), true)),
    kind: 'illegal',
    level: 'SHOULD'
  },
  legal('token-expired', ofOverview('resource-parameter-implementation'),
    'the access token expires in the middle, and the refresh gives no new refresh token',
    'refresh it, naming the resource, or ask for authorization again', `each refresh names the resource, and ${WORKS}`,
    () => expiring(3), worksUnless((evidence) => breaksBy(
      refreshes(evidence).find((each) => !parametersOf(each).has('resource')), 'Its refresh names no resource.'))),
  legal('refresh-rotated', ofPage('security-considerations', 'token-theft'),
    'access tokens expire again and again, and each refresh ends the refresh token that it used',
    'use each refresh token once, also when several requests need a new access token at a time',
    `no refresh token comes twice, and ${WORKS}`, () => expiring(2, undefined, true), worksUnless((evidence) => {
      const tokens = refreshes(evidence).map((exchange) => parametersOf(exchange).get('refresh_token'))
      const again = tokens.findIndex((token, index) => tokens.indexOf(token) !== index)
      return breaksBy(refreshes(evidence)[again], 'It used a refresh token twice.')
    })),
  legal('authorization-server-changed',
    { modern: 'basic/authorization/client-registration#authorization-server-binding' },
    'the resource names another authorization server in the middle, and the tokens of the first one end',
    'register there, or report an error',
    `the id of the first registration never arrives at the second server, and ${ALIVE}`, () => expiring(3, () => 'as2'),
    worksUnless((evidence) => {
      const isFirst = ({ url }: Exchange): boolean => url.startsWith('/as/')
      const ids = requestsTo('authorize', evidence).filter(isFirst).map((each) => parametersOf(each).get('client_id'))
      return breaksBy(evidence.exchanges.find((each) => each.url.startsWith('/as2/') &&
        ids.includes(parametersOf(each).get('client_id'))), 'It used its registration at another authorization server.')
    }, true)),
  {
    ...legal('token-redirected', ofOverview('token-handling'),
      'a request with the access token is redirected by 307 to a server of another origin', 'not send the token there',
      `the token never arrives at the other server, and ${ALIVE}`, (_marker, otherOrigin) => {
        const first = once()
        return {
          serve: (_call, { inject }) => {
            if (!first()) return undefined
            inject('redirected to another origin')
            return textReply(307, 'text/plain', '', { location: otherOrigin })
          }
        }
      }, worksUnless((evidence) => judgeLeak(evidence, evidence.marker), true)),
    kind: 'illegal'
  }
]

export const AUTHORIZATION_PROFILES = profilesOf('authorization', ROWS.map(({ quirks, ...row }) => ({
  ...row, create: (context) => authorizationFront(context, quirks(context.marker, context.otherOrigin))
})))
