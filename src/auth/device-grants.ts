/** The device authorization grant (RFC 8628) as a port: a tool asks, an administrator approves, the tool fetches its token once. */
import type { CreatedToken, TokenLimits } from './credentials.js'

export interface DeviceRequest {
  clientId?: string | undefined
  /** What the token will be called: the host that asks. */
  name: string
  remoteAddress: string
}

export interface DeviceCodes { deviceCode: string, userCode: string, expiresIn: number, interval: number }

/** RFC 8628 section 3.5, and RFC 6749 section 5.2. */
export type DeviceRefusal = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant'

export interface PendingDevice {
  id: string
  name: string
  client_id: string | null
  remote_address: string
  created_at: string
  expires_at: string
  state: 'pending' | 'approved' | 'denied'
  /** Whom the token will belong to. */
  user: string | null
}

export interface DeviceGrants {
  /** Undefined when as many codes as may wait for the address's own network, and all of them are polled. */
  request (device: DeviceRequest): Promise<DeviceCodes | undefined>
  /** What a poll is answered; the token is minted with the answer, once. */
  redeem (deviceCode: string, clientId: string | undefined): Promise<CreatedToken | DeviceRefusal>
  /** Who asks with a code that nobody has redeemed yet. A `Refusal` for an unknown code. */
  find (userCode: string): Promise<PendingDevice>
  /** `user` by id or e-mail address; may be left out where there is only one person. A `Refusal` for an unknown code. */
  approve (userCode: string, user?: string, by?: string, limits?: TokenLimits): Promise<PendingDevice>
  /** Also after an approval, as long as the token was not fetched. */
  deny (userCode: string, by?: string): Promise<PendingDevice>
  /** Those whose time is not over, oldest first. */
  list (): Promise<PendingDevice[]>
}
