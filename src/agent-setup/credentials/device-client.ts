/** The client of the device authorization grant (RFC 8628): requests a code, shows it, and polls for the decision. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseObject } from '../../lib/json/json-object.js'
import { Refusal } from '../../lib/errors.js'
import { apiUrl } from './token-api.js'
import { httpRequest, form, ServerUnreachable } from './http-client.js'
import { kindOf } from '../../access/credentials/credential-form.js'
import { addressIn, idIn, shownText, timeIn } from '../server-text.js'

export interface DeviceAuthorization {
  userCode: string
  verificationUri: string
  verificationUriComplete: string | undefined
  expiresInSeconds: number
}

const CLIENT = 'exploration-mcp'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
// RFC 8628 sections 3.2 and 3.5
const DEFAULT_INTERVAL_S = 5
const SLOW_DOWN_S = 5
const MAX_INTERVAL_S = 3600
// A person types the user code, and an administrator puts it into a command line; the device code is only sent back.
const USER_CODE = /^[A-Za-z0-9]{1,16}(?:-[A-Za-z0-9]{1,16}){0,3}$/
const DEVICE_CODE = /^[\x21-\x7e]{1,1000}$/

export interface DeviceGrantOptions {
  name: string
  show (invitation: DeviceAuthorization): void
  signal: AbortSignal
  wait? (seconds: number, signal: AbortSignal): Promise<unknown>
}

const waitFor = (seconds: number, signal: AbortSignal): Promise<unknown> => sleep(seconds * 1000, undefined, { signal })

/** Runs the grant. Everything in the server's replies is checked before it is shown, stored or written. */
export async function deviceGrant (endpoint: URL, { name, show, signal, wait = waitFor }: DeviceGrantOptions) {
  const authorization = await httpRequest(apiUrl(endpoint, 'device/authorization'), {
    method: 'POST', ...form({ client_id: CLIENT, name }), signal
  })
  const offer = parseObject(authorization.text) ?? {}
  const { device_code: deviceCode, user_code: userCode } = offer
  const uri = addressIn(offer['verification_uri'])
  const isOffer = authorization.status === 200 && uri !== undefined
  if (!isOffer || !matches(DEVICE_CODE, deviceCode) || !matches(USER_CODE, userCode)) {
    const reason = reasonIn(offer) ?? 'Check the URL, or give a token with --token-file.'
    throw new Refusal(`The server gives no code for this machine (HTTP ${authorization.status}). ${reason}`)
  }
  const expiresInSeconds = secondsIn(offer['expires_in']) ?? MAX_INTERVAL_S
  let interval = Math.max(1, secondsIn(offer['interval']) ?? DEFAULT_INTERVAL_S)
  show({
    userCode,
    verificationUri: uri,
    verificationUriComplete: addressIn(offer['verification_uri_complete']),
    expiresInSeconds
  })

  const deadline = performance.now() + expiresInSeconds * 1000
  while (performance.now() < deadline) {
    await wait(interval, signal)
    const polled = await poll(endpoint, deviceCode, signal)
    if (polled === undefined) {
      // RFC 8628 section 3.5: where the connection times out, twice as long between polls.
      interval = Math.min(interval * 2, 60)
      continue
    }
    if (polled['access_token'] !== undefined) return grantedIn(polled)
    switch (polled['error']) {
      case 'authorization_pending': continue
      case 'slow_down': interval += SLOW_DOWN_S; continue
      case 'access_denied': throw new Refusal('The request was denied: no token was given.')
      case 'expired_token': throw new Refusal(EXPIRED)
      default: throw new Refusal(`The server gives no token. ${reasonIn(polled) ?? 'It does not say why.'}`)
    }
  }
  throw new Refusal(EXPIRED)
}

/** Accepts only a token: an agent would expand a placeholder in its place to a secret of this machine. */
const grantedIn = ({ access_token: token, token_id: id, expires_at: expires }: Record<string, unknown>) => {
  const expiresAt = timeIn(expires)
  const isToken = typeof token === 'string' && kindOf(token) === 'personal_access_token'
  if (!isToken || expiresAt === undefined || (id !== undefined && idIn(id) === undefined)) {
    throw new Refusal('What the server gave is no token of an exploration-mcp server: it is neither stored nor ' +
      'written anywhere. Check the URL.')
  }
  return { token, id: idIn(id), expires_at: expiresAt }
}

const matches = (form: RegExp, value: unknown): value is string => typeof value === 'string' && form.test(value)

const EXPIRED = 'No one approved the code in time: no token was given. Start again for a new one.'

async function poll (
  endpoint: URL, deviceCode: string, signal: AbortSignal
): Promise<Record<string, unknown> | undefined> {
  try {
    const answer = await httpRequest(apiUrl(endpoint, 'device/token'), {
      method: 'POST', ...form({ grant_type: GRANT_TYPE, device_code: deviceCode, client_id: CLIENT }), signal
    })
    return answer.status >= 500 ? undefined : parseObject(answer.text) ?? {}
  } catch (error) {
    if (error instanceof ServerUnreachable) return undefined
    throw error
  }
}

const secondsIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MAX_INTERVAL_S ? value : undefined

const reasonIn = ({ error_description: reason }: Record<string, unknown>): string | undefined => shownText(reason, 500)
