/** Finds and judges the metadata of a protected resource and of its authorization server. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { isLoopbackUrl } from '../../lib/http/loopback.js'
import { challengeParameter } from '../../lib/http/bearer-challenge.js'
import { METADATA_FORMS, metadataAddress, wellKnownAddress } from '../../lib/http/well-known-address.js'
import { failed, notExercised, passed, verdictOn, type AuthCheckId, type Verdict } from './checks.js'
import { NoAnswer, type Web, type WebReply } from './web.js'

export interface Inspection {
  resource: string
  web: Web
  check(id: AuthCheckId, judge: () => Promise<Verdict> | Verdict): Promise<Verdict>
}

const strings = (value: unknown): string[] => [value].flat().filter((item) => typeof item === 'string')
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const
const BOTH = 'application/json, text/event-stream'
const ABROAD = { origin: 'https://audit.invalid' }

/** Asks the resource without a token and with a wrong one. Returns the challenge. */
export const auditChallenge = async ({ resource, web, check }: Inspection): Promise<string> => {
  const first = await web.callResource()
  const challenge = first.header('www-authenticate')
  await check('challenge', () => verdictOn([
    first.status !== 401 && `It answers ${first.status} instead of 401.`,
    !/^Bearer\b/i.test(challenge) && 'It has no WWW-Authenticate with the scheme Bearer.',
    challengeParameter(challenge, 'error') !== undefined && 'It names an error, though no token was sent.'
  ]))
  await check('challenge-scope', () =>
    challengeParameter(challenge, 'scope') === undefined ? failed('There is no scope in it.') : passed())
  await check('no-data', async () => {
    const { status } = await web.send(resource, { headers: { accept: BOTH }, json: 'no message' })
    return isRefusal(status) ? passed() : failed(`A body that is no message is answered ${status}.`)
  })
  await check('invalid-token', async () => {
    const { status, header } = await web.callResource('not-a-token-of-this-server')
    const error = challengeParameter(header('www-authenticate'), 'error')
    return verdictOn([
      status !== 401 && `It answers ${status} instead of 401.`,
      error !== 'invalid_token' && `The challenge has error=${error ?? 'nothing'}.`
    ])
  })
  return challenge
}

/** Reads the metadata of the resource. Returns the issuer that it names first. */
export const auditResource = async (
  challenge: string, { resource, web, check }: Inspection
): Promise<string | undefined> => {
  const named = challengeParameter(challenge, 'resource_metadata')
  const addresses = [...new Set([named, wellKnownAddress('oauth-protected-resource', resource),
    `${new URL(resource).origin}/.well-known/oauth-protected-resource`].filter((each) => each !== undefined))]
  let document: JsonObject | undefined
  await check('challenge-metadata', async () => {
    if (named !== undefined && !URL.canParse(named)) return failed(`${named} in the challenge is not absolute.`)
    for (const address of addresses) {
      const found = await documentAt(address, web)
      if (found === undefined && address === named) return failed(`${named} in the challenge has no metadata.`)
      document ??= found
    }
    return document ? passed() : failed(`There is none at ${addresses.join(', ')}.`)
  })
  const { resource: own, authorization_servers: issuers, scopes_supported: scopes } = document ?? {}
  const [issuer] = strings(issuers)
  await check('resource-metadata', () => document === undefined
    ? notExercised('There is no metadata.')
    : verdictOn([
      own !== resource && `Its resource is ${JSON.stringify(own)} and not ${resource}.`,
      issuer === undefined && 'It names no authorization server.'
    ]))
  await check('resource-offline-access', () => verdictOn([
    strings(scopes).includes('offline_access') && 'The metadata has it.',
    challengeParameter(challenge, 'scope')?.split(' ').includes('offline_access') && 'The challenge has it.'
  ]))
  return issuer
}

/** Reads the metadata of the authorization server in all its forms. Returns the first that names the issuer. */
export const auditServer = async (issuer: string, inspection: Inspection): Promise<JsonObject | undefined> => {
  const { web, check } = inspection
  const forms = METADATA_FORMS.map((form) => metadataAddress(issuer, form))
  const documents: Array<readonly [string, JsonObject]> = []
  for (const address of new Set(forms)) {
    const document = await documentAt(address, web)
    if (document) documents.push([address, document])
  }
  const metadata = documents.find(([, document]) => document['issuer'] === issuer)?.[1] ?? documents[0]?.[1]
  await check('server-metadata', () => metadata === undefined
    ? failed(`There is none at ${forms.join(', ')}.`)
    : verdictOn([
      metadata['issuer'] !== issuer && `Its issuer is ${JSON.stringify(metadata['issuer'])} and not ${issuer}.`,
      ...ENDPOINTS.slice(0, 2).map((name) => !URL.canParse(String(metadata[name])) && `It has no ${name}.`),
      !strings(metadata['response_types_supported']).includes('code') && 'response_types_supported has no "code".'
    ]))
  if (!metadata) return undefined
  await check('metadata-forms', () => documents.length < 2
    ? notExercised('There is one form.')
    : verdictOn(documents.flatMap(([address, document]) => ['issuer', ...ENDPOINTS].map((name) =>
      document[name] !== metadata[name] && `${name} is ${JSON.stringify(document[name])} at ${address}.`))))
  await check('pkce-advertised', () => verdictOn(documents.map(([address, document]) =>
    !strings(document['code_challenge_methods_supported']).includes('S256') && `S256 is not in ${address}.`)))
  await check('https', () => verdictOn(ENDPOINTS.map((name) =>
    metadata[name] !== undefined && !isSecure(String(metadata[name])) && `${name} is ${String(metadata[name])}.`)))
  await auditCors(metadata, inspection)
  return metadata
}

const auditCors = async (metadata: JsonObject, { web, check }: Inspection): Promise<void> => {
  const allows = async (name: (typeof ENDPOINTS)[number]): Promise<WebReply | undefined> => {
    const url = metadata[name]
    return typeof url === 'string' && isSecure(url)
      ? await web.send(url, { method: 'OPTIONS', headers: { ...ABROAD, 'access-control-request-method': 'POST' } })
      : undefined
  }
  await check('authorize-cors', async () => {
    const origin = (await allows('authorization_endpoint'))?.header('access-control-allow-origin') ?? ''
    return origin === '' ? passed() : failed(`Access-Control-Allow-Origin is ${origin}.`)
  })
  await check('cors-credentials', async () => {
    const faults: Array<string | false> = []
    for (const name of ENDPOINTS) {
      const reply = await allows(name)
      faults.push(reply !== undefined && reply.header('access-control-allow-credentials') === 'true' &&
        reply.header('access-control-allow-origin') === ABROAD.origin && `${name} lets any site do so.`)
    }
    return verdictOn(faults)
  })
}

export const isSecure = (address: string): boolean =>
  URL.canParse(address) && (new URL(address).protocol === 'https:' || isLoopbackUrl(new URL(address)))

export const isRefusal = (status: number): boolean => status === 401 || status === 403

/** The JSON object at an address; undefined where there is none. Follows no redirect: RFC 8414 section 3.2 has none. */
const documentAt = async (address: string, web: Web): Promise<JsonObject | undefined> => {
  if (!URL.canParse(address)) return undefined
  const reply = await web.send(address).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  return reply?.status === 200 && isObject(reply.json) && Object.keys(reply.json).length > 0 ? reply.json : undefined
}
