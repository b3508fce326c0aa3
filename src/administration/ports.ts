/** The ports that the management API needs: people, credentials, the audit log and imports. */
import type { Connections } from '../db/oauth/sql-connections.js'
import type { CredentialEndings } from '../db/credentials/sql-credential-endings.js'
import type { Credentials } from '../access/credentials/credentials.js'
import type { OAuthClients } from '../db/oauth/sql-oauth-clients.js'
import type { SignInLinks } from '../db/sign-in/sql-sign-in-links.js'
import type { DeviceGrants } from '../access/credentials/device-grants.js'
import type { ChangedExploration, ChangedSelection } from '../importers/sync/changed-here.js'
import type { OverChanges } from '../importers/records/keep-changes.js'
import type { PatchJson } from '../importers/write-back/patch.js'
import type { SyncCounts } from '../importers/sync/sync-plans.js'
import type { Observer } from '../engine/observer/observer.js'
import type { IndexState, Indexer } from '../search/indexer.js'
import type { AuditLog } from '../access/audit/audit-log.js'
import type { ReadAuditLabels } from '../db/audit/sql-audit-labels.js'
import type { Directory } from '../db/people/sql-directory.js'
import type { WebApiStore } from '../db/planning/sql-web-api.js'
import type { PlanChanges } from '../planning/changes/plan-changes.js'
import type { PlatformPorts } from '../platform-api/server/platform-work.js'

export interface ImportProgress {
  /** The current step: checking, writing, indexing, embedding. */
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
  /** The e-mail address of the person whom this import made an admin of the new workspaces; absent without one. */
  admin?: string | undefined
  /** How many values were changed here and kept: each is a proposal. Absent for none. */
  kept?: number
  /** The state of the search index afterwards. */
  search_index?: IndexState
}

export interface ImportRun {
  onProgress?: (progress: ImportProgress) => void
  /** Aborted before the first record is written, it leaves the database unchanged. */
  signal?: AbortSignal
  /** The id of the user who becomes an admin of workspaces that it makes; by default the only server administrator. */
  admin?: string | undefined
  /** What becomes of what was changed here; the imported values are proposed by default. */
  over?: OverChanges
  /** Bounds the wait for embeddings, which continue in the background. */
  indexTimeoutMs?: number
}

export interface PlanImportSummary {
  sync: SyncCounts
  /** What was written; absent when nothing was. */
  imported?: ImportSummary | undefined
}

export interface ManagementPorts extends PlatformPorts {
  /** Lists for pages, some of which the command line reads too. */
  api: WebApiStore
  directory: Directory
  credentials: Credentials
  credentialEndings: CredentialEndings
  devices: DeviceGrants
  audit: Pick<AuditLog, 'record' | 'list' | 'all'>
  auditLabels: ReadAuditLabels
  planChanges: PlanChanges
  /**
   * Imports all records or none. Rejects with a `Refusal` that names line, field and reason; the database is then
   * unchanged.
   */
  importRecords (source: AsyncIterable<Uint8Array>, run?: ImportRun): Promise<ImportSummary>
  /**
   * Yields pages of lines of the import format: all records of the server, or of the workspace with this id; users and
   * memberships only with `people`.
   */
  exportRecords (selection: { workspace?: string | undefined, people: boolean }): AsyncIterable<string>
  /**
   * Writes the changed plans of one source and archives the vanished ones; src/importers/sync/plan-lines.ts describes
   * the lines. Rejects with a `Refusal` and leaves the database unchanged.
   */
  syncPlans (source: AsyncIterable<Uint8Array>, run?: Omit<ImportRun, 'admin'>): Promise<PlanImportSummary>
  /** What was changed here and is not known to stand in the files of a source; all sources of the workspace. */
  sourceChanges (selection: ChangedSelection): Promise<{ sources: string[], explorations: ChangedExploration[] }>
  /** What the files of an exploration do not say yet. Rejects with a `Refusal` where none are followed. */
  planPatch (exploration: string): Promise<PatchJson>
  /** The URL of the MCP endpoint for clients; undefined before it listens. Absent when no server runs. */
  endpoint?: (() => string | undefined) | undefined
  signInLinks: SignInLinks
  oauthClients: OAuthClients
  connections: Connections
  /** The base URL of the web application; `off` where the server has none. Absent where no one serves. */
  pages?: (() => string) | 'off' | undefined
  searchIndex: Pick<Indexer, 'state' | 'rebuild' | 'settle'>
  /** Absent unless the server observes its clients. */
  observer?: Pick<Observer, 'report'> | undefined
}
