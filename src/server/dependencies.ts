/** The dependencies of a server: ports over an embedded database, over PostgreSQL and Valkey, or over a platform. */
import type { FastifyBaseLogger } from 'fastify'
import type { DestinationStream } from 'pino'
import type { EventBus } from '../engine/event-bus.js'
import type { Credentials, OwnCredentials } from '../access/credentials/credentials.js'
import type { DeviceGrants } from '../access/credentials/device-grants.js'
import type { AskedIds } from '../engine/eras/legacy/server-requests.js'
import type { EventStore } from '../engine/eras/legacy/event-store.js'
import type { RateLimitCounter } from '../access/limits/rate-limit-counter.js'
import type { Platform } from '../platform-api/client/client.js'
import type { AuditLog } from '../access/audit/audit-log.js'
import type { ChangeSource } from '../planning/change-feed.js'
import type { ConnectionCounts } from '../db/sql/database.js'
import type { EndedSessionStore } from '../engine/eras/legacy/session.js'
import type { ReplicaLock } from '../cluster/replica-lock.js'
import type { SessionPreferencesStore } from '../engine/eras/legacy/session-preferences.js'
import type { PlanFiles } from '../importers/write-back/plan-files.js'
import type { PlanChanges } from '../planning/changes/plan-changes.js'
import type { Store } from '../planning/store.js'
import type { Valkey } from '../cluster/valkey.js'
import type { Metrics } from '../telemetry/meter.js'
import type { Indexer } from '../search/indexer.js'
import type { DocumentFetchOptions } from '../oauth/clients/fetch-document.js'
import type { WebPorts } from '../web/web-deps.js'
import type { ExchangeListener } from '../engine/traffic/wire-exchange.js'

export interface ServerDeps {
  store: Store
  /** The write path; absent where no agent writes, as at a gateway. */
  planChanges?: Pick<PlanChanges, 'byAgent' | 'since' | 'tidy'> | undefined
  /** The working trees into which changes are written; absent where there is none, as at a gateway. */
  planFiles?: Pick<PlanFiles, 'placeOf'>
  searchIndex?: Pick<Indexer, 'state'>
  /** Starts what the first search would wait for; absent where this process does not search. */
  prepareSearch?: () => void
  credentials: OwnCredentials & Pick<Credentials, 'markExpired'>
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record' | 'purge' | 'createPartitions'>
  endedSessions: EndedSessionStore
  sessionPreferences: SessionPreferencesStore
  bus: EventBus
  /** The events on the streams of legacy calls; in this process when absent. */
  eventStore?: EventStore
  /** The ids of requests that replicas sent to clients; absent without other replicas. */
  askedIds?: AskedIds
  /** Counts for rate limits; in this process when absent. */
  rateLimitCounter?: RateLimitCounter
  platform?: Pick<Platform, 'probe' | 'watch'>
  /** The connection that the replicas share; absent without other replicas. */
  valkey?: Pick<Valkey, 'away' | 'watch'>
  /** The lock on the database; absent without other replicas. */
  replicaLock?: Pick<ReplicaLock, 'held'>
  /** Fires when the server is asked to stop; it serves until it is closed. */
  stopping?: AbortSignal
  /** Whether the database responds and has the newest schema. */
  databaseReady?: () => Promise<boolean>
  changes: ChangeSource
  /** The ports of the web application; absent where there is none, as at a gateway. */
  web?: WebPorts
  /** How documents of OAuth clients are fetched; from the public internet when absent. */
  clientDocuments?: DocumentFetchOptions | undefined
  /** The issuer of a platform's tokens of OAuth, for a gateway; resolves with undefined where it issues none. */
  platformIssuer?: (() => Promise<string | undefined>) | undefined
  /** The clock of tickets of OAuth, in milliseconds since 1970; the system's when absent. */
  now?: (() => number) | undefined
  /** Signs session ids. */
  sessionSecret: string
  exchangeListeners?: readonly ExchangeListener[]
  metrics?: Metrics | undefined
  databaseConnections?: (() => ConnectionCounts) | undefined
  /** How long a call waits for its audit row, in milliseconds. */
  auditTimeoutMs?: number
  /** The server's log; created from the configuration when absent. */
  log?: FastifyBaseLogger
  /** Where a log that is created goes; standard error when absent. */
  logDestination?: DestinationStream
}
