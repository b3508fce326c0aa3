/** Opens the database, brings it to the newest schema and builds the ports over it. */
import { sqlCredentials } from '../credentials/sql-credentials.js'
import { Refusal } from '../errors.js'
import { importRecords } from '../import/import-records.js'
import { directory } from '../store/directory.js'
import { sqlEndedSessions } from '../store/ended-sessions.js'
import { migrate } from '../store/migrate.js'
import { openPglite } from '../store/pglite.js'
import { sqlAuditLog } from '../store/sql-audit.js'
import { sqlStore } from '../store/sql-store.js'
import type { OpenBackend } from './surroundings.js'

export const openBackend: OpenBackend = async (_config, folder) => {
  if (!folder) throw new Refusal('Only the embedded database can be served yet: leave DATABASE_URL and --database-url out.')
  const db = await openPglite(folder.database)
  try {
    await migrate(db)
    const people = directory(db)
    const credentials = sqlCredentials(db, people)
    const audit = sqlAuditLog(db)
    return {
      store: sqlStore(db),
      directory: people,
      credentials,
      audit,
      ended: await sqlEndedSessions(db),
      importRecords: (source, onProgress) => importRecords(db, source, { onProgress, spoolDir: folder.spool }),
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
