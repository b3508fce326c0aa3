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
  isReferenced: boolean
  /** Has triggers that nothing switches off, which write to other tables. */
  hasTriggers: boolean
}

const TABLES = `
  select format('%I', relname) as name,
    (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    exists (select from pg_constraint where confrelid = pg_class.oid) as "isReferenced",
    exists (select from pg_trigger where tgrelid = pg_class.oid and tgenabled = 'A' and tgname <> 'notify_access_change') as "hasTriggers"
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`

/** What changes with every row that is written to a table. */
const WRITES = `
  select format('%I', relname) as name,
    concat_ws(' ', relfilenode, pg_stat_get_tuples_inserted(oid), pg_stat_get_tuples_updated(oid), pg_stat_get_tuples_deleted(oid)) as writes
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`

// Rows that are deleted stay in the files: whatever is larger is truncated.
const MAX_BYTES = 2 ** 19

const readTables = (embedded: Embedded): Promise<Table[]> => embedded.query<Table & Record<string, unknown>>(TABLES)

const readWrites = async (embedded: Embedded): Promise<Map<string, string>> => {
  // Without this the counters of the last second are missing.
  await embedded.query('select pg_stat_force_next_flush()')
  const rows = await embedded.query<{ name: string, writes: string }>(WRITES)
  return new Map(rows.map(({ name, writes }) => [name, writes]))
}

/** Those of the tables whose files are larger. */
const largerThan = async (embedded: Embedded, bytes: number, tables: Table[]): Promise<Table[]> => {
  const rows = await embedded.query<{ name: string }>(
    'select name from unnest($1::text[]) name where pg_relation_size(name::regclass) > $2', [tables.map(({ name }) => name), bytes])
  return tables.filter(({ name }) => rows.some((row) => row.name === name))
}

export const contentOf = async (embedded: Embedded): Promise<DatabaseContent> => {
  const rows: DatabaseContent['rows'] = []
  for (const { name: table, columns } of await largerThan(embedded, 0, await readTables(embedded))) {
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

/** What each database was given last, its tables, and the writes to each until then. */
const restored = new WeakMap<Embedded, { content: DatabaseContent, tables: Table[], writes: Map<string, string> }>()

/** Whether its last content was this: then `restore` takes a third of the time. */
export const hadContent = (embedded: Embedded, content: DatabaseContent): boolean => restored.get(embedded)?.content === content

/** Notes that a database has this content now. */
export const holds = async (embedded: Embedded, content: DatabaseContent, tables?: Table[]): Promise<void> => {
  restored.set(embedded, { content, tables: tables ?? await readTables(embedded), writes: await readWrites(embedded) })
}

// What another test has set or locked: `discard all` without the statements that are prepared, which the next test asks too.
const DISCARD = `close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard sequences; discard temp; set session_replication_role = replica`

/**
 * Empties the tables and fills them with this; of a database whose content is known, those that were written since or had other rows. The
 * order of the rows is the same, and so are all values.
 */
export const restore = async (embedded: Embedded, content: DatabaseContent): Promise<void> => {
  const { rows, sequences } = content
  const last = restored.get(embedded)
  let writes = await readWrites(embedded)
  const isSame = last?.tables.length === writes.size
  const tables = isSame ? last.tables : await readTables(embedded)
  const isWritten = ({ name }: Table): boolean =>
    last?.writes.get(name) !== writes.get(name) || textOf(last?.content, name) !== textOf(content, name)
  await embedded.pglite.exec(DISCARD)
  const isWhole = !isSame || (await largerThan(embedded, MAX_BYTES, tables.filter(isWritten))).some(({ isReferenced }) => isReferenced)
  if (isWhole) await embedded.pglite.exec(truncate(await largerThan(embedded, 0, tables), 'cascade'))

  const fill = async (written: Table[]): Promise<void> => {
    // After `truncate` nothing is in them but what triggers of others wrote.
    for (const statement of emptying(isWhole ? await largerThan(embedded, 0, written) : written)) await embedded.pglite.exec(statement)
    const names = new Set(written.map(({ name }) => name))
    for (const { table, columns, text } of rows.filter(({ table }) => names.has(table))) {
      await embedded.pglite.query(`copy ${table} (${columns}) from '/dev/blob'`, [], { blob: new Blob([text]) })
    }
  }
  const first = tables.filter((table) => table.hasTriggers && (isWhole || isWritten(table)))
  await fill(first)
  if (first.length > 0) writes = await readWrites(embedded)
  await fill(tables.filter((table) => !table.hasTriggers && (isWhole || isWritten(table))))

  await embedded.pglite.exec([
    'reset session_replication_role',
    ...Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`),
    ...sequences.map(({ name, position, used }) => `select setval('${name}', ${position}, ${used})`)
  ].join('; '))
  await holds(embedded, content, tables)
}

const textOf = (content: DatabaseContent | undefined, name: string) => content?.rows.find(({ table }) => table === name)?.text

/** A table that others refer to cannot be truncated without them. */
const emptying = (tables: Table[]): string[] => [
  ...tables.filter(({ isReferenced }) => isReferenced).map(({ name }) => `delete from ${name}`),
  truncate(tables.filter(({ isReferenced }) => !isReferenced))
]

const truncate = (tables: Table[], how = ''): string =>
  tables.length > 0 ? `truncate ${tables.map(({ name }) => name).join(', ')} ${how}` : ''
