/** PGlite with its extensions and settings, in the thread that opens it: a statement holds that thread. */
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin as scalars } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { pgliteStatements } from './pglite-statements.js'
import { errorCode } from '../../lib/error-code.js'
import { PG_SETTINGS } from '../postgres/pg-settings.js'

/** One connection: who uses it sees to it that only one call is under way. */
export interface PgliteEngine {
  /** Runs one statement, prepared. */
  run<R> (text: string, values: readonly unknown[]): Promise<R[]>
  /** Runs statements that are not prepared and whose rows no one needs. */
  exec (text: string): Promise<void>
  /** The same for a script that may change the shape of what prepared statements read. */
  script (text: string): Promise<void>
  /** Registers a listener, which is called before the statement that committed a notification is answered. */
  onNotification (listener: (channel: string) => void): void
  close (): Promise<void>
}

/** All of it is resident from the start; what is read again comes from the operating system's cache. */
const SHARED_BUFFERS = '16MB'
/** The smallest: a new database takes 30 MB instead of 42. */
const WAL_SEGMENT_MB = 1

/** Folders 0700 and files 0600: PGlite gives some of them modes of its own, whatever the umask. */
const makePrivate = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700)
    else if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o600)
  }
}

/** A folder that someone removed needs no modes. */
const ignoreMissing = (error: unknown): void => {
  if (errorCode(error) !== 'ENOENT') throw error
}

/** `from`: a dump of a data folder, as `dumpDataDir` makes it. Without a folder the data lives in memory. */
export interface PgliteOptions { folder?: string | undefined, from?: Blob | undefined }

/** @throws when the folder cannot be made or holds no database that PGlite can open */
export const openPgliteEngine = async ({ folder, from }: PgliteOptions): Promise<PgliteEngine & { pglite: PGlite }> => {
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 })
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(from && { loadDataDir: from }),
    initDbStartParams: [`--wal-segsize=${WAL_SEGMENT_MB}`],
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    extensions: { vector, pg_trgm: trigrams, btree_gin: scalars }
  })
  // It sets the modes of its first files itself, and of others at each start.
  if (folder !== undefined) await makePrivate(folder)
  await pglite.exec(Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`).join('; '))
  const statements = pgliteStatements(pglite)
  return {
    pglite,
    run: statements.run,
    async exec (text) {
      await pglite.exec(text)
    },
    async script (text) {
      await pglite.exec(text)
      await statements.forget()
    },
    onNotification (listener) {
      pglite.onNotification(listener)
    },
    async close () {
      await pglite.close()
      // Files that were made while it was open have the modes that PGlite chose.
      if (folder !== undefined) await makePrivate(folder).catch(ignoreMissing)
    }
  }
}
