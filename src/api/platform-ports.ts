/** What the platform API stands on, and how a part of it says what it serves. */
import type { OwnCredentials } from '../credentials/credentials.js'
import type { DeviceGrants } from '../credentials/device-grants.js'
import type { Operation } from '../platform/operation.js'
import type { AuditLog } from '../store/audit.js'
import type { ChangeSource } from '../store/change-feed.js'
import type { EndedSessions } from '../store/ended-sessions.js'
import type { SessionNotes } from '../store/session-notes.js'
import type { Store } from '../store/store.js'

export interface PlatformPorts {
  store: Store
  credentials: OwnCredentials
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record'>
  ended: EndedSessions
  notes: SessionNotes
  changes: ChangeSource
}

export interface Asked<Body> {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | number | undefined>>
  body: Body
  /** The address that the front asks from. */
  from: string
  /** Fires when the front does not wait any more. */
  signal: AbortSignal
}

export type Serve = <Answer, Body>(
  operation: Operation<Answer, Body>, work: (asked: Asked<Body>) => Promise<NoInfer<Answer> | undefined>
) => void
