/** Opens the database, brings it to the newest schema and builds the ports over it. */
import { tmpdir } from 'node:os'
import { localBus } from '../bus.js'
import { sqlCredentials } from '../credentials/sql-credentials.js'
import { sqlDeviceGrants } from '../credentials/sql-device-grants.js'
import { Refusal } from '../errors.js'
import { importRecords } from '../import/import-records.js'
import { changeFeed } from '../store/change-feed.js'
import { directory } from '../store/directory.js'
import { sharedEndedSessions, sqlEndedSessions } from '../store/ended-sessions.js'
import { isMigrated, migrate } from '../store/migrate.js'
import { admitServerRole } from '../store/server-role.js'
import { openPglite } from '../store/pglite.js'
import { openPostgres } from '../store/postgres.js'
import { sqlAuditLog } from '../store/sql-audit.js'
import { sqlSessionNotes } from '../store/session-notes.js'
import { sqlStore } from '../store/sql-store.js'
import { sqlTasks } from '../store/tasks.js'
import type { OpenBackend } from './surroundings.js'

export const openBackend: OpenBackend = async ({ databaseUrl = '' }, folder) => {
  const db = folder ? await openPglite(folder.database) : await openPostgres(databaseUrl).catch(refuseDatabase)
  try {
    await db.exclusively(() => migrate(db))
    const people = directory(db)
    const credentials = sqlCredentials(db, people)
    const audit = sqlAuditLog(db)
    return {
      store: sqlStore(db),
      directory: people,
      credentials,
      devices: sqlDeviceGrants(db),
      audit,
      ended: folder ? await sqlEndedSessions(db) : sharedEndedSessions(db),
      notes: sqlSessionNotes(db),
      tasks: sqlTasks(db),
      bus: localBus(),
      databaseReady: () => isMigrated(db),
      openFeed: (failed) => changeFeed(db, failed),
      importRecords: (source, onProgress) => importRecords(db, source, { onProgress, spoolDir: folder?.spool ?? tmpdir() }),
      admitServerRole: (role) => admitServerRole(db, role),
      async close () {
        await Promise.all([audit.flush(), credentials.flush()])
        await db.close()
      }
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Says why without the address, which may hold a password. */
const refuseDatabase = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  throw new Refusal(`The database of DATABASE_URL cannot be reached${code}: check its host, port, name, user and password.`)
}
