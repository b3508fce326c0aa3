/** The rows of an embedded database, read as a whole and written back. */
import type { openPglite } from '../../src/db/pglite.js'
import { PG_SETTINGS } from '../../src/db/pg-settings.js'

export type Embedded = Awaited<ReturnType<typeof openPglite>>

/** What COPY writes of each table, and where the sequences are. */
export interface DatabaseContent {
  rows: Array<{ table: string, text: string }>
  sequences: Array<{ name: string, position: string, used: boolean }>
}

const TABLES_WITH_ROWS = `
  select format('%I', relname) as name,
    (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`

export const contentOf = async (embedded: Embedded): Promise<DatabaseContent> => {
  const tables = await embedded.query<{ name: string, columns: string }>(TABLES_WITH_ROWS)
  const rows: DatabaseContent['rows'] = []
  for (const { name, columns } of tables) {
    const table = `${name} (${columns})`
    const { blob } = await embedded.pglite.query(`copy ${table} to '/dev/blob'`)
    if (blob) rows.push({ table, text: await blob.text() })
  }
  const sequences: DatabaseContent['sequences'] = []
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
export const restore = async (embedded: Embedded, { rows, sequences }: DatabaseContent): Promise<void> => {
  const tables = await embedded.query<{ name: string }>(TABLES_WITH_ROWS)
  // What another test has set, prepared or locked.
  await embedded.pglite.exec('discard all')
  // No trigger forbids this, or adds rows of its own.
  await embedded.pglite.exec('set session_replication_role = replica')
  if (tables.length > 0) await embedded.pglite.exec(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`)
  for (const { table, text } of rows) await embedded.pglite.query(`copy ${table} from '/dev/blob'`, [], { blob: new Blob([text]) })
  await embedded.script([
    'reset session_replication_role',
    ...Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`),
    ...sequences.map(({ name, position, used }) => `select setval('${name}', ${position}, ${used})`)
  ].join('; '))
}
