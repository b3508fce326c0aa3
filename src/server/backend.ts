/** The ports over an open database of the newest schema. */
import { tmpdir } from 'node:os'
import { memoryEventBus } from '../engine/event-bus.js'
import { sqlCredentials } from '../db/credentials/sql-credentials.js'
import { sqlCredentialEndings } from '../db/credentials/sql-credential-endings.js'
import { sqlDeviceGrants } from '../db/credentials/sql-device-grants.js'
import type { ManagementPorts } from '../administration/ports.js'
import type { Config } from '../config/config.js'
import { ONLY_ADMINISTRATOR } from '../importers/records/first-admin.js'
import { changedHere, markWritten } from '../importers/sync/changed-here.js'
import { exportRecords } from '../importers/records/export-records.js'
import { importRecords } from '../importers/records/import-records.js'
import { createPlanFiles } from '../importers/write-back/plan-files.js'
import { createEmbedderRegistry } from '../search/embedder-registry.js'
import { openEmbedderPool } from '../search/embedder-pool.js'
import { createHybridSearch } from '../search/hybrid-search.js'
import { createIndexer, type IndexState } from '../search/indexer.js'
import type { Database } from '../db/sql/database.js'
import { directory } from '../db/people/sql-directory.js'
import { sharedEndedSessionStore, sqlEndedSessionStore } from '../db/sessions/sql-ended-session-store.js'
import { isMigrated } from '../db/migrate.js'
import { sqlSearch } from '../search/ranking/sql-search.js'
import { sqlVectorStore } from '../search/ranking/vector-store.js'
import { deleteExpired } from '../db/sql/delete-expired.js'
import { updateTsvectors, writeTsvectors } from '../search/ranking/update-tsvectors.js'
import { admitServerRole } from '../db/postgres/server-role.js'
import { sqlAuditLabels } from '../db/audit/sql-audit-labels.js'
import { sqlAuditLog } from '../db/audit/sql-audit.js'
import { sqlChanges } from '../db/planning/sql-changes.js'
import { sqlSessionPreferences } from '../db/sessions/sql-session-preferences.js'
import { sqlAccounts } from '../db/people/sql-accounts.js'
import { sqlInvitations } from '../db/people/sql-invitations.js'
import { sqlConnections } from '../db/oauth/sql-connections.js'
import { sqlOAuthClients } from '../db/oauth/sql-oauth-clients.js'
import { sqlOAuthGrants } from '../db/oauth/sql-oauth-grants.js'
import { sqlOidcIdentities } from '../db/sign-in/sql-oidc-identities.js'
import { sqlPasskeys } from '../db/sign-in/sql-passkeys.js'
import { sqlSignInLinks } from '../db/sign-in/sql-sign-in-links.js'
import { sqlWebSessions } from '../db/sign-in/sql-web-sessions.js'
import { sqlStore } from '../db/planning/sql-store.js'
import { REPLICAS_LOCK } from '../cluster/replica-lock-key.js'
import { sqlWebApi } from '../db/planning/sql-web-api.js'
import { createPlanChanges } from '../planning/changes/plan-changes.js'
import { sqlChangeTransactions } from '../db/planning/changes/sql-change-store.js'
import { sqlChangeReader } from '../db/planning/changes/sql-change-reader.js'
import { toAuditEvent } from './audit-event.js'
import type { DataFolder } from './data-folder.js'
import { indexImported } from './index-imported.js'

export type Backend = Awaited<ReturnType<typeof backendOn>>

/**
 * Opens the folder's embedded database, or the one of `databaseUrl` when there is no folder. With `sample` a database
 * that does not exist yet begins with the sample data.
 */
export type OpenBackend = (
  config: Config, folder: DataFolder | undefined, options?: { sample?: boolean }
) => Promise<Backend & { sampleLoaded?: boolean }>

// From this number of imported explorations on, the embedder loads while they are written.
const MANY_EXPLORATIONS = 50

export const backendOn = async (
  db: Database, config: Config, folder?: DataFolder, embedders = openEmbedderPool(config)
) => {
  const people = directory(db)
  // One process reads from memory which sessions have ended; several read it with each credential.
  const credentials = sqlCredentials(db, people, { readsSessions: folder === undefined })
  const audit = sqlAuditLog(db)
  const indexed = sqlVectorStore(db)
  const registry = createEmbedderRegistry(indexed, embedders)
  const index = createIndexer({
    store: indexed, writeWords: (onWords) => updateTsvectors(db, onWords), embedders, registry
  })
  const search = createHybridSearch({
    sql: sqlSearch(db),
    registry,
    engine: embedders.engine,
    onQuery: index.recordQuery
  })
  let syncing: Promise<unknown> = Promise.resolve()
  const importing: ManagementPorts['importRecords'] = async (
    source, { onProgress = () => {}, signal, admin = ONLY_ADMINISTRATOR, over, indexTimeoutMs } = {}
  ) => {
    let state: IndexState | undefined
    const summary = await importRecords(db, source, {
      onProgress,
      signal,
      admin,
      over,
      spoolDir: folder?.spool ?? tmpdir(),
      checked: ({ exploration = 0 }) => { if (exploration > MANY_EXPLORATIONS) index.prepare() },
      index: async () => { state = await indexImported(index, onProgress, indexTimeoutMs) }
    })
    return { ...summary, search_index: state }
  }
  const planFiles = createPlanFiles({
    async of ({ workspace: named, source: { key } }, exploration) {
      const workspace = await people.findWorkspace(named)
      return (await changedHere(db, { workspace, source: key, exploration })).explorations
    },
    written: (made) => markWritten(db, made)
  })
  const inTransaction = sqlChangeTransactions(db, writeTsvectors)
  const management = {
    store: sqlStore(db, search),
    planChanges: createPlanChanges({
      async inTransaction (exploration, work) {
        const made = await inTransaction(exploration, work)
        await planFiles.write(exploration)
        return made
      },
      reader: sqlChangeReader(db),
      toEvent: toAuditEvent
    }),
    searchIndex: index,
    directory: people,
    credentials,
    credentialEndings: sqlCredentialEndings(db),
    devices: sqlDeviceGrants(db),
    signInLinks: sqlSignInLinks(db),
    oauthClients: sqlOAuthClients(db),
    connections: sqlConnections(db),
    audit,
    auditLabels: sqlAuditLabels(db),
    endedSessions: folder ? await sqlEndedSessionStore(db) : sharedEndedSessionStore(db),
    sessionPreferences: sqlSessionPreferences(db),
    changes: sqlChanges(db),
    api: sqlWebApi(db, { embedded: folder !== undefined, replicaLock: REPLICAS_LOCK }),
    importRecords: importing,
    exportRecords: (selection) => exportRecords(db, selection),
    sourceChanges: (selection) => changedHere(db, selection),
    planPatch: planFiles.patch,
    async syncPlans (source, run = {}) {
      // One after the other: each compares its source with what the one before wrote.
      const sync = syncing.catch(() => {}).then(async () => {
        const { syncPlans } = await import('../importers/sync/sync-plans.js')
        const write = (records: AsyncIterable<Uint8Array>) => importing(records, run)
        return await syncPlans(source, { db, importRecords: write, replace: run.over === 'replace' }, run.signal)
      })
      syncing = sync
      return await sync
    }
  } satisfies ManagementPorts
  const sessions = sqlWebSessions(db)
  return {
    ...management,
    planFiles,
    // What fails here fails again for the first query, which reports it.
    prepareSearch () { search.prepare().catch(() => {}) },
    bus: memoryEventBus(),
    databaseReady: () => isMigrated(db),
    databaseConnections: db.connections,
    /** Resolves with the reason when the embedded database ended by itself; never otherwise. */
    databaseCrashed: db.crashed,
    web: {
      ...management,
      sessions,
      passkeys: sqlPasskeys(db),
      invitations: sqlInvitations(db),
      accounts: sqlAccounts(db),
      oidcIdentities: sqlOidcIdentities(db),
      oauthGrants: sqlOAuthGrants(db, {
        codeSeconds: 60,
        accessTokenSeconds: config.oauthAccessTokenTtlSeconds,
        refreshTokenSeconds: config.oauthRefreshTokenTtlSeconds,
        refreshGraceSeconds: 60
      }),
      deleteExpired: () => deleteExpired(db)
    },
    /** Opens the connections to a PostgreSQL server, so that the first calls need not wait for them. */
    openConnections: async () => await db.openConnections?.(),
    /** Grants a PostgreSQL role what a server needs on this role's schema. */
    admitServerRole: (role: string) => admitServerRole(db, role, config.auditRetentionDays),
    /** Runs work that replicas on one database must not run at the same time. */
    exclusively: <T>(work: () => Promise<T>) => db.exclusively(work),
    async close (): Promise<void> {
      await index.close()
      await Promise.all([audit.flush(), credentials.flush(), sessions.flush(), embedders.close()])
      await db.close()
    }
  }
}
