/** What a server is built of, whatever stands behind it: an embedded database, PostgreSQL and Valkey, or a platform. */
import type { DestinationStream } from 'pino'
import type { Bus } from './bus.js'
import type { Credentials, OwnCredentials } from './credentials/credentials.js'
import type { DeviceGrants } from './credentials/device-grants.js'
import type { AskedIds } from './eras/legacy/asked-ids.js'
import type { EventLog } from './eras/legacy/event-log.js'
import type { LimitCounts } from './http/limit-counts.js'
import type { Platform } from './platform/client.js'
import type { AuditLog } from './store/audit.js'
import type { ChangeSource } from './store/change-feed.js'
import type { Connections } from './store/database.js'
import type { EndedSessions } from './store/ended-sessions.js'
import type { Place } from './store/replica-place.js'
import type { SessionNotes } from './store/session-notes.js'
import type { Store } from './store/store.js'
import type { Tasks } from './store/tasks.js'
import type { Valkey } from './store/valkey.js'
import type { Figures } from './telemetry/meter.js'
import type { SearchIndex } from './search/search-index.js'
import type { Onlooker } from './wire/exchange.js'

export interface Parts {
  store: Store
  searchIndex?: Pick<SearchIndex, 'state'>
  credentials: OwnCredentials & Pick<Credentials, 'noteExpired'>
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record' | 'purge'>
  ended: EndedSessions
  notes: SessionNotes
  tasks: Tasks
  bus: Bus
  /** What was said on the streams of legacy calls; in this process when absent. */
  eventLog?: EventLog
  /** What other replicas asked clients; absent where there are none. */
  askedIds?: AskedIds
  /** What limits are counted in; in this process when absent. */
  limitCounts?: LimitCounts
  /** The platform that a front asks in place of a database. */
  platform?: Pick<Platform, 'probe' | 'watch'>
  /** What the replicas share; absent where there is one. */
  valkey?: Pick<Valkey, 'away' | 'watch'>
  /** This server's place beside the others; absent where there are none. */
  place?: Pick<Place, 'held'>
  /** Fires when the server was asked to stop; it serves until it is closed. */
  stopping?: AbortSignal
  /** Whether the database answers and has the newest schema. */
  databaseReady?: () => Promise<boolean>
  /** Where it is read what changes. */
  changes: ChangeSource
  /** Signs session ids. */
  sessionSecret: string
  /** Who else is shown each exchange. */
  onlookers?: readonly Onlooker[]
  /** Where figures are shown; nothing is measured for it when absent. */
  figures?: Figures | undefined
  /** What the connections to a database on a server do. */
  databaseConnections?: (() => Connections) | undefined
  /** How long a call waits for its audit row, in milliseconds. */
  auditTimeoutMs?: number
  /** Where the log goes; standard error when absent. */
  logTo?: DestinationStream
}
