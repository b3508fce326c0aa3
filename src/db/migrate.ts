/** Migrates a database to the newest schema. Each migration is a file, and runs and is recorded in one transaction. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../lib/errors.js'
import type { Database, Queryable } from './sql/database.js'
import { errorCode } from '../lib/error-code.js'
import { commandLine } from '../lib/text/command-line.js'

const FOLDER = new URL('./migrations/', import.meta.url)
const PATTERN = `${fileURLToPath(FOLDER)}*.sql`

/**
 * Begins the name of a migration that the version before cannot work with; all others only add. The name is recorded in
 * the database, so that a version without the migration reads it, and refuses.
 */
const ONE_WAY = 'one-way'

/**
 * Runs the missing migrations. A newer schema is accepted as it is, unless a migration of it is one-way.
 * @throws {Refusal} when the role may not migrate, when a migration differs from the recorded one, or, before anything
 * is written, when a newer one is one-way
 */
export const migrate = async (db: Database): Promise<void> => {
  // What runs migrations takes a fifteenth of a server's start to load and to look at the database.
  if (await hasSameMigrations(db)) return
  const { default: Postgrator } = await import('postgrator')
  let script: string | undefined
  const postgrator = new Postgrator({
    driver: 'pg',
    schemaTable: 'schema_migrations',
    migrationPattern: PATTERN,
    // Postgrator records a migration after its script: a kill between the two would run it again.
    execSqlScript: async (text) => { script = text },
    execQuery: async (query) => {
      if (script === undefined) return { rows: await db.query(query) }
      const both = `begin;\n${script};\n${query};\ncommit;`
      script = undefined
      await db.script(both)
      return { rows: [] }
    }
  })
  await postgrator.migrate().catch(refuse)
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** No such table; no such column, which Postgrator adds after the table. */
const NOT_RECORDED: readonly unknown[] = ['42P01', '42703']

interface Recorded { version: string, name: string | null, md5: string }

const refuseOneWay = (recorded: readonly Recorded[], newest: number): void => {
  const found = recorded.find(({ version, name }) => Number(version) > newest && name?.startsWith(ONE_WAY))
  if (!found) return
  throw new Refusal(
    `A newer version changed this database so that this version cannot work with it (migration ${found.version}, ` +
    `${found.name}). Nothing was changed now. Use the newer version, or restore a backup from before the upgrade.`
  )
}

/** The number that the name of a migration's file begins with. */
const versionOf = (file: string): number => parseInt(file, 10)

/** Whether each migration of this program is recorded in the database, with the checksum that Postgrator writes. */
const hasSameMigrations = async (db: Queryable): Promise<boolean> => {
  const recorded = await db.query<Recorded>('select version, name, md5 from schema_migrations')
    .catch((error: unknown) => {
      if (NOT_RECORDED.includes(errorCode(error))) return []
      throw error
    })
  const checksums = new Map(recorded.map(({ version, md5 }) => [Number(version), md5]))
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql'))
  refuseOneWay(recorded, Math.max(...files.map(versionOf)))
  const same = await Promise.all(files.map(async (file) =>
    checksums.get(versionOf(file)) === createHash('md5').update(await readFile(new URL(file, FOLDER))).digest('hex')))
  return !same.includes(false)
}

const refuse = (error: unknown): never => {
  if (errorCode(error) === INSUFFICIENT_PRIVILEGE) {
    throw new Refusal(
      'The schema is older than this program, and this role may not change it. Run this as the owner of the schema ' +
      `first: ${commandLine('migrate')}`
    )
  }
  const message = error instanceof Error ? error.message : ''
  const [, differing] = /^MD5 checksum failed for migration \[(\d+)\]/.exec(message) ?? []
  if (differing !== undefined) {
    throw new Refusal(
      `The schema of this database is not that of this program: migration ${differing} was another when it was made. ` +
      'Use the version that made it, or another database.'
    )
  }
  throw error
}

/** Whether a database has every migration that this program knows; it may have newer ones, but none that is one-way. */
export const isMigrated = async (db: Queryable): Promise<boolean> => {
  const files = await readdir(FOLDER)
  const newest = Math.max(...files.map(versionOf))
  const [row] = await db.query<{ complete: boolean | null }>(
    `select bool_or(version = $1) and not bool_or(version > $1 and starts_with(coalesce(name, ''), $2)) as complete
     from schema_migrations`, [newest, ONE_WAY])
  return row?.complete === true
}
