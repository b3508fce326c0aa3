/** The ports that the platform API needs, and how its parts register their operations. */
import type { OwnCredentials } from '../../access/credentials/credentials.js'
import type { DeviceGrants } from '../../access/credentials/device-grants.js'
import type { PlatformOperation } from '../client/operation.js'
import type { AuditLog } from '../../access/audit/audit-log.js'
import type { ChangeSource } from '../../planning/change-feed.js'
import type { EndedSessionStore } from '../../engine/eras/legacy/session.js'
import type { SessionPreferencesStore } from '../../engine/eras/legacy/session-preferences.js'
import type { Store } from '../../planning/store.js'

export interface PlatformPorts {
  store: Store
  credentials: OwnCredentials
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record'>
  endedSessions: EndedSessionStore
  sessionPreferences: SessionPreferencesStore
  changes: ChangeSource
  /** The issuer of tokens of OAuth; absent, or undefined, where none are issued. */
  oauthIssuer?: (() => string | undefined) | undefined
}

export interface PlatformRequest<Body> {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | number | undefined>>
  body: Body
  from: string
  signal: AbortSignal
}

/** Serves an operation. `work` resolves to its response, or to `undefined` for 404. */
export type RegisterRoute = <Answer, Body>(
  operation: PlatformOperation<Answer, Body>,
  work: (request: PlatformRequest<Body>) => Promise<NoInfer<Answer> | undefined>
) => void
