/** Routes of the device authorization grant (RFC 8628), by which a tool on another machine obtains a token. */
import type { FastifyInstance } from 'fastify'
import type { DeviceGrants, DeviceRefusal } from './device-grants.js'
import { shownCommand } from '../../http/shown-command.js'
import { refusalEvent } from '../audit/audit-refusals.js'
import { clientAddress } from '../../lib/http/client-address.js'
import { OAuthError, parametersOf, readForms } from '../oauth/oauth-error.js'
import { limitAddress, openRoutes, type OpenRoutesDeps } from '../oauth/open-routes.js'

export interface DeviceRoutesDeps extends OpenRoutesDeps {
  grants: Pick<DeviceGrants, 'request' | 'redeem'>
  /** Whether the web application serves the page where people approve codes. */
  hasPage: boolean
}

const PREFIX = '/api/v1/device'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
const BODY_LIMIT_BYTES = 4096

const WORDS: Record<DeviceRefusal, string> = {
  authorization_pending: 'No one has approved the code yet. Ask again after the interval.',
  slow_down: 'Ask less often: wait five seconds longer than before.',
  access_denied: 'An administrator denied the code.',
  expired_token: 'The code is older than ten minutes. Start again.',
  invalid_grant: 'The device code is unknown, belongs to another client, or was used already.'
}

/** Fastify plugin: the two endpoints, and, without a web application, the page `GET /device` for the user. */
export const deviceRoutes = async (
  app: FastifyInstance, { config, grants, origin, limits, onDenial, hasPage }: DeviceRoutesDeps
): Promise<void> => {
  openRoutes(app, { onDenial })
  app.addHook('onRequest', async (request) => { origin.check(request) })
  readForms(app)

  const options = (what: string, perMinute: number) =>
    ({ bodyLimit: BODY_LIMIT_BYTES, onRequest: limitAddress(limits, `device:${what}`, perMinute) })

  const authorization = options('authorization', config.deviceAuthorizationsPerMinute)
  app.post(`${PREFIX}/authorization`, authorization, async (request) => {
    const parameter = parametersOf(request.body)
    const client = parameter('client_id')
    const codes = await grants.request({
      ...client !== undefined && { client_id: client },
      name: parameter('name') ?? client ?? 'device',
      remote_address: clientAddress(request.ip)
    })
    if (!codes) {
      throw new OAuthError('temporarily_unavailable',
        'Too many codes of this network wait for approval. Try again in ten minutes.', 503)
    }
    const page = `${config.publicUrl ?? `${request.protocol}://${request.host}`}/device`
    const complete = hasPage && { verification_uri_complete: `${page}?user_code=${codes.user_code}` }
    return { ...codes, verification_uri: page, ...complete }
  })

  app.post(`${PREFIX}/token`, options('token', config.deviceAuthorizationsPerMinute * 6), async (request) => {
    const parameter = parametersOf(request.body)
    const grantType = parameter('grant_type')
    if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is required.')
    if (grantType !== GRANT_TYPE) throw new OAuthError('unsupported_grant_type', `The grant_type is ${GRANT_TYPE}.`)
    const deviceCode = parameter('device_code')
    if (deviceCode === undefined) throw new OAuthError('invalid_request', 'device_code is required.')
    const token = await grants.redeem(deviceCode, parameter('client_id'))
    if (token === 'invalid_grant') onDenial(refusalEvent('unauthorized', request))
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

  if (hasPage) return
  const command = shownCommand(config, 'device approve CODE --user YOUR-ADDRESS')
  // The verification_uri explains who can approve the code, and how. Where pages are switched off, it has the status
  // of all pages.
  if (config.web === 'off') {
    app.get('/device', async (_request, reply) => reply.code(404).send({
      error: 'not_found',
      message: `This server has no pages. An administrator approves the code: ${command}`
    }))
    return
  }
  app.get('/device', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(
    'A tool wants a token of this server, and shows you a code.\n' +
    'Ask an administrator of the server to run, if you trust that tool:\n\n' +
    `  ${command}\n`))
}
