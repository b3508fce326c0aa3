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
 * Runs the missing migrations. A newer schema is accepted as it is: migrations only add.
 * @throws {Refusal} when the role may not migrate, or when a migration differs from the recorded one
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

/** The number that the name of a migration's file begins with. */
const versionOf = (file: string): number => parseInt(file, 10)

/** Whether each migration of this program is recorded in the database, with the checksum that Postgrator writes. */
const hasSameMigrations = async (db: Queryable): Promise<boolean> => {
  const recorded = await db.query<{ version: string, md5: string }>('select version, md5 from schema_migrations')
    .catch((error: unknown) => {
      if (NOT_RECORDED.includes(errorCode(error))) return []
      throw error
    })
  const checksums = new Map(recorded.map(({ version, md5 }) => [Number(version), md5]))
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql'))
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

/** Whether a database has every migration that this program knows; it may have newer ones. */
export const isMigrated = async (db: Queryable): Promise<boolean> => {
  const files = await readdir(FOLDER)
  const newest = Math.max(...files.map(versionOf))
  const [row] = await db.query<{ version: number | null }>(
    'select max(version)::int as version from schema_migrations where version <= $1', [newest])
  return row?.version === newest
}
