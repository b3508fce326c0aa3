/**
 * A migrated database per test: in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL server, so that the same promises are
 * proven there.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import type { Test } from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { migrate } from '../../src/db/migrate.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import type { Database } from '../../src/db/sql/database.js'
import { CHANGES_MORE_THAN_ROWS, leaseEmbedded } from './embedded-database.js'
import { recording, telling } from './recorded-statements.js'

const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)

/** Undefined where the tests run on the embedded database alone. */
export const SERVER = process.env['TEST_DATABASE_URL'] || undefined

export const database = async (t: Test): Promise<Database> => openCopy(t, 'migrated')

/** The same with the sample data in it. */
export const sampleDatabase = async (t: Test): Promise<Database> => openCopy(t, 'sample')

type Content = 'migrated' | 'sample'

const openCopy = async (t: Test, content: Content): Promise<Database> => {
  if (SERVER === undefined) {
    const db = await leaseEmbedded(content)
    t.teardown(() => db.close())
    return recording(db)
  }
  const copy = await usedCopy(SERVER, content) ?? await createDatabase(SERVER, await templateName(SERVER, content))
  const db = await openPostgres(copy.url, { connections: 3 })
  let isReusable = true
  t.teardown(async () => {
    await db.close()
    if (isReusable) idle[content].push(copy)
    else await dropDatabase(SERVER, copy.name)
  })
  // Copies are deployments of their own.
  await db.query('update deployment set tag = default')
  return recording(telling(db, (text) => { if (CHANGES_MORE_THAN_ROWS.test(text)) isReusable = false }))
}

/** Used again by one test after another of this process: to restore their rows takes a tenth of the computing of a copy. */
const idle: Record<Content, Copy[]> = { migrated: [], sample: [] }

const usedCopy = async (server: string, content: Content): Promise<Copy | undefined> => {
  const copy = idle[content].pop()
  if (!copy) return undefined
  const db = await openPostgres(copy.url, { connections: 1 })
  try {
    for (const pass of RESTORE) await db.script(pass)
    return copy
  } catch {
    await dropDatabase(server, copy.name)
    return undefined
  } finally {
    await db.close()
  }
}

const TABLES = `select relname as name, to_regclass(format('pristine.%I', relname)) as source,
    (select string_agg(format('%I', attname), ', ') from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    exists (select from pg_trigger where tgrelid = c.oid and tgenabled = 'A' and tgname <> 'notify_access_change') as writes
  from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`

/** What a copy is restored from. */
const KEEP = `
  create schema pristine;
  create table pristine.tables as select name from (${TABLES}) t;
  create table pristine.sequences as select format('public.%I', sequencename) as name, start_value, last_value from pg_sequences
    where schemaname = 'public';
  do $$ declare name text; begin
    for name in select t.name from pristine.tables t loop
      execute format('create table pristine.%1$I as table public.%1$I', name);
    end loop;
  end $$`

// Tables whose triggers cannot be switched off write to others, so that they come first, and the others when that is committed.
const RESTORE = [true, false].map((writes) => `
  do $$ declare "table" record; begin
    perform pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
    perform set_config('session_replication_role', 'replica', true);
    if array(select name from pristine.tables order by 1) <> array(select name from (${TABLES}) t order by 1) then
      raise 'another schema';
    end if;
    for "table" in select * from (${TABLES}) t where writes = ${writes} loop
      execute format('delete from public.%I', "table".name);
      execute format('insert into public.%I (%s) overriding system value select %2$s from %3$s', "table".name, "table".columns, "table".source);
    end loop;
    perform setval(name, coalesce(last_value, start_value), last_value is not null) from pristine.sequences;
  end $$`)

interface Copy { name: string, url: string }

const templates: Partial<Record<Content, Promise<string>>> = {}

/** The name of a database to copy, made once a process: a copy takes a tenth of the time of the migrations. */
export const templateName = (server: string, content: Content): Promise<string> => {
  const name = templates[content] ?? createTemplate(server, content)
  templates[content] = name
  return name
}

const createTemplate = async (server: string, content: Content): Promise<string> => {
  const source = content === 'sample' ? await templateName(server, 'migrated') : undefined
  const { name, url } = await createDatabase(server, source)
  process.once('beforeExit', () => {
    for (const copy of [{ name }, ...idle[content]]) dropDatabase(server, copy.name).catch((error: unknown) => { throw error })
  })
  const db = await openPostgres(url, { connections: 1 })
  if (content === 'migrated') await migrate(db)
  else await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
  await db.script(`drop schema if exists pristine cascade; ${KEEP}`)
  await db.close()
  return name
}

/** The address of an empty database, or of a copy of another, that goes away with the test. */
export const ownDatabase = async (t: Test, server: string, template?: string): Promise<string> => {
  const { name, url } = await createDatabase(server, template)
  t.teardown(() => dropDatabase(server, name))
  return url
}

export const createDatabase = async (server: string, template = 'template1'): Promise<Copy> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await execute(server, `create database ${name} template ${template} strategy file_copy`)
  return { name, url: Object.assign(new URL(server), { pathname: `/${name}` }).href }
}

const dropDatabase = (server: string, name: string): Promise<void> => execute(server, `drop database ${name} with (force)`)

const administration = new Map<string, pg.Pool>()

/** On connections of this process for all of its tests: each new one would cost as much as a copy. They do not keep the process alive. */
const execute = async (server: string, statement: string): Promise<void> => {
  let pool = administration.get(server)
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: server, max: 2, allowExitOnIdle: true })
    // Of a server that is gone by now; the next statement finds out.
    pool.on('error', () => {})
    administration.set(server, pool)
  }
  await pool.query(statement)
}
