/** The device authorization grant from the side of the tool (RFC 8628): asks for a code, shows it, and polls until somebody decides. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../errors.js'
import { apiOf } from './account.js'
import { exchange, form, objectIn, Unreachable } from './exchange.js'

export interface Invitation {
  userCode: string
  verificationUri: string
  /** With the code in it, where the server has such an address. */
  verificationUriComplete: string | undefined
  expiresInSeconds: number
}

export interface Granted { token: string, id: string | undefined, expires_at: string | null }

const CLIENT = 'exploration-mcp'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
// RFC 8628 sections 3.2 and 3.5
const USUAL_INTERVAL_S = 5
const SLOWER_S = 5
const LONGEST_S = 3600

export interface Waiting {
  /** What the token is to be called. */
  name: string
  show (invitation: Invitation): void
  signal: AbortSignal
  /** Resolves after so many seconds, or fails when the signal asks for an end. */
  wait? (seconds: number, signal: AbortSignal): Promise<unknown>
}

const waitFor = (seconds: number, signal: AbortSignal): Promise<unknown> => sleep(seconds * 1000, undefined, { signal })

export async function deviceGrant (endpoint: URL, { name, show, signal, wait = waitFor }: Waiting): Promise<Granted> {
  const asked = await exchange(apiOf(endpoint, 'device/authorization'), { method: 'POST', ...form({ client_id: CLIENT, name }), signal })
  const offer = objectIn(asked.text)
  const { device_code: deviceCode, user_code: userCode, verification_uri: uri, verification_uri_complete: complete } = offer
  if (asked.status !== 200 || typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof uri !== 'string') {
    throw new Refusal(`The server gives no code for this machine (HTTP ${asked.status}). ${reasonIn(offer) ?? 'Check the URL, or give a token with --token-file.'}`)
  }
  const expiresInSeconds = secondsIn(offer['expires_in']) ?? LONGEST_S
  let interval = secondsIn(offer['interval']) ?? USUAL_INTERVAL_S
  show({ userCode, verificationUri: uri, verificationUriComplete: typeof complete === 'string' ? complete : undefined, expiresInSeconds })

  const deadline = performance.now() + expiresInSeconds * 1000
  while (performance.now() < deadline) {
    await wait(interval, signal)
    const polled = await poll(endpoint, deviceCode, signal)
    if (polled === undefined) {
      // RFC 8628 section 3.5: where the connection times out, twice as long between polls.
      interval = Math.min(interval * 2, 60)
      continue
    }
    const { access_token: token, token_id: id, expires_at: expires, error } = polled
    if (typeof token === 'string') {
      return { token, id: typeof id === 'string' ? id : undefined, expires_at: typeof expires === 'string' ? expires : null }
    }
    switch (error) {
      case 'authorization_pending': continue
      case 'slow_down': interval += SLOWER_S; continue
      case 'access_denied': throw new Refusal('The request was denied: no token was given.')
      case 'expired_token': throw new Refusal(EXPIRED)
      default: throw new Refusal(`The server gives no token. ${reasonIn(polled) ?? 'It does not say why.'}`)
    }
  }
  throw new Refusal(EXPIRED)
}

const EXPIRED = 'Nobody approved the code in time: no token was given. Start again for a new one.'

/** Undefined when nobody answered this time. */
async function poll (endpoint: URL, deviceCode: string, signal: AbortSignal): Promise<Record<string, unknown> | undefined> {
  try {
    const answer = await exchange(apiOf(endpoint, 'device/token'), {
      method: 'POST', ...form({ grant_type: GRANT_TYPE, device_code: deviceCode, client_id: CLIENT }), signal
    })
    return answer.status >= 500 ? undefined : objectIn(answer.text)
  } catch (error) {
    if (error instanceof Unreachable) return undefined
    throw error
  }
}

const secondsIn = (value: unknown): number | undefined => typeof value === 'number' && value >= 0 && value <= LONGEST_S ? value : undefined

const reasonIn = ({ error_description: reason }: Record<string, unknown>): string | undefined =>
  typeof reason === 'string' ? reason.slice(0, 500) : undefined
