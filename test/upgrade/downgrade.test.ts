// A database that a later version changed for good: this version says so, and leaves it as it is.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openPglite } from '../helpers/open-pglite.js'
import { unpackImage } from '../../src/db/embedded/database-folder.js'
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

t.test('a data folder that a later version migrated; whose files are of a later PostgreSQL', {
  skip: SERVER !== undefined && 'on the embedded database, whichever others there are'
}, async (t) => {
  const data = `${t.testdir()}/data`
  const folder = `${data}/database`
  const cli = commandLine(t, { data, openBackend })
  await unpackImage('empty', folder)
  const written = await openPglite(folder)
  await written.query(OF_TOMORROW)
  const before = await contentOf(written)
  await written.close()

  const version = readFileSync(`${folder}/PG_VERSION`)
  writeFileSync(`${folder}/PG_VERSION`, '99\n')
  const bytes = (): Array<[string, string]> => (readdirSync(folder, { recursive: true }) as string[]).sort()
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file, createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')])
  const bytesBefore = bytes()
  for (const command of COMMANDS) {
    t.match(await cli.run([...command, '--data', data]), { code: 1, err: /are of PostgreSQL 99.*Nothing was changed\./s }, command.join(' '))
  }
  t.strictSame(bytes(), bytesBefore)
  writeFileSync(`${folder}/PG_VERSION`, version)

  // All commands open it in the same way: PostgreSQL, below, tries each.
  t.match(await cli.run([...COMMANDS[2]!, '--data', data]), SAID)
  const left = await openPglite(folder)
  t.same(await contentOf(left), before)
  await left.close()
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
