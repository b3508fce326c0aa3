// A database that a later version changed for good: this version says so, and leaves it as it is.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openPglite } from '../helpers/open-pglite.js'
import { migrate } from '../../src/db/migrate.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import type { Queryable } from '../../src/db/sql/database.js'
import { openBackend } from '../../src/server/open-backend.js'
import { commandLine } from '../helpers/command-line.js'
import { contentOf } from '../helpers/database-content.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { ROOT } from '../helpers/root.js'

const OF_TOMORROW = `insert into schema_migrations (version, name, md5, run_at)
  values (998, 'one more table', 'x', now()), (999, 'one-way-other-hashes', 'y', now())`
const COMMANDS = [['serve', '--port', '0'], ['keys', 'list'], ['import', join(ROOT, 'src/planning/sample.ndjson')]]

const SAID = { code: 1, err: /migration 999, one-way-other-hashes.*Nothing was changed now\. Use the newer version, or restore a backup/s }

t.test('a data folder', async (t) => {
  const data = `${t.testdir()}/data`
  const cli = commandLine(t, { data, openBackend })
  const inside = async <Result>(work: (db: Awaited<ReturnType<typeof openPglite>>) => Promise<Result>): Promise<Result> => {
    const db = await openPglite(`${data}/database`)
    const result = await work(db)
    await db.close()
    return result
  }
  await inside(migrate)

  await t.test('whose files are of a later PostgreSQL', async (t) => {
    const version = readFileSync(`${data}/database/PG_VERSION`)
    writeFileSync(`${data}/database/PG_VERSION`, '99\n')
    const bytes = (): Array<[string, string]> => (readdirSync(`${data}/database`, { recursive: true }) as string[]).sort()
      .filter((file) => statSync(join(data, 'database', file)).isFile())
      .map((file) => [file, createHash('sha256').update(readFileSync(join(data, 'database', file))).digest('hex')])
    const before = bytes()
    for (const command of COMMANDS) {
      t.match(await cli.run([...command, '--data', data]), { code: 1, err: /are of PostgreSQL 99.*Nothing was changed\./s }, command.join(' '))
    }
    t.strictSame(bytes(), before)
    writeFileSync(`${data}/database/PG_VERSION`, version)
  })

  await t.test('that a later version migrated', async (t) => {
    const before = await inside(async (db) => {
      await db.query(OF_TOMORROW)
      return await contentOf(db)
    })
    for (const command of COMMANDS) t.match(await cli.run([...command, '--data', data]), SAID, command.join(' '))
    t.same(await inside(contentOf), before)
  })
})

t.test('a PostgreSQL', { skip: SERVER === undefined && 'no TEST_DATABASE_URL' }, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const db = await openPostgres(url, { connections: 1 })
  t.teardown(() => db.close())
  await migrate(db)
  await db.query(OF_TOMORROW)
  // How many rows each table has, and the newest transaction that wrote one.
  const written = async ({ query }: Queryable) => await query(`
    select relname, query_to_xml(format('select count(*), max(xmin::text::bigint) from %I', relname), false, true, '')::text as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const before = await written(db)
  const cli = commandLine(t, { openBackend, env: { DATABASE_URL: url, SESSION_SECRET: 'a secret that is long enough to be one' } })
  for (const command of [...COMMANDS, ['migrate']]) t.match(await cli.run(command), SAID, command.join(' '))
  t.strictSame(await written(db), before)
  t.ok(before.length > 20)
})
