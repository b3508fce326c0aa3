/** What the management API is handed: the ports to people, credentials and the audit log, and the import. */
import type { Credentials } from '../../auth/credentials.js'
import type { DeviceGrants } from '../../auth/device-grants.js'
import type { SyncCounts } from '../../importers/sync/sync-plans.js'
import type { Observer } from '../../mcp/lint/observer.js'
import type { IndexState, Indexer } from '../../search/indexer.js'
import type { AuditLog } from '../../audit/audit-log.js'
import type { Directory } from '../../db/sql-directory.js'
import type { PlatformPorts } from '../platform/platform-ports.js'

export interface ImportProgress {
  /** What is being done: checking, writing, indexing, embedding. */
  phase: string
  /** Records done in this phase. */
  done: number
  /** Records in all, once they have been counted. */
  total?: number | undefined
}

export interface ImportSummary {
  total: number
  /** By record type. */
  records: Readonly<Record<string, { created: number, replaced: number }>>
  /** How the search index stands now. */
  search_index?: IndexState
}

/**
 * All or nothing: throws a `Refusal` that names line, field and reason, and leaves what was there before. A signal that is aborted
 * before the first record is written ends it likewise.
 */
export type ImportRecords = (
  source: AsyncIterable<Uint8Array>, onProgress: (progress: ImportProgress) => void, signal?: AbortSignal
) => Promise<ImportSummary>

export interface PlanImportSummary {
  sync: SyncCounts
  /** What was written; absent when nothing was. */
  imported?: ImportSummary | undefined
}

/**
 * Writes what changed of the plans of one source, and archives what vanished; see src/importers/sync/plan-lines.ts for the lines.
 * Throws a `Refusal` and leaves what was there before. `indexTimeoutMs`: how long it waits for what it brought to be embedded,
 * which goes on in the background.
 */
export type SyncPlans = (
  source: AsyncIterable<Uint8Array>, onProgress: (progress: ImportProgress) => void, signal?: AbortSignal, indexTimeoutMs?: number
) => Promise<PlanImportSummary>

export interface ManagementPorts extends PlatformPorts {
  directory: Directory
  credentials: Credentials
  devices: DeviceGrants
  audit: Pick<AuditLog, 'record' | 'list' | 'all'>
  importRecords: ImportRecords
  syncPlans: SyncPlans
  /** The URL that clients reach the MCP endpoint at; undefined before it listens. Absent where nobody serves. */
  endpoint?: (() => string | undefined) | undefined
  searchIndex: Pick<Indexer, 'state' | 'rebuild' | 'settle'>
  /** Absent unless the server observes its clients. */
  observer?: Pick<Observer, 'report'> | undefined
}
