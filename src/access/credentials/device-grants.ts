/**
 * The port of the device authorization grant (RFC 8628): a tool requests a code, an administrator approves it, and the
 * tool fetches its token once.
 */
import type { FromSchema } from 'json-schema-to-ts'
import type credentials from '#schemas/platform-api/credentials.json'
import type connect from '#schemas/operations/connect.json'
import type { CreatedToken, TokenLimits } from './credentials.js'

type DeviceCodes = NonNullable<FromSchema<typeof credentials.deviceCodes>['codes']>

/** RFC 8628 section 3.5, and RFC 6749 section 5.2. */
export type DeviceRefusal = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant'

export type PendingDevice = FromSchema<typeof connect.device>

export interface DeviceGrants {
  /** Creates a code; undefined when the network has as many as allowed, and all of them are polled. */
  request (device: FromSchema<typeof credentials.deviceRequest>): Promise<DeviceCodes | undefined>
  /** Handles a poll. Mints the token with the first reply after the approval, once. */
  redeem (deviceCode: string, clientId: string | undefined): Promise<CreatedToken | DeviceRefusal>
  /** Finds the request of a code that was not redeemed yet. @throws {Refusal} for an unknown code */
  find (userCode: string): Promise<PendingDevice>
  /** Approves a code for a user, who may be left out where there is only one. @throws {Refusal} for an unknown code */
  approve (userCode: string, user?: string, by?: string, limits?: TokenLimits): Promise<PendingDevice>
  /** Denies a code, also an approved one whose token was not fetched yet. */
  deny (userCode: string, by?: string): Promise<PendingDevice>
  /** Lists the requests that have not expired, oldest first. */
  list (): Promise<PendingDevice[]>
}
