/** Grades a protected resource and its authorization server from outside, as a client that registers itself. */
import { keysOf, type JsonObject } from '../../lib/json/json-object.js'
import { RULE_OUTCOMES, toClause, toRfcClause, type Check } from '../reports/report.js'
import { createAuthorizer, type Person } from './authorize.js'
import { AUTH_CHECKS, failed, notExercised, passed, verdictOn, type AuthCheckId, type Verdict } from './checks.js'
import { auditChallenge, auditResource, auditServer, type Inspection } from './discovery.js'
import { auditTokens, createAudit, redeem, type Audit } from './tokens.js'
import { createWeb, NoAnswer, randomText, type Fields } from './web.js'

export interface AuditOptions {
  resource: string
  person?: Person | undefined
  pause(ms: number): Promise<void>
}

const MAX_EXCHANGES = 5
const REVISION = '2026-07-28'

/** Returns one check for each row of `AUTH_CHECKS`. @throws {NoAnswer} when nothing answers at the resource */
export const auditAuth = async ({ resource, person, pause }: AuditOptions): Promise<Check[]> => {
  const web = createWeb(resource)
  const checks = new Map<string, Check>()
  const check: Inspection['check'] = async (id, judge) => {
    const before = web.exchanges.length
    const verdict = await Promise.resolve().then(judge).catch((error: unknown): Verdict => {
      if (error instanceof NoAnswer) return failed(error.message)
      throw error
    })
    checks.set(id, toCheck(id, verdict, web.exchanges.slice(before).slice(-MAX_EXCHANGES)))
    return verdict
  }
  const rest = await auditAll({ resource, web, check }, person, pause)
  return keysOf(AUTH_CHECKS).map((id) => checks.get(id) ?? toCheck(id, notExercised(rest), []))
}

/** Returns why checks were not run. */
const auditAll = async (
  inspection: Inspection, person: Person | undefined, pause: AuditOptions['pause']
): Promise<string> => {
  const issuer = await auditResource(await auditChallenge(inspection), inspection)
  if (issuer === undefined || !URL.canParse(issuer)) return 'No authorization server is known.'
  const metadata = await auditServer(issuer, inspection)
  const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = metadata ?? {}
  if (!metadata || typeof authorizeUrl !== 'string' || typeof tokenUrl !== 'string') {
    return 'The authorization server has no metadata with its endpoints.'
  }
  const authorizer = await createAuthorizer(inspection.web, person)
  try {
    const register = await registration(metadata, authorizer.redirectUri, inspection)
    const [client, otherClient] = [await register?.(), await register?.()]
    if (client === undefined || otherClient === undefined) return 'No client could be registered.'
    const parts = { ...inspection, issuer, metadata, client, otherClient, authorizer, pause }
    const audit = createAudit(parts, authorizeUrl, tokenUrl)
    const reason = await auditTokens(audit)
    // A person who did not sign in is asked no more.
    if (reason === undefined || !person) await auditRequests(audit)
    return reason ?? 'The server gave no occasion for it.'
  } finally {
    await authorizer.close()
  }
}

/** Judges registration. Returns what registers a public client, and resolves with its id. */
const registration = async (
  { registration_endpoint: url }: JsonObject, redirectUri: string, { web, check }: Inspection
): Promise<(() => Promise<string | undefined>) | undefined> => {
  if (typeof url !== 'string') return undefined
  const register = (redirect: string) => web.send(url, {
    json: {
      client_name: 'audit-auth',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    }
  })
  await check('registration', async () => {
    const { status, json } = await register(redirectUri)
    return verdictOn([
      status !== 201 && `It answers ${status} instead of 201.`,
      typeof json['client_id'] !== 'string' && 'The response has no client_id.',
      json['client_secret'] !== undefined && 'A public client is given a secret.'
    ])
  })
  await check('registration-redirects', async () => {
    const faults: Array<string | false> = []
    for (const redirect of ['http://audit.invalid/callback', 'javascript:alert(1)', `${redirectUri}#fragment`]) {
      const { status, json } = await register(redirect)
      const isTaken = status === 201 && [json['redirect_uris'] ?? redirect].flat().includes(redirect)
      faults.push(isTaken && `${redirect} is registered.`)
    }
    return verdictOn(faults)
  })
  return async () => {
    const { json: { client_id: id } } = await register(redirectUri)
    return typeof id === 'string' ? id : undefined
  }
}

/** Sends authorization requests that have to be refused. A person who has to sign in is asked once for each check. */
const auditRequests = async (audit: Audit): Promise<void> => {
  const { check, authorizer, metadata, authorize } = audit
  const own = authorizer.redirectUri
  /** Judges requests, of which none may be answered with a code; after one that needed a person no other is sent. */
  const refuse = async (id: AuthCheckId, ...variants: Fields[]): Promise<void> => {
    await check(id, async () => {
      for (const over of variants) {
        const result = await authorize(randomText(), over, 'must-be-refused')
        if (result.kind === 'unanswered') return notExercised(result.detail)
        const isRedirected = result.kind === 'answer' &&
          (result.parameters.has('code') || over['redirect_uri'] !== undefined || over['client_id'] !== undefined)
        if (isRedirected) return failed(`The answer goes to the client for ${JSON.stringify(over)}.`)
      }
      return passed()
    })
  }
  await refuse('client-unknown', { client_id: randomText() })
  await refuse('redirect-exact', { redirect_uri: `${own}/other` }, { redirect_uri: `${own}?other=1` },
    { redirect_uri: 'https://audit.invalid/callback' }, { redirect_uri: own.replace('http://', 'http://audit@') })
  await refuse('pkce-required', { code_challenge: undefined, code_challenge_method: undefined })
  await refuse('pkce-plain', { code_challenge: randomText(), code_challenge_method: 'plain' })
  await check('client-documents', async () => {
    if (metadata['client_id_metadata_document_supported'] !== true) return notExercised('Documents are not supported.')
    const before = authorizer.connections()
    for (const scheme of ['https:', 'http:']) {
      const document = own.replace('http:', scheme)
      const result = await authorize(randomText(), { client_id: document }, 'must-be-refused')
      if (authorizer.connections() > before) return failed(`The server opened a connection to ${document}.`)
      if (result.kind === 'unanswered') return notExercised(result.detail)
    }
    return passed()
  })
  await check('audience', async () => {
    const verifier = randomText()
    const foreign = 'https://audit.invalid/mcp'
    const result = await authorize(verifier, { resource: foreign }, 'must-be-refused')
    if (result.kind === 'unanswered') return notExercised(result.detail)
    const code = result.kind === 'answer' ? result.parameters.get('code') : null
    if (code === null) return passed('The request is refused.')
    const { json: { access_token: issued } } = await redeem(audit, { code, verifier }, { resource: foreign })
    if (typeof issued !== 'string') return passed('The code is refused.')
    const { status } = await audit.web.callResource(issued)
    return status === 401 ? passed('The token is refused.') : failed(`A token for ${foreign} is answered ${status}.`)
  })
}

const toCheck = (id: AuthCheckId, { status, detail }: Verdict, exchanges: Check['exchanges']): Check => {
  const [level, clause, title] = AUTH_CHECKS[id]
  return {
    id,
    group: 'authorization',
    title,
    level,
    status,
    clauses: [clause.startsWith('RFC ') ? toRfcClause(clause.slice(4)) : toClause(REVISION, clause)],
    outcome: RULE_OUTCOMES[status],
    detail,
    exchanges: status === 'failed' ? exchanges : []
  }
}
