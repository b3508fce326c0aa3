/** Opens the database, migrates it to the newest schema and builds the ports over it. */
import type { Config } from '../config/config.js'
import { refuseOtherFormat, unpackImage } from '../db/embedded/database-folder.js'
import type { Database } from '../db/sql/database.js'
import { errorCodeSuffix } from '../lib/error-code.js'
import { Refusal } from '../lib/errors.js'
import type { OpenBackend } from './backend.js'
import type { DataFolder } from './data-folder.js'

/** @throws {Refusal} when the database of `databaseUrl` cannot be reached, or is one of a later version */
export const openBackend: OpenBackend = async (config, folder, { sample = false } = {}) => {
  const unpacked = folder !== undefined && await unpackImage(sample ? 'sample' : 'empty', folder.database)
  // The thread of an embedded database is started before anything else is loaded, and opens it meanwhile.
  const [db, embedders, { backendOn }, { migrate, ensureDeploymentTag }] = await Promise.all([
    folder ? openEmbedded(folder) : openServer(config),
    openEmbedders(config, folder),
    import('./backend.js'),
    import('../db/migrate.js')
  ])
  try {
    await db.exclusively(() => migrate(db))
    if (folder) await ensureDeploymentTag(db)
    return { ...await backendOn(db, config, folder, embedders), sampleLoaded: unpacked && sample }
  } catch (error) {
    await db.close()
    throw error
  }
}

// Each loads only the packages of its own kind of database.

const openEmbedded = async ({ database }: DataFolder): Promise<Database> => {
  await refuseOtherFormat(database)
  const { openPgliteThread } = await import('../db/embedded/pglite-thread.js')
  return await openPgliteThread(database)
}

const openServer = async ({ databaseUrl = '', databaseConnections: connections }: Config): Promise<Database> => {
  const { openPostgres } = await import('../db/postgres/postgres.js')
  return await openPostgres(databaseUrl, { connections }).catch(refuseDatabase)
}

/** For an embedded database it starts reading the word vectors. A failure is reported by the code that needs them. */
const openEmbedders = async (config: Config, folder: DataFolder | undefined) => {
  const { openEmbedderPool } = await import('../search/embedder-pool.js')
  const embedders = openEmbedderPool(config)
  if (folder) embedders.configured().catch(() => {})
  return embedders
}

/** Leaves out the address, which may hold a password. */
const refuseDatabase = (error: unknown): never => {
  throw new Refusal(`The database of DATABASE_URL cannot be reached${errorCodeSuffix(error)}: ` +
    'check its host, port, name, user and password.')
}
