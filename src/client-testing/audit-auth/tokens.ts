/** Judges codes, access tokens and refresh tokens. */
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Authorizer } from './authorize.js'
import { failed, notExercised, passed, verdictOn } from './checks.js'
import { isRefusal, isSecure, type Inspection } from './discovery.js'
import { challengeOf, randomText, type Fields, type WebReply } from './web.js'

interface Parts extends Inspection {
  issuer: string
  metadata: JsonObject
  client: string
  otherClient: string
  authorizer: Authorizer
  pause(ms: number): Promise<void>
}

export type Audit = ReturnType<typeof createAudit>

export const createAudit = (parts: Parts, authorizeUrl: string, tokenUrl: string) => {
  const { web, authorizer, client, resource } = parts
  return {
    ...parts,
    /** Sends a correct authorization request, changed by `over`. */
    authorize: (verifier: string, over: Fields, expects?: 'must-be-refused') => authorizer.authorize(authorizeUrl, {
      response_type: 'code',
      client_id: client,
      redirect_uri: authorizer.redirectUri,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      state: randomText(),
      resource,
      ...over
    }, expects),
    async token (form: Fields) {
      for (const secret of [form['code'], form['code_verifier'], form['refresh_token']]) if (secret) web.hide(secret)
      const reply = await web.send(tokenUrl, { form })
      for (const name of ['access_token', 'refresh_token']) if (reply.json[name]) web.hide(String(reply.json[name]))
      return reply
    }
  }
}

interface Grant { code: string, verifier: string, reply: WebReply, access: string, refresh: string | undefined }

const GRACE_MS = 60_000

/** Returns why no token was had; undefined when there was one. */
export const auditTokens = async (audit: Audit): Promise<string | undefined> => {
  const first = await auditCode(audit)
  if (typeof first === 'string') return first
  await auditAccess(audit, first)
  await auditRefresh(audit, first)
  const { check, token, web } = audit
  const once = await check('code-once', async () => {
    const { status } = await redeem(audit, first)
    return status < 400 ? failed(`A second use of the code is answered ${status}.`) : passed()
  })
  await check('code-once-revokes', async () => {
    if (once.status !== 'passed') return notExercised('A code works twice.')
    const { status } = await web.callResource(first.access)
    return status === 401 ? passed() : failed(`The access token of the first use is still answered ${status}.`)
  })
  await check('revocation', async () => {
    const { revocation_endpoint: url } = audit.metadata
    if (typeof url !== 'string') return notExercised('The metadata has no revocation_endpoint.')
    if (!isSecure(url)) return notExercised('The revocation endpoint is not https, so no token is sent there.')
    const grant = await newGrant(audit)
    if (typeof grant === 'string') return notExercised(grant)
    if (grant.refresh === undefined) return notExercised('There is no refresh token.')
    const { status } = await web.send(url, { form: { token: grant.refresh, client_id: audit.client } })
    const after = await token(refreshForm(audit, grant.refresh))
    return verdictOn([
      status !== 200 && `The revocation is answered ${status} instead of 200.`,
      after.status < 400 && 'The refresh token still works.'
    ])
  })
  return undefined
}

/** Redeems a code as its client does; `over` changes the request. */
export const redeem = (
  { token, client, authorizer, resource }: Audit, { code, verifier }: Pick<Grant, 'code' | 'verifier'>, over?: Fields
) => token({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  redirect_uri: authorizer.redirectUri,
  client_id: client,
  resource,
  ...over
})

const refreshForm = ({ client, resource }: Audit, refresh: string) =>
  ({ grant_type: 'refresh_token', refresh_token: refresh, client_id: client, resource })

const newCode = async ({ authorize, web }: Audit) => {
  const [verifier, state] = [randomText(), randomText()]
  const result = await authorize(verifier, { state })
  if (result.kind !== 'answer') return result.detail
  const { parameters } = result
  const code = parameters.get('code')
  if (code === null) return `The authorization server answers ${parameters.get('error') ?? 'without a code'}.`
  web.hide(code)
  return { code, verifier, parameters, state }
}

const grantOf = (code: string, verifier: string, reply: WebReply): Grant | string => {
  const { access_token: access, refresh_token: refresh } = reply.json
  return typeof access === 'string'
    ? { code, verifier, reply, access, refresh: typeof refresh === 'string' ? refresh : undefined }
    : `The token endpoint answers ${reply.status} ${String(reply.json['error'] ?? '')}.`
}

const newGrant = async (audit: Audit): Promise<Grant | string> => {
  const asked = await newCode(audit)
  return typeof asked === 'string' ? asked : grantOf(asked.code, asked.verifier, await redeem(audit, asked))
}

/** Judges the response and the code in it, and redeems it. */
const auditCode = async (audit: Audit): Promise<Grant | string> => {
  const { check, issuer, metadata, otherClient } = audit
  const asked = await newCode(audit)
  if (typeof asked === 'string') return asked
  const { code, verifier, parameters, state } = asked
  const names = parameters.getAll('iss')
  const isPromised = metadata['authorization_response_iss_parameter_supported'] === true
  await check('iss-advertised', () => names.length > 0 && !isPromised
    ? failed('The response names its issuer, and the metadata does not say so.')
    : passed())
  await check('iss', () => verdictOn([
    isPromised && names.length !== 1 && `The response has ${names.length} times iss.`,
    ...names.map((name) => name !== issuer && `iss is ${name} and not ${issuer}.`)
  ]))
  await check('state', () => verdictOn([parameters.get('state') !== state && 'It is not the state of the request.']))
  let used: WebReply | undefined
  /** Whether a code works that must not; one that did is used. */
  const works = async (over: Fields): Promise<boolean> => {
    const reply = await redeem(audit, asked, over)
    if (typeof reply.json['access_token'] !== 'string') return false
    used ??= reply
    return true
  }
  await check('pkce-verifier', async () => verdictOn([
    await works({ code_verifier: randomText() }) && 'It works with another verifier.',
    used === undefined && await works({ code_verifier: undefined }) && 'It works without a verifier.'
  ]))
  await check('code-client', async () => used === undefined && await works({ client_id: otherClient })
    ? failed('It works for another client.')
    : passed())
  const own = grantOf(code, verifier, used ?? await redeem(audit, asked))
  // A refused attempt may have used the code up.
  const grant = typeof own === 'string' ? await newGrant(audit) : own
  if (typeof grant === 'string') return grant
  await check('token-response', () => verdictOn([
    !grant.reply.header('content-type').startsWith('application/json') && 'It is not JSON.',
    !grant.reply.header('cache-control').includes('no-store') && 'Cache-Control has no no-store.',
    String(grant.reply.json['token_type']).toLowerCase() !== 'bearer' && 'token_type is not Bearer.'
  ]))
  return grant
}

const auditAccess = async ({ check, web, resource }: Audit, { access, refresh }: Grant): Promise<void> => {
  await check('token-accepted', async () => {
    const { status } = await web.callResource(access)
    return isRefusal(status) ? failed(`It is answered ${status}.`) : passed()
  })
  await check('token-in-query', async () => {
    const url = new URL(resource)
    url.searchParams.set('access_token', access)
    const { status } = await web.callResource(undefined, url.href)
    return isRefusal(status) ? passed() : failed(`It is answered ${status}.`)
  })
  await check('token-kind', async () => {
    const wrong = [
      ['a refresh token', refresh], ['an altered token', access.slice(0, -2)], ['an unsigned token', unsigned(access)]
    ]
    const faults: Array<string | false> = []
    for (const [what = '', value] of wrong) {
      if (value === undefined) continue
      web.hide(value)
      const { status } = await web.callResource(value)
      faults.push(status !== 401 && `${what} is answered ${status}.`)
    }
    return verdictOn(faults)
  })
}

/** A JSON Web Token with the algorithm none (RFC 8725 section 2.1); undefined for a token of another form. */
const unsigned = (token: string): string | undefined => {
  const [header, payload, signature] = token.split('.')
  if (!header || !payload || signature === undefined) return undefined
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
}

const auditRefresh = async (audit: Audit, { refresh }: Grant): Promise<void> => {
  const { check, token, otherClient, pause } = audit
  if (refresh === undefined) return
  const ofClient = await check('refresh-client', async () => {
    const { status } = await token({ ...refreshForm(audit, refresh), client_id: otherClient })
    return status < 400 ? failed('It works for another client.') : passed()
  })
  // Used for another client, it is used up.
  if (ofClient.status === 'failed') return
  const { json, status } = await token(refreshForm(audit, refresh))
  const at = Date.now()
  await check('refresh-rotation', () => verdictOn([
    status !== 200 && `A refresh is answered ${status}.`,
    status === 200 && (json['refresh_token'] ?? refresh) === refresh && 'The response has no other refresh token.'
  ]))
  if (typeof json['refresh_token'] !== 'string' || json['refresh_token'] === refresh) return
  await check('refresh-replay', async () => {
    const soon = await token(refreshForm(audit, refresh))
    if (soon.status >= 400) return passed()
    await pause(Math.max(0, at + GRACE_MS + 2000 - Date.now()))
    const { status: late } = await token(refreshForm(audit, refresh))
    return late < 400
      ? failed('It works more than 60 s later.')
      : passed('Note: it works again at once, and no longer after 60 s.')
  })
}
