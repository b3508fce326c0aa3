// Migrating: interrupted anywhere, it goes on where it was.
import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { migrate } from '../../src/store/migrate.js'
import { openPglite } from '../../src/store/pglite.js'

t.test('killed after any of its statements, it does none of them twice', async (t) => {
  const db = await openPglite()
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
  const versions = async () => (await db.query<{ version: number }>('select version from schema_migrations where version > 0 order by version'))
    .map(({ version }) => Number(version))
  const before = await versions()
  t.strictSame(before, before.map((_, index) => index + 1))
  await migrate(db)
  t.strictSame(await versions(), before, 'nothing is done twice')
})
