/**
 * The device authorization grant (RFC 8628), for a tool on another machine that wants a token: the two endpoints of the
 * management API that need no credential, and so the only ones on the public listener. Counted by address.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.js'
import type { DeviceGrants, DeviceRefusal } from '../credentials/device-grants.js'
import { Fault } from '../errors.js'
import type { originGuard } from './origin.js'

export interface DeviceParts { config: Config, grants: DeviceGrants, origin: ReturnType<typeof originGuard> }

const PREFIX = '/api/v1/device'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
const MINUTE_MS = 60_000
const BODY_LIMIT_BYTES = 4096

const WORDS: Record<DeviceRefusal, string> = {
  authorization_pending: 'Nobody has approved the code yet. Ask again after the interval.',
  slow_down: 'Ask less often: wait five seconds longer than before.',
  access_denied: 'An administrator denied the code.',
  expired_token: 'The code is older than ten minutes. Start again.',
  invalid_grant: 'The device code is unknown, belongs to another client, or was used already.'
}

/** An error of RFC 6749 section 5.2. */
class OAuthError extends Error {
  constructor (readonly code: string, message: string, readonly status = 400) { super(message) }
}

export const device = async (app: FastifyInstance, { config, grants, origin }: DeviceParts): Promise<void> => {
  await app.register(rateLimit, { global: false })
  const counter = (what: string, max: number) => {
    const check = app.createRateLimit({ timeWindow: MINUTE_MS, max, keyGenerator: ({ ip }) => `device:${what}:${ip}` })
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const counted = await check(request)
      if (counted.isAllowed || !counted.isExceeded) return
      reply.header('retry-after', Math.max(1, counted.ttlInSeconds))
      throw new OAuthError('slow_down', `Too many requests from this address. Try again in ${Math.max(1, counted.ttlInSeconds)} seconds.`, 429)
    }
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    origin.check(request)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => { done(null, new URLSearchParams(String(body))) })
  app.setErrorHandler((error, request, reply) => {
    const { status, ...body } = problemOf(error, (unexpected) => request.log.error({ err: unexpected }, 'unexpected error'))
    return reply.code(status).type('application/json').send(body)
  })

  const options = (what: string, max: number) => ({ bodyLimit: BODY_LIMIT_BYTES, onRequest: counter(what, max) })

  app.post(`${PREFIX}/authorization`, options('authorization', config.deviceAuthorizationsPerMinute), async (request) => {
    const parameter = parametersOf(request.body)
    const codes = await grants.request({
      clientId: parameter('client_id'),
      name: parameter('name') ?? parameter('client_id') ?? 'device',
      remoteAddress: request.ip
    })
    if (!codes) throw new OAuthError('temporarily_unavailable', 'Too many codes wait for approval. Try again in ten minutes.', 503)
    return {
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_uri: `${config.publicUrl ?? `${request.protocol}://${request.host}`}/device`,
      expires_in: codes.expiresIn,
      interval: codes.interval
    }
  })

  app.post(`${PREFIX}/token`, options('token', config.deviceAuthorizationsPerMinute * 6), async (request) => {
    const parameter = parametersOf(request.body)
    const grantType = parameter('grant_type')
    if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is required.')
    if (grantType !== GRANT_TYPE) throw new OAuthError('unsupported_grant_type', `The grant_type is ${GRANT_TYPE}.`)
    const deviceCode = parameter('device_code')
    if (deviceCode === undefined) throw new OAuthError('invalid_request', 'device_code is required.')
    const token = await grants.redeem(deviceCode, parameter('client_id'))
    if (typeof token === 'string') throw new OAuthError(token, WORDS[token])
    return {
      access_token: token.token,
      token_type: 'Bearer',
      expires_in: Math.round((Date.parse(token.expires_at) - Date.now()) / 1000),
      expires_at: token.expires_at,
      token_id: token.id,
      name: token.name
    }
  })

  // Where the person is sent: there is no console yet, so it says who can approve, and how.
  app.get('/device', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(
    'A tool wants a token of this server, and shows you a code.\nAsk an administrator of the server to run, if you trust that tool:\n\n' +
    '  exploration-mcp device approve CODE --user YOUR-ADDRESS\n'))
}

/** A form, as the standard has it, or a JSON object. RFC 6749 section 3.2: a parameter without a value is absent, and none comes twice. */
const parametersOf = (body: unknown) => (name: string): string | undefined => {
  const values = body instanceof URLSearchParams
    ? body.getAll(name)
    : typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? [(body as Record<string, unknown>)[name]] : []
  const [value] = values
  if (value === undefined || value === '') return undefined
  // eslint-disable-next-line no-control-regex
  if (values.length > 1 || typeof value !== 'string' || value.length > 200 || /[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(value)) {
    throw new OAuthError('invalid_request', `${name} is one text of at most 200 characters.`)
  }
  return value
}

const problemOf = (error: unknown, unexpected: (error: unknown) => void): { status: number, error: string, error_description: string } => {
  if (error instanceof OAuthError) return { status: error.status, error: error.code, error_description: error.message }
  if (error instanceof Fault) return { status: 403, error: 'access_denied', error_description: error.message }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status: status === 413 ? 413 : 400, error: 'invalid_request', error_description: 'Send the parameters as application/x-www-form-urlencoded.' }
  }
  unexpected(error)
  return { status: 500, error: 'server_error', error_description: 'Something went wrong on the server; its log has the cause.' }
}
