/** The rows of an embedded database, read as a whole and written back. */
import type { openPglite } from './open-pglite.js'
import { PG_SETTINGS } from '../../src/db/postgres/pg-settings.js'

export type Embedded = Awaited<ReturnType<typeof openPglite>>

/** What COPY writes of each table, and where the sequences are. */
export interface DatabaseContent {
  rows: Array<{ table: string, columns: string, text: string }>
  sequences: Array<{ name: string, position: string, used: boolean }>
}

interface Table {
  name: string
  columns: string
  bytes: number
  /** Changes with every row that is written. */
  writes: string
  isReferenced: boolean
  /** Has triggers that nothing switches off, which write to other tables. */
  hasTriggers: boolean
}

const TABLES = `
  select format('%I', relname) as name,
    (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    pg_relation_size(oid)::int as bytes,
    concat_ws(' ', relfilenode, pg_stat_get_tuples_inserted(oid), pg_stat_get_tuples_updated(oid), pg_stat_get_tuples_deleted(oid)) as writes,
    exists (select from pg_constraint where confrelid = pg_class.oid) as "isReferenced",
    exists (select from pg_trigger where tgrelid = pg_class.oid and tgenabled = 'A' and tgname <> 'notify_access_change') as "hasTriggers"
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`

// Rows that are deleted stay in the files: whatever is larger is truncated.
const MAX_BYTES = 2 ** 19

const readTables = async (embedded: Embedded): Promise<Table[]> => {
  // Without this the counters of the last second are missing.
  await embedded.query('select pg_stat_force_next_flush()')
  return await embedded.query<Table & Record<string, unknown>>(TABLES)
}

export const contentOf = async (embedded: Embedded): Promise<DatabaseContent> => {
  const rows: DatabaseContent['rows'] = []
  for (const { name: table, columns, bytes } of await readTables(embedded)) {
    if (bytes === 0) continue
    const { blob } = await embedded.pglite.query(`copy ${table} (${columns}) to '/dev/blob'`)
    const text = await blob?.text() ?? ''
    if (text !== '') rows.push({ table, columns, text })
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

/** What each database was given last, and the `writes` of each table at that time. */
const restored = new WeakMap<Embedded, { content: DatabaseContent, writes: Map<string, string> }>()

/** Whether its last content was this: then `restore` takes a tenth of the time. */
export const hadContent = (embedded: Embedded, content: DatabaseContent): boolean => restored.get(embedded)?.content === content

/**
 * Empties the tables and fills them with this; of a database that had this content before, the tables that were written since. The order
 * of the rows is the same, and so are all values.
 */
export const restore = async (embedded: Embedded, content: DatabaseContent): Promise<void> => {
  const { rows, sequences } = content
  const before = hadContent(embedded, content) ? restored.get(embedded)?.writes : undefined
  const isWritten = ({ name, writes }: Table): boolean => before?.get(name) !== writes
  const isLarge = ({ isReferenced, bytes }: Table): boolean => isReferenced && bytes > MAX_BYTES
  const tables = await readTables(embedded)
  // What another test has set, prepared or locked.
  await embedded.script('discard all')
  await embedded.pglite.exec('set session_replication_role = replica')
  const isWhole = before === undefined || tables.some((table) => isWritten(table) && isLarge(table))
  if (isWhole) await embedded.pglite.exec(truncate(tables, 'cascade'))

  const fill = async (written: Table[]): Promise<void> => {
    for (const statement of emptying(written)) await embedded.pglite.exec(statement)
    const names = new Set(written.map(({ name }) => name))
    for (const { table, columns, text } of rows.filter(({ table }) => names.has(table))) {
      await embedded.pglite.query(`copy ${table} (${columns}) from '/dev/blob'`, [], { blob: new Blob([text]) })
    }
  }
  const first = isWhole ? await readTables(embedded) : tables.filter(isWritten)
  await fill(first.filter(({ hasTriggers }) => hasTriggers))
  const second = (await readTables(embedded)).filter((table) => isWhole || isWritten(table))
  await fill(second.filter(({ hasTriggers }) => !hasTriggers))

  await embedded.script([
    'reset session_replication_role',
    ...Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`),
    ...sequences.map(({ name, position, used }) => `select setval('${name}', ${position}, ${used})`)
  ].join('; '))
  const writes = new Map((await readTables(embedded)).map(({ name, writes }) => [name, writes]))
  restored.set(embedded, { content, writes })
}

/** A table that others refer to cannot be truncated without them. */
const emptying = (tables: Table[]): string[] => [
  ...tables.filter(({ isReferenced, bytes }) => isReferenced && bytes > 0).map(({ name }) => `delete from ${name}`),
  truncate(tables.filter(({ isReferenced }) => !isReferenced))
]

const truncate = (tables: Table[], how = ''): string => {
  const names = tables.filter(({ bytes }) => bytes > 0).map(({ name }) => name)
  return names.length > 0 ? `truncate ${names.join(', ')} ${how}` : ''
}
