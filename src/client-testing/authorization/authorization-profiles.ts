/** Profiles of `grade --authorization`: what is wrong with the authorization server, or with tokens. */
import { methodOf } from '../proxy/client-request.js'
import type { Exchange } from '../proxy/exchange.js'
import { jsonReply, textReply } from '../proxy/reply.js'
import { fail, judgeProcess, notExercised, pass } from '../profiles/judges.js'
import type { Evidence, Judgement, Profile } from '../profiles/profile.js'
import { once } from '../profiles/targets.js'
import {
  authorizationFront, bearerHeader, endpointOf, parametersOf, SCOPE, type Quirks
} from './authorization-front.js'

const OVERVIEW = 'basic/authorization#overview'
const DISCOVERY = 'basic/authorization/authorization-server-discovery'
const RESPONSE = 'basic/authorization#authorization-response-validation'
const STEP_UP = 'basic/authorization#step-up-authorization-flow'
const MAX_ATTEMPTS = 5

const requestsTo = (endpoint: string, { exchanges }: Evidence): Exchange[] =>
  exchanges.filter((exchange) => endpointOf(exchange) === endpoint)

const tokenRequests = (grant: string, evidence: Evidence): Exchange[] =>
  requestsTo('token', evidence).filter((exchange) => parametersOf(exchange).get('grant_type') === grant)

const NEVER = 'The client did not ask for authorization.'

/** The client has to stop before it asks this endpoint. */
const stopsBefore = (endpoint: 'authorize' | 'token') => (evidence: Evidence): Judgement => {
  const [use] = endpoint === 'token' ? tokenRequests('authorization_code', evidence) : requestsTo(endpoint, evidence)
  if (use) return fail('accepts it', `It went on to the ${endpoint} endpoint.`, use.number)
  const [first] = endpoint === 'token' ? requestsTo('authorize', evidence) : evidence.exchanges
  if (!first) return notExercised(NEVER)
  return judgeProcess(evidence, first.number, { mayFail: true }) ??
    pass('copes', `It did not go on to the ${endpoint} endpoint.`, first.number)
}

/** The client has to get its token and do its work, unless something shows that it did it wrongly. */
const worksUnless = (fault: (evidence: Evidence) => Judgement | undefined, { mayFail = false } = {}) =>
  (evidence: Evidence): Judgement => {
    const [first] = requestsTo('authorize', evidence)
    return fault(evidence) ?? judgeProcess(evidence, first?.number, { mayFail }) ??
      (first ? pass('copes', 'It went on.', first.number) : notExercised(NEVER))
  }
const nothing = (): undefined => undefined

/** The tokens end when the client has used them this often. */
const expiringAfter = (uses: number, more?: (server: string) => string): Quirks['serve'] => {
  let count = 0
  return (_call, _interception, state) => {
    if (++count === uses) {
      state.tokens.clear()
      state.server = more?.(state.server) ?? state.server
    }
    return undefined
  }
}

const repeatedRefresh = (evidence: Evidence): Judgement | undefined => {
  const seen = new Set<string>()
  for (const exchange of tokenRequests('refresh_token', evidence)) {
    const token = parametersOf(exchange).get('refresh_token') ?? ''
    if (seen.has(token)) return fail('breaks the rule', 'It used a refresh token twice.', exchange.number)
    seen.add(token)
  }
  return undefined
}

const refreshWithoutResource = (evidence: Evidence): Judgement | undefined => {
  const wrong = tokenRequests('refresh_token', evidence).find((exchange) => !parametersOf(exchange).has('resource'))
  return wrong && fail('breaks the rule', 'Its refresh names no resource.', wrong.number)
}

const reusedRegistration = (evidence: Evidence): Judgement | undefined => {
  const clientOf = (exchange: Exchange): string => parametersOf(exchange).get('client_id') ?? ''
  const before = requestsTo('authorize', evidence).filter(({ url }) => url.startsWith('/as/')).map(clientOf)
  const wrong = evidence.exchanges.find((exchange) =>
    exchange.url.startsWith('/as2/') && before.includes(clientOf(exchange)))
  return wrong && fail('breaks the rule', 'It used its registration at another authorization server.', wrong.number)
}

const scopesAsked = (evidence: Evidence): string[] =>
  requestsTo('authorize', evidence).map((exchange) => parametersOf(exchange).get('scope') ?? '')

const insufficient = (scope: string) =>
  jsonReply({ error: 'insufficient_scope' }, 403, bearerHeader({ error: 'insufficient_scope', scope }))

interface Row extends Pick<Profile, 'id' | 'kind' | 'level' | 'happens' | 'expects' | 'judgedBy'> {
  /** Page and anchor in 2026-07-28, and in 2025-11-25 where that asks the same. */
  clause: string
  old?: string
  quirks (marker: string, otherOrigin: string): Quirks
  judge (evidence: Evidence): Judgement
}

const NO_CODE = 'the code never arrives at the token endpoint, and the process neither hangs nor dies'
const NO_START = 'the authorization endpoint is never asked, and the process neither hangs nor dies'
const WORKS = 'the process ends with 0'

/** An answer whose issuer is not the recorded one. `iss` gets the right one. */
const wrongIssuer = (id: string, happens: string, iss: (issuer: string) => string | undefined): Row => ({
  id,
  kind: 'illegal',
  level: 'MUST',
  clause: RESPONSE,
  happens,
  expects: 'not send the code to the token endpoint',
  judgedBy: NO_CODE,
  quirks: () => ({
    response: ({ iss: own = '', ...rest }) => {
      const other = iss(own)
      return { ...rest, ...(other !== undefined && { iss: other }) }
    }
  }),
  judge: stopsBefore('token')
})

const ROWS: readonly Row[] = [
  wrongIssuer('iss-wrong', 'the authorization response names another issuer', () => 'https://honest.example'),
  wrongIssuer('iss-missing', 'the authorization response names no issuer, although the metadata says that it does',
    () => undefined),
  wrongIssuer('iss-normalized', 'the issuer in the authorization response has a slash more than in the metadata',
    (issuer) => `${issuer}/`),
  {
    id: 'iss-wrong-error',
    kind: 'illegal',
    level: 'MUST',
    clause: RESPONSE,
    happens: 'the authorization response is an error and names another issuer',
    expects: 'not show what the error says',
    judgedBy: 'the description of the error is not printed, and the process neither hangs nor dies',
    quirks: (marker) => ({
      response: ({ code: _, ...rest }) =>
        ({ ...rest, iss: 'https://honest.example', error: 'access_denied', error_description: `denied ${marker}` })
    }),
    judge: (evidence) => `${evidence.subject?.stdout}${evidence.subject?.stderr}`.includes(`denied ${evidence.marker}`)
      ? fail('accepts it', 'It printed the description of the error.', requestsTo('authorize', evidence)[0]?.number)
      : stopsBefore('token')(evidence)
  },
  {
    id: 'metadata-issuer-other',
    kind: 'illegal',
    level: 'MUST',
    clause: `${DISCOVERY}#authorization-server-metadata-discovery`,
    happens: 'the metadata of the authorization server has the issuer of another one',
    expects: 'not use the metadata',
    judgedBy: NO_START,
    quirks: () => ({ metadata: (document) => ({ ...document, issuer: 'https://honest.example' }) }),
    judge: stopsBefore('authorize')
  },
  {
    id: 'resource-other',
    kind: 'illegal',
    level: 'MUST',
    clause: `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    old: OVERVIEW,
    happens: 'the metadata of the protected resource is that of another resource',
    expects: 'not use it: RFC 9728, section 3.3',
    judgedBy: NO_START,
    quirks: () => ({ resource: (document) => ({ ...document, resource: 'https://honest.example/mcp' }) }),
    judge: stopsBefore('authorize')
  },
  {
    id: 'pkce-unsupported',
    kind: 'illegal',
    level: 'MUST',
    clause: 'basic/authorization/security-considerations#authorization-code-protection',
    old: 'basic/authorization#authorization-code-protection',
    happens: 'the metadata of the authorization server has no code_challenge_methods_supported',
    expects: 'refuse to proceed',
    judgedBy: NO_START,
    quirks: () => ({ metadata: ({ code_challenge_methods_supported: _, ...rest }) => rest }),
    judge: stopsBefore('authorize')
  },
  {
    id: 'challenge-bare',
    kind: 'legal',
    level: 'MUST',
    clause: `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    old: 'basic/authorization#protected-resource-metadata-discovery-requirements',
    happens: 'the challenge of a 401 does not say where the metadata is',
    expects: 'find it at the well-known address',
    judgedBy: WORKS,
    quirks: () => ({ challenge: ({ scope = '' }) => ({ scope }) }),
    judge: worksUnless(nothing)
  },
  {
    id: 'metadata-openid',
    kind: 'legal',
    level: 'MUST',
    clause: `${DISCOVERY}#authorization-server-metadata-discovery`,
    old: 'basic/authorization#authorization-server-metadata-discovery',
    happens: 'the metadata of the authorization server is at the address of OpenID alone',
    expects: 'try that address too',
    judgedBy: WORKS,
    quirks: () => ({ openIdOnly: true }),
    judge: worksUnless(nothing)
  },
  {
    id: 'scope-step-up',
    kind: 'legal',
    level: 'SHOULD',
    clause: STEP_UP,
    old: STEP_UP,
    happens: 'a call needs a scope more, by 403 and insufficient_scope',
    expects: 'ask for authorization again, with the scopes that the challenge names, and send the call again',
    judgedBy: `an authorization request names the scope, and ${WORKS}`,
    quirks: () => ({
      serve: (call, { inject }, { tokens }) => {
        if (methodOf(call) !== 'tools/call' || [...tokens.values()].some((scope) => scope.includes('write'))) return
        inject('403: the scope is insufficient')
        return insufficient(`${SCOPE} plans:write`)
      }
    }),
    judge: worksUnless((evidence) => evidence.exchanges.some(({ status }) => status === 403) &&
      !scopesAsked(evidence).some((scope) => scope.includes('plans:write'))
      ? judgeProcess(evidence, undefined) ?? fail('breaks the rule', 'It did not ask for the scope of the challenge.')
      : undefined)
  },
  {
    id: 'scope-step-up-endless',
    kind: 'illegal',
    level: 'SHOULD',
    clause: STEP_UP,
    old: STEP_UP,
    happens: 'each call needs a scope more, whatever the token has',
    expects: 'stop after a few attempts',
    judgedBy: `at most ${MAX_ATTEMPTS} authorization requests come, and the process ends`,
    quirks: () => ({
      serve: (call, { inject }) => {
        if (methodOf(call) !== 'tools/call') return
        inject('403: the scope is insufficient')
        return insufficient(`${SCOPE} plans:write`)
      }
    }),
    judge: worksUnless((evidence) => {
      const further = requestsTo('authorize', evidence)[MAX_ATTEMPTS]
      return further && fail('breaks the rule', `It asked ${scopesAsked(evidence).length} times.`, further.number)
    }, { mayFail: true })
  },
  {
    id: 'token-expired',
    kind: 'legal',
    level: 'MUST',
    clause: 'basic/authorization#resource-parameter-implementation',
    old: 'basic/authorization#resource-parameter-implementation',
    happens: 'the access token expires in the middle, and the refresh gives no new refresh token',
    expects: 'refresh it, naming the resource, or ask for authorization again',
    judgedBy: `each refresh names the resource, and ${WORKS}`,
    quirks: () => ({ serve: expiringAfter(3) }),
    judge: worksUnless(refreshWithoutResource)
  },
  {
    id: 'refresh-rotated',
    kind: 'legal',
    level: 'MUST',
    clause: 'basic/authorization/security-considerations#token-theft',
    old: 'basic/authorization#token-theft',
    happens: 'access tokens expire again and again, and each refresh ends the refresh token that it used',
    expects: 'use each refresh token once, also when several requests need a new access token at a time',
    judgedBy: `no refresh token comes twice, and ${WORKS}`,
    quirks: () => {
      let count = 0
      return {
        rotates: true,
        serve: (_call, _interception, { tokens }) => {
          if (++count % 2 === 0) tokens.clear()
          return undefined
        }
      }
    },
    judge: worksUnless(repeatedRefresh)
  },
  {
    id: 'authorization-server-changed',
    kind: 'legal',
    level: 'MUST',
    clause: 'basic/authorization/client-registration#authorization-server-binding',
    happens: 'the resource names another authorization server in the middle, and the tokens of the first one end',
    expects: 'register there, or report an error',
    judgedBy: 'the id of the first registration never arrives at the second server, and the process neither hangs ' +
      'nor dies',
    quirks: () => ({ serve: expiringAfter(3, () => 'as2') }),
    judge: worksUnless(reusedRegistration, { mayFail: true })
  },
  {
    id: 'token-redirected',
    kind: 'illegal',
    level: 'MUST',
    clause: 'basic/authorization#token-handling',
    old: 'basic/authorization#token-handling',
    happens: 'a request with the access token is redirected by 307 to a server of another origin',
    expects: 'not send the token there',
    judgedBy: 'the token never arrives at the other server, and the process neither hangs nor dies',
    quirks: (_marker, otherOrigin) => {
      const first = once()
      return {
        serve: (_call, { inject }) => {
          if (!first()) return undefined
          inject('redirected to another origin')
          return textReply(307, 'text/plain', '', { location: otherOrigin })
        }
      }
    },
    judge: worksUnless(({ elsewhere, marker }) =>
      elsewhere.some(({ headers, url, body }) => `${JSON.stringify(headers)} ${url} ${body ?? ''}`.includes(marker))
        ? fail('leaks its credential', 'A server of another origin received the token.')
        : undefined, { mayFail: true })
  }
]

export const AUTHORIZATION_PROFILES: readonly Profile[] = ROWS.map(({ clause, old, quirks, judge, ...row }) => ({
  ...row,
  family: 'authorization',
  eras: old === undefined ? ['modern'] : ['legacy', 'modern'],
  ...(old !== undefined && { legacy: old }),
  modern: clause,
  create: (context) => {
    const front = authorizationFront(context, quirks(context.marker, context.otherOrigin))
    return { ...front, judge }
  }
}))
