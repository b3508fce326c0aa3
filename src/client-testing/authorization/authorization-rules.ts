/** What every request of a client to an authorization server has to have, judged on the correct one. */
import type { Exchange } from '../proxy/exchange.js'
import { toSafeExchange, type Redactor } from '../redact.js'
import { clausesOf, type Profile } from '../profiles/profile.js'
import { notExercised } from '../profiles/judges.js'
import { parseObject, type JsonObject } from '../../lib/json/json-object.js'
import { ruleVerdict, type Check } from '../reports/report.js'
import { authorizationFront, endpointOf, parametersOf, SCOPE } from './authorization-front.js'

/** The correct server behind an authorization server that does everything right. */
export const CORRECT_AUTHORIZATION: Pick<Profile, 'create' | 'judge'> = {
  create: (context) => authorizationFront(context), judge: () => notExercised('')
}

interface Request { endpoint: string, parameters: URLSearchParams, body: JsonObject, resource: string }

export interface AuthorizationRule {
  id: string
  level: 'MUST' | 'SHOULD'
  legacy?: string
  modern: string
  sentence: string
  applies(request: Request): boolean
  isObeyed(request: Request): boolean
}

const BASE = 'basic/authorization'
const RESOURCE = `${BASE}#resource-parameter-implementation`
const CODES = `${BASE}/security-considerations#authorization-code-protection`
const REDIRECTION = `${BASE}/security-considerations#open-redirection`
const at = (name: string) => ({ endpoint }: Request): boolean => endpoint === name
const isCodeGrant = ({ endpoint, parameters }: Request): boolean =>
  endpoint === 'token' && parameters.get('grant_type') === 'authorization_code'
const namesResource = ({ parameters, resource }: Request): boolean =>
  (parameters.get('resource') ?? '').replace(/\/$/, '') === resource

/* eslint-disable @stylistic/max-len -- a table, one rule per line */
export const AUTHORIZATION_RULES: readonly AuthorizationRule[] = [
  { id: 'authorization-names-resource', level: 'MUST', legacy: RESOURCE, modern: RESOURCE, sentence: 'An authorization request names the server by its canonical URI, as resource.', applies: at('authorize'), isObeyed: namesResource },
  { id: 'token-names-resource', level: 'MUST', legacy: RESOURCE, modern: RESOURCE, sentence: 'A token request names the server by its canonical URI, as resource.', applies: at('token'), isObeyed: namesResource },
  { id: 'pkce-challenge', level: 'MUST', legacy: `${BASE}#authorization-code-protection`, modern: CODES, sentence: 'An authorization request has a code challenge of the method S256.', applies: at('authorize'), isObeyed: ({ parameters }) => parameters.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(parameters.get('code_challenge') ?? '') },
  { id: 'pkce-verifier', level: 'MUST', legacy: `${BASE}#authorization-code-protection`, modern: CODES, sentence: 'A token request has the verifier of its code challenge, of 43 to 128 characters.', applies: isCodeGrant, isObeyed: ({ parameters }) => /^[\w.~-]{43,128}$/.test(parameters.get('code_verifier') ?? '') },
  { id: 'state-sent', level: 'SHOULD', legacy: `${BASE}#open-redirection`, modern: REDIRECTION, sentence: 'An authorization request has a state.', applies: at('authorize'), isObeyed: ({ parameters }) => (parameters.get('state') ?? '') !== '' },
  { id: 'redirect-safe', level: 'MUST', legacy: `${BASE}#communication-security`, modern: `${BASE}/security-considerations#communication-security`, sentence: 'A redirect URI is https, or on the machine itself.', applies: at('authorize'), isObeyed: ({ parameters }) => /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(parameters.get('redirect_uri') ?? '') },
  { id: 'scope-of-challenge', level: 'SHOULD', legacy: `${BASE}#scope-selection-strategy`, modern: `${BASE}#scope-selection-strategy`, sentence: 'An authorization request asks for the scope that the challenge names.', applies: at('authorize'), isObeyed: ({ parameters }) => (parameters.get('scope') ?? '').split(' ').includes(SCOPE) },
  { id: 'application-type', level: 'MUST', modern: `${BASE}/client-registration#application-type-and-redirect-uri-constraints`, sentence: 'A registration says what type of application it is for.', applies: at('register'), isObeyed: ({ body }) => ['native', 'web'].includes(String(body['application_type'])) },
  { id: 'refresh-registered', level: 'SHOULD', modern: `${BASE}#refresh-tokens`, sentence: 'A registration has refresh_token among its grant types.', applies: at('register'), isObeyed: ({ body }) => Array.isArray(body['grant_types']) && body['grant_types'].includes('refresh_token') }
]
/* eslint-enable @stylistic/max-len */

/** Returns a check for each rule, from the exchanges of the run on the correct authorization server. */
export const authorizationChecks = (exchanges: readonly Exchange[], redactor: Redactor): Check[] => {
  const requests = exchanges.map((exchange) => ({
    exchange,
    endpoint: endpointOf(exchange) ?? '',
    parameters: parametersOf(exchange),
    body: parseObject(exchange.body ?? '') ?? {},
    resource: `http://${exchange.headers.host}/mcp`
  }))
  return AUTHORIZATION_RULES.map(({ id, level, sentence, applies, isObeyed, ...clauses }): Check => {
    const own = requests.filter(applies)
    const wrong = own.filter((request) => !isObeyed(request))
    return {
      id,
      group: 'authorization',
      title: sentence,
      level,
      ...ruleVerdict(wrong.length, own.length),
      clauses: clausesOf(clauses),
      detail: own.length === 0 ? '' : `${wrong.length} of ${own.length} requests break it`,
      exchanges: wrong.slice(0, MAX_SHOWN).map(({ exchange }) => toSafeExchange(exchange, redactor))
    }
  })
}

const MAX_SHOWN = 3
