/** Opens the database, brings it to the newest schema and builds the ports over it. */
import { tmpdir } from 'node:os'
import { localBus } from '../bus.js'
import { sqlCredentials } from '../credentials/sql-credentials.js'
import { sqlDeviceGrants } from '../credentials/sql-device-grants.js'
import type { ImportRecords } from '../api/ports.js'
import type { Config } from '../config.js'
import { Refusal } from '../errors.js'
import { importRecords } from '../import/import-records.js'
import { syncPlans } from '../importers/sync/sync-plans.js'
import { adoptedEmbedders } from '../search/adopted-embedders.js'
import { openEmbedders } from '../search/embedders.js'
import { finding } from '../search/find.js'
import { searchIndex, type IndexState } from '../search/search-index.js'
import type { Database } from '../store/database.js'
import { directory } from '../store/directory.js'
import { sharedEndedSessions, sqlEndedSessions } from '../store/ended-sessions.js'
import { isMigrated, migrate } from '../store/migrate.js'
import { sqlSearch } from '../store/search.js'
import { sqlIndex } from '../store/search-index.js'
import { writeWords } from '../store/search-words.js'
import { admitServerRole } from '../store/server-role.js'
import { openPglite } from '../store/pglite.js'
import { openPostgres } from '../store/postgres.js'
import { sqlAuditLog } from '../store/sql-audit.js'
import { sqlChanges } from '../store/sql-changes.js'
import { sqlSessionNotes } from '../store/session-notes.js'
import { sqlStore } from '../store/sql-store.js'
import { sqlTasks } from '../store/tasks.js'
import type { DataFolder } from './data-folder.js'
import { indexImported } from './index-imported.js'
import type { Backend, OpenBackend } from './surroundings.js'

// So many that it pays to have everything at hand that embeds them.
const MANY_EXPLORATIONS = 50

export const openBackend: OpenBackend = async (config, folder) => {
  const { databaseUrl = '', databaseConnections: connections } = config
  const db = folder ? await openPglite(folder.database) : await openPostgres(databaseUrl, { connections }).catch(refuseDatabase)
  try {
    await db.exclusively(() => migrate(db))
    return await backendOn(db, config, folder)
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The ports over a database of the newest schema. */
export const backendOn = async (db: Database, config: Config, folder?: DataFolder): Promise<Backend> => {
  const people = directory(db)
  const credentials = sqlCredentials(db, people)
  const audit = sqlAuditLog(db)
  const embedders = openEmbedders(config)
  const indexed = sqlIndex(db)
  const adopted = adoptedEmbedders(indexed, embedders)
  const index = searchIndex({ store: indexed, writeWords: (onWords) => writeWords(db, onWords), embedders, adopted })
  const search = finding({ sql: sqlSearch(db), adopted, sentences: embedders.local, asked: index.asked })
  let syncing: Promise<unknown> = Promise.resolve()
  const importing: ImportRecords = async (source, onProgress, signal) => {
    let state: IndexState | undefined
    const summary = await importRecords(db, source, {
      onProgress,
      signal,
      spoolDir: folder?.spool ?? tmpdir(),
      checked: ({ exploration = 0 }) => { if (exploration > MANY_EXPLORATIONS) index.prepare() },
      index: async () => { state = await indexImported(index, onProgress) }
    })
    return { ...summary, search_index: state }
  }
  return {
    store: sqlStore(db, search),
    searchIndex: index,
    directory: people,
    credentials,
    devices: sqlDeviceGrants(db),
    audit,
    ended: folder ? await sqlEndedSessions(db) : sharedEndedSessions(db),
    notes: sqlSessionNotes(db),
    tasks: sqlTasks(db),
    bus: localBus(),
    databaseReady: () => isMigrated(db),
    databaseConnections: db.connections,
    changes: sqlChanges(db),
    importRecords: importing,
    async syncPlans (source, onProgress, signal) {
      // One after the other: what one has written is what the next one compares with.
      const before = syncing
      const mine = before.catch(() => {}).then(() => syncPlans(source, { db, importRecords: (records) => importing(records, onProgress, signal) }, signal))
      syncing = mine
      return await mine
    },
    admitServerRole: (role) => admitServerRole(db, role, config.auditRetentionDays),
    exclusively: (work) => db.exclusively(work),
    async close () {
      await index.close()
      await Promise.all([audit.flush(), credentials.flush()])
      await db.close()
    }
  }
}

/** Says why without the address, which may hold a password. */
const refuseDatabase = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  throw new Refusal(`The database of DATABASE_URL cannot be reached${code}: check its host, port, name, user and password.`)
}
