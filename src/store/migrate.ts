/** Brings a database to the newest schema. Forward only; each migration is a file and runs in one transaction. */
import Postgrator from 'postgrator'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.js'

const MIGRATIONS = fileURLToPath(new URL('./migrations/*.sql', import.meta.url))

export const migrate = async (db: Database): Promise<void> => {
  const postgrator = new Postgrator({
    driver: 'pg',
    schemaTable: 'schema_migrations',
    migrationPattern: MIGRATIONS,
    execQuery: async (query) => ({ rows: await db.query(query) }),
    execSqlScript: (script) => db.script(`begin;\n${script}\ncommit;`)
  })
  await postgrator.migrate()
}
