/** Migrates a database to the newest schema. Each migration is a file, and runs and is recorded in one transaction. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Refusal } from '../lib/errors.js'
import type { Database, Queryable } from './sql/database.js'
import { errorCode } from '../lib/error-code.js'
import { commandLine } from '../lib/text/command-line.js'

const FOLDER = new URL('./migrations/', import.meta.url)
const MIGRATION = /^(\d+)\.do\.(.+)\.sql$/
/** What a new database begins with: the schema of a build, whose last migration this is, and what it recorded. */
const BASELINE = { file: 'baseline.sql', build: '4b5ce812', version: 36 }
const BASELINE_ROW = /^ {2}\((\d+), '[\w-]+', '([\da-f]{32})'\)/gm

/**
 * Begins the name of a migration that the version before cannot work with; all others only add. The name is recorded in
 * the database, so that a version without the migration reads it, and refuses.
 */
const ONE_WAY = 'one-way'

const INSUFFICIENT_PRIVILEGE = '42501'
const UNDEFINED_TABLE = '42P01'

interface Recorded { version: number, name: string, md5: string }

/**
 * Runs the missing migrations. A newer schema is accepted as it is, unless a migration of it is one-way.
 * @throws {Refusal} when the role may not migrate, and, before anything is written, when a migration differs from the
 * recorded one, a newer one is one-way, or the database is older than the baseline
 */
export const migrate = async (db: Database): Promise<void> => {
  const recorded = await db.query<Recorded>('select version, name, md5 from schema_migrations where version > 0')
    .catch((error: unknown) => {
      if (errorCode(error) === UNDEFINED_TABLE) return []
      throw error
    })
  const migrations = await Promise.all((await migrationFiles()).map(async ({ file, ...migration }) => {
    const text = await readFile(new URL(file, FOLDER), 'utf8')
    return { ...migration, text, md5: createHash('md5').update(text).digest('hex') }
  }))
  const baseline = await readFile(new URL(BASELINE.file, FOLDER), 'utf8')
  const checksums = new Map(migrations.map(({ version, md5 }) => [version, md5]))
  for (const [, version, md5 = ''] of baseline.matchAll(BASELINE_ROW)) checksums.set(Number(version), md5)
  refuseUnlike(recorded, checksums)

  const known = new Set(recorded.map(({ version }) => version))
  const missing = migrations.filter(({ version }) => !known.has(version)).map(({ version, name, md5, text }) =>
    `${text};\ninsert into schema_migrations values (${version}, '${name}', '${md5}', now())`)
  for (const script of known.size === 0 ? [baseline, ...missing] : missing) {
    await db.script(`begin;\n${script};\ncommit;`).catch((error: unknown) => {
      if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
      throw new Refusal(
        'The schema is older than this program, and this role may not change it. Run this as the owner of the schema ' +
        `first: ${commandLine('migrate')}`
      )
    })
  }
}

/** In the order of their numbers. */
const migrationFiles = async () => (await readdir(FOLDER)).sort().flatMap((file) => {
  const [, version, name] = MIGRATION.exec(file) ?? []
  return name === undefined ? [] : [{ file, version: Number(version), name }]
})

/** @param checksums of the migrations that this program knows, by their numbers */
const refuseUnlike = (recorded: readonly Recorded[], checksums: ReadonlyMap<number, string>): void => {
  const newest = Math.max(...checksums.keys())
  const oneWay = recorded.find(({ version, name }) => version > newest && name.startsWith(ONE_WAY))
  if (oneWay) {
    throw new Refusal(
      `A newer version changed this database so that this version cannot work with it (migration ${oneWay.version}, ` +
      `${oneWay.name}). Nothing was changed now. Use the newer version, or restore a backup from before the upgrade.`
    )
  }
  if (recorded.length > 0 && !recorded.some(({ version }) => version === BASELINE.version)) {
    throw new Refusal(
      `This database is older than build ${BASELINE.build}, the oldest that this version opens. Nothing was changed. ` +
      'Start that build on it once, which migrates it, and then this version.'
    )
  }
  const differing = recorded.find(({ version, md5 }) => version <= newest && checksums.get(version) !== md5)
  if (differing) {
    throw new Refusal(
      `The schema of this database is not that of this program: migration ${differing.version} was another when it ` +
      'was made. Use the version that made it, or another database.'
    )
  }
}

/** Whether a database has every migration that this program knows; it may have newer ones, but none that is one-way. */
export const isMigrated = async (db: Queryable): Promise<boolean> => {
  const newest = (await migrationFiles()).at(-1)?.version
  const [row] = await db.query<{ complete: boolean | null }>(
    `select bool_or(version = $1) and not bool_or(version > $1 and starts_with(coalesce(name, ''), $2)) as complete
     from schema_migrations`, [newest, ONE_WAY])
  return row?.complete === true
}

/** Gives a database the tag of its credentials where it has none: prepared databases, which are copied, have none. */
export const ensureDeploymentTag = async (db: Queryable): Promise<void> => {
  await db.query('insert into deployment default values on conflict do nothing')
}
