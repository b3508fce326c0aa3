// Migrating: interrupted anywhere, it goes on where it was.
import t from 'tap'
import type { Database } from '../../src/db/sql/database.js'
import { isMigrated, migrate } from '../../src/db/migrate.js'
import { database, SERVER } from '../helpers/database.js'
import { openEmptyEmbedded } from '../helpers/embedded-database.js'

const EMBEDDED_ONLY = SERVER !== undefined && 'on the embedded database, whichever others there are'

t.test('killed after any of its statements, it does none of them twice', { skip: EMBEDDED_ONLY }, async (t) => {
  const db = await openEmptyEmbedded()
  t.teardown(() => db.close())
  const done = new Set<string>()
  const killedAfter = (text: string): void => {
    if (done.has(text)) return
    done.add(text)
    throw new Error('killed')
  }
  const mortal: Database = {
    ...db,
    query: async <R>(text: string, values?: readonly unknown[]) => {
      const rows = await db.query<R>(text, values)
      killedAfter(text)
      return rows
    },
    script: async (text) => {
      await db.script(text)
      killedAfter(text)
    }
  }
  let kills = 0
  for (; kills < 100; kills++) {
    const error = await migrate(mortal).then(() => undefined, (error: unknown) => error)
    if (!error) break
    t.match(error, { message: 'killed' })
  }
  t.ok(kills > 4, `${kills} kills`)
  const recorded = () => db.query('select version, run_at from schema_migrations order by version')
  const before = await recorded()
  t.ok(await isMigrated(db))
  await migrate(db)
  t.strictSame(await recorded(), before, 'nothing is done twice')
})

t.test('a schema that is newer is served, one that is another is refused', async (t) => {
  const db = await database(t)
  await db.query("insert into schema_migrations (version, name, md5, run_at) values (999, 'of-tomorrow', 'x', now())")
  await migrate(db)
  t.equal(await isMigrated(db), true)
  await db.query('delete from schema_migrations where version = 999')
  await db.query("update schema_migrations set md5 = 'x' where version = 7")
  await t.rejects(migrate(db), { name: 'Refusal', message: /migration 7 was another when it was made/ })
  await db.query('delete from schema_migrations where version > 35')
  await t.rejects(migrate(db), { name: 'Refusal', message: /older than build 4b5ce812, .* Nothing was changed\. Start that build/ })
})

t.test('a newer schema whose migration is one-way is refused, and a server that has it is not ready', async (t) => {
  const db = await database(t)
  const asked: string[] = []
  const watched: Database = { ...db, query: async (text, values) => { asked.push(text); return await db.query(text, values) } }
  await migrate(watched)
  t.equal(asked.length, 1, 'one that is up to date takes one statement')
  await db.query("insert into schema_migrations (version, name, md5, run_at) values (999, 'one-way-of-tomorrow', 'x', now())")
  await t.rejects(migrate(watched), { name: 'Refusal', message: /cannot work with it \(migration 999, one-way-of-tomorrow\)\. Nothing was changed/ })
  t.match(asked, [/^select /, /^select /], 'it only looked')
  t.equal(await isMigrated(db), false)
})
