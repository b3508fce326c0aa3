/** A client that gets its token from an authorization server, and does everything right, unless a defect is switched on. */
import { createHash, randomBytes } from 'node:crypto'
import type { SubjectOutcome } from '../../../src/client-testing/grade/subject.js'
import type { AuthorizationDefect } from '../profile-cases.js'
import type { Json } from './client.js'

interface Grant { access: string, refresh: string, client: string, metadata: Json }

const CALLBACK = 'http://127.0.0.1:9/callback'
const MAX_STEPS = 3

export const runAuthorizedClient = async (url: string, defects: readonly AuthorizationDefect[]): Promise<SubjectOutcome> => {
  const has = (defect: AuthorizationDefect): boolean => defects.includes(defect)
  const out: string[] = []
  const registered = new Map<string, string>()
  let steps = 0

  const json = async (address: string | URL, init: RequestInit = {}): Promise<Json | undefined> => {
    const reply = await fetch(address, init)
    return reply.ok ? await reply.json() as Json : undefined
  }
  const form = (fields: Record<string, string | undefined>): URLSearchParams =>
    new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))

  const discover = async (challenge: string): Promise<Json> => {
    const [, named] = /resource_metadata="([^"]*)"/.exec(challenge) ?? []
    if (named === undefined && has('noWellKnown')) throw new Error('the challenge names no metadata')
    const document = await json(named ?? new URL('/.well-known/oauth-protected-resource/mcp', url))
    if (!document) throw new Error('no metadata of the resource')
    if (document['resource'] !== url && !has('anyResource')) throw new Error('the metadata is of another resource')
    const issuer = new URL(String(document['authorization_servers'][0]))
    const names = ['oauth-authorization-server', ...has('noOpenId') ? [] : ['openid-configuration']]
    for (const name of names) {
      const metadata = await json(`${issuer.origin}/.well-known/${name}${issuer.pathname}`)
      if (!metadata) continue
      if (metadata['issuer'] !== issuer.href && !has('anyMetadata')) throw new Error('the metadata has another issuer')
      if (!metadata['code_challenge_methods_supported']?.includes('S256') && !has('noPkceCheck')) throw new Error('PKCE is not supported')
      return metadata
    }
    throw new Error('no metadata of the authorization server')
  }

  const register = async ({ issuer, registration_endpoint: address }: Json): Promise<string> => {
    const known = has('reusesRegistration') ? [...registered.values()][0] : registered.get(issuer)
    if (known !== undefined) return known
    const client = await json(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'tiny',
        redirect_uris: [CALLBACK],
        ...(!has('noApplicationType') && { application_type: 'native' }),
        grant_types: ['authorization_code', ...has('noRefreshType') ? [] : ['refresh_token']],
        token_endpoint_auth_method: 'none'
      })
    })
    registered.set(issuer, String(client?.['client_id']))
    return String(client?.['client_id'])
  }

  const checkIssuer = (iss: string | null, { issuer, authorization_response_iss_parameter_supported: isSent }: Json): void => {
    const expected = has('looseIssuer') ? issuer.replace(/\/$/, '') : issuer
    const actual = has('looseIssuer') ? iss?.replace(/\/$/, '') : iss
    if (iss === null ? isSent && !has('needsNoIssuer') : actual !== expected && !has('anyIssuer')) throw new Error('the answer is of another issuer')
  }

  const authorize = async (challenge: string): Promise<Grant> => {
    if (++steps > MAX_STEPS && !has('endlessStepUp')) throw new Error('authorization does not end')
    if (steps > 12) throw new Error('enough')
    const metadata = await discover(challenge)
    const client = await register(metadata)
    const [, scope] = /scope="([^"]*)"/.exec(challenge) ?? []
    const verifier = randomBytes(has('shortVerifier') ? 6 : 32).toString('base64url')
    const state = randomBytes(8).toString('hex')
    const redirect = has('plainRedirect') ? 'http://client.example/callback' : CALLBACK
    const query = form({
      response_type: 'code',
      client_id: client,
      redirect_uri: redirect,
      scope: has('noScope') ? undefined : scope,
      state: has('noState') ? undefined : state,
      code_challenge: has('noChallenge') ? verifier : createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: has('noChallenge') ? 'plain' : 'S256',
      resource: has('noResource') ? undefined : url
    })
    const reply = await fetch(`${metadata['authorization_endpoint']}?${query}`, { redirect: 'manual' })
    const answer = new URL(reply.headers.get('location') ?? '').searchParams
    if (has('printsErrors') && answer.has('error')) throw new Error(String(answer.get('error_description')))
    checkIssuer(answer.get('iss'), metadata)
    if (answer.has('error')) throw new Error('authorization failed')
    if (answer.get('state') !== state && !has('noState')) throw new Error('the state is another one')
    return await redeem(metadata, client, { grant_type: 'authorization_code', code: answer.get('code') ?? '', code_verifier: verifier, redirect_uri: redirect })
  }

  const redeem = async (metadata: Json, client: string, fields: Record<string, string>): Promise<Grant> => {
    const isRefresh = fields['grant_type'] === 'refresh_token'
    const resource = has('noResource') || (isRefresh && has('refreshWithoutResource')) ? undefined : url
    const tokens = await json(metadata['token_endpoint'], { method: 'POST', body: form({ ...fields, client_id: client, resource }) })
    if (!tokens) throw new Error('the authorization server gives no token')
    return { access: tokens['access_token'], refresh: tokens['refresh_token'] ?? fields['refresh_token'] ?? '', client, metadata }
  }

  let grant: Grant | undefined
  const renew = async (challenge: string): Promise<Grant> => {
    if (!grant || !challenge.includes('/.well-known/') || has('reusesRegistration')) return authorize(challenge)
    const { refresh, client, metadata } = grant
    const renewed = await redeem(metadata, client, { grant_type: 'refresh_token', refresh_token: refresh }).catch(() => authorize(challenge))
    return has('reusesRefresh') ? { ...renewed, refresh } : renewed
  }

  let id = 0
  const request = async (method: string, params: Json = {}): Promise<Json> => {
    const META = 'io.modelcontextprotocol/'
    const message = {
      jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {}, [`${META}clientInfo`]: { name: 'tiny', version: '1' } } }
    }
    const send = (to: string): Promise<Response> => fetch(to, {
      method: 'POST',
      redirect: 'manual',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params['name'] !== undefined && { 'mcp-name': params['name'] }),
        ...(grant && { authorization: `Bearer ${grant.access}` })
      }
    })
    for (let attempt = 0; attempt < 20; attempt++) {
      let reply = await send(url)
      if (reply.status === 307 && has('followsRedirects')) reply = await send(reply.headers.get('location') ?? '')
      const challenge = reply.headers.get('www-authenticate') ?? ''
      if (reply.status === 401) grant = await renew(challenge)
      else if (reply.status === 403 && !has('noStepUp')) grant = await authorize(challenge.includes('resource_metadata') ? challenge : `${challenge}, x`)
      else if (!reply.ok) throw new Error(`HTTP ${reply.status}`)
      else return await reply.json() as Json
    }
    throw new Error('too many attempts')
  }

  try {
    for (const [method, params] of [['server/discover', {}], ['tools/list', {}], ['tools/call', { name: 'ping', arguments: {} }], ['tools/call', { name: 'list_workspaces', arguments: {} }], ['tools/list', {}]] as const) {
      out.push(JSON.stringify(await request(method, params)).slice(0, 200))
    }
    return { end: 'itself', exitCode: 0, signal: null, stdout: out.join('\n'), stderr: '' }
  } catch (error) {
    return { end: 'itself', exitCode: 1, signal: null, stdout: out.join('\n'), stderr: `Error: ${(error as Error).message}` }
  }
}
