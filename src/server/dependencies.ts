/** The dependencies of a server: ports over an embedded database, over PostgreSQL and Valkey, or over a platform. */
import type { DestinationStream } from 'pino'
import type { EventBus } from '../mcp/event-bus.js'
import type { Credentials, OwnCredentials } from '../auth/credentials.js'
import type { DeviceGrants } from '../auth/device-grants.js'
import type { AskedIds } from '../mcp/eras/legacy/asked-ids.js'
import type { EventStore } from '../mcp/eras/legacy/event-store.js'
import type { RateLimitCounter } from '../http/rate-limit-counter.js'
import type { Platform } from '../platform/client.js'
import type { AuditLog } from '../audit/audit-log.js'
import type { ChangeSource } from '../planning/change-feed.js'
import type { Connections } from '../db/database.js'
import type { EndedSessionStore } from '../mcp/eras/legacy/ended-session-store.js'
import type { ReplicaLock } from '../cluster/replica-lock.js'
import type { SessionPreferencesStore } from '../mcp/eras/legacy/session-preferences.js'
import type { Store } from '../planning/store.js'
import type { TaskStore } from '../mcp/tasks/task-store.js'
import type { Valkey } from '../cluster/valkey.js'
import type { Metrics } from '../telemetry/meter.js'
import type { Indexer } from '../search/indexer.js'
import type { ExchangeListener } from '../mcp/traffic/wire-exchange.js'

export interface ServerDeps {
  store: Store
  searchIndex?: Pick<Indexer, 'state'>
  credentials: OwnCredentials & Pick<Credentials, 'markExpired'>
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record' | 'purge'>
  endedSessions: EndedSessionStore
  sessionPreferences: SessionPreferencesStore
  tasks: TaskStore
  bus: EventBus
  /** What was said on the streams of legacy calls; in this process when absent. */
  eventStore?: EventStore
  /** What other replicas asked clients; absent where there are none. */
  askedIds?: AskedIds
  /** What limits are counted in; in this process when absent. */
  rateLimitCounter?: RateLimitCounter
  /** The platform that a front asks in place of a database. */
  platform?: Pick<Platform, 'probe' | 'watch'>
  /** What the replicas share; absent where there is one. */
  valkey?: Pick<Valkey, 'away' | 'watch'>
  /** This server's place beside the others; absent where there are none. */
  replicaLock?: Pick<ReplicaLock, 'held'>
  /** Fires when the server was asked to stop; it serves until it is closed. */
  stopping?: AbortSignal
  /** Whether the database answers and has the newest schema. */
  databaseReady?: () => Promise<boolean>
  /** Where it is read what changes. */
  changes: ChangeSource
  /** Signs session ids. */
  sessionSecret: string
  /** Who else is shown each exchange. */
  exchangeListeners?: readonly ExchangeListener[]
  /** Where figures are shown; nothing is measured for it when absent. */
  metrics?: Metrics | undefined
  /** What the connections to a database on a server do. */
  databaseConnections?: (() => Connections) | undefined
  /** How long a call waits for its audit row, in milliseconds. */
  auditTimeoutMs?: number
  /** Where the log goes; standard error when absent. */
  logDestination?: DestinationStream
}
