/**
 * Embedded databases for tests: in memory, migrated, used again by one test after another of this process. Starting one costs half a second
 * of computing, emptying one some milliseconds.
 */
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importRecords } from '../../src/importers/records/import-records.js'
import type { Database, Queryable } from '../../src/db/database.js'
import { migrate } from '../../src/db/migrate.js'
import { openPglite } from '../../src/db/pglite.js'
import { PG_SETTINGS } from '../../src/db/pg-settings.js'
import { ROOT } from './root.js'

const MIGRATIONS = fileURLToPath(new URL('../../src/db/migrations/', import.meta.url))
const CACHE = `${ROOT}node_modules/.cache/exploration-mcp/`
const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)

// After one of these, another test might find another schema or other settings.
const CHANGES_MORE_THAN_ROWS = /^\s*(?:create|alter|drop|set\s+(?!local)|reset|comment|grant|revoke|do\b|vacuum|analyze|reindex|listen)/i

// Set by scripts/test/workers.mjs. A file that runs by itself gets its databases closed with each test.
const SHARED_PROCESS = process.env['TEST_WORKER'] !== undefined

type Embedded = Awaited<ReturnType<typeof openPglite>>

/** What is in a database, as COPY writes it, and where its sequences are. */
interface Content {
  rows: Array<{ table: string, blob: Blob }>
  sequences: Array<{ name: string, position: string, used: boolean }>
}

const idle: Embedded[] = []
let migrated: Content | undefined
let withSample: Content | undefined

/** A migrated database; with the sample data, or without. `close` makes it available to the next test. */
export const leaseEmbedded = async (content: 'migrated' | 'sample'): Promise<Database> => {
  const used = idle.pop()
  const embedded = used ?? await openPglite(undefined, { from: await openAsBlob(await migratedImage()) })
  if (content === 'sample' && withSample) {
    await restore(embedded, withSample)
  } else {
    if (used && migrated) await restore(embedded, migrated)
    migrated ??= await contentOf(embedded)
    if (content === 'sample') {
      await importRecords(embedded, createReadStream(SAMPLE), { spoolDir: tmpdir() })
      withSample = await contentOf(embedded)
    }
  }
  return lease(embedded)
}

// After the last file: an open database keeps its process alive.
process.once('disconnect', () => {
  for (const embedded of idle.splice(0)) embedded.close().catch((error: unknown) => { throw error })
})

const lease = (embedded: Embedded): Database => {
  let open = true
  let reusable = true
  const guard = ({ query }: Queryable): Queryable['query'] => async (text, values, options) => {
    options?.signal?.throwIfAborted()
    if (!open) throw new Error('the database is closed')
    if (CHANGES_MORE_THAN_ROWS.test(text)) reusable = false
    return await query(text, values, options)
  }
  return {
    query: guard(embedded),
    transaction: async (work) => {
      if (!open) throw new Error('the database is closed')
      return await embedded.transaction((tx) => work({ query: guard(tx) }))
    },
    script: async (text) => {
      reusable = false
      await embedded.script(text)
    },
    exclusively: embedded.exclusively,
    async close () {
      if (!open) return
      open = false
      // What still runs comes to its end first.
      await embedded.query('select 1')
      if (reusable && SHARED_PROCESS) idle.push(embedded)
      else await embedded.close()
    }
  }
}

const TABLES_WITH_ROWS = `
  select format('%I', relname) as name,
    (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`

const contentOf = async (embedded: Embedded): Promise<Content> => {
  const tables = await embedded.query<{ name: string, columns: string }>(TABLES_WITH_ROWS)
  const rows: Content['rows'] = []
  for (const { name, columns } of tables) {
    const table = `${name} (${columns})`
    const { blob } = await embedded.pglite.query(`copy ${table} to '/dev/blob'`)
    if (blob) rows.push({ table, blob })
  }
  const sequences: Content['sequences'] = []
  const names = await embedded.query<{ name: string }>("select format('%I', relname) as name from pg_class where relkind = 'S'")
  for (const { name } of names) {
    const [state] = await embedded.query<{
      position: string, used: boolean
    }>(`select last_value::text as position, is_called as used from ${name}`)
    if (state) sequences.push({ name, ...state })
  }
  return { rows, sequences }
}

/** Empties the tables and fills them with this. The order of the rows is the same, and so are all values. */
const restore = async (embedded: Embedded, { rows, sequences }: Content): Promise<void> => {
  const tables = await embedded.query<{ name: string }>(TABLES_WITH_ROWS)
  // What another test has set, prepared or locked.
  await embedded.pglite.exec('discard all')
  // No trigger forbids this, or adds rows of its own.
  await embedded.pglite.exec('set session_replication_role = replica')
  if (tables.length > 0) await embedded.pglite.exec(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`)
  for (const { table, blob } of rows) await embedded.pglite.query(`copy ${table} from '/dev/blob'`, [], { blob })
  await embedded.script([
    'reset session_replication_role',
    ...Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`),
    ...sequences.map(({ name, position, used }) => `select setval('${name}', ${position}, ${used})`)
  ].join('; '))
}

/** The path of a dump of a migrated database, made once a schema. */
const migratedImage = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of (await readdir(MIGRATIONS)).sort()) hash.update(await readFile(join(MIGRATIONS, file)))
  const path = join(CACHE, `${hash.digest('hex').slice(0, 16)}.tar`)
  try {
    await readFile(path, { flag: 'r' })
  } catch {
    const db = await openPglite()
    await migrate(db)
    await mkdir(CACHE, { recursive: true })
    const temporary = `${path}.${process.pid}`
    await writeFile(temporary, Buffer.from(await (await db.pglite.dumpDataDir('none')).arrayBuffer()))
    // The first of several processes wins: replacing the file would break whoever is reading it.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'EEXIST') throw error })
    await unlink(temporary)
    await db.close()
  }
  return path
}
