import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { extract } from 'tar'
import { openPgliteThread } from '../../../src/db/embedded/pglite-thread.js'
import { preparedDatabase } from '../../helpers/prepared-database.js'

/** A folder that has a database without a schema: PostgreSQL takes a second to make one. */
const emptyDatabase = async (t: Test): Promise<string> => {
  const folder = join(t.testdir(), 'database')
  mkdirSync(folder)
  await extract({ file: (await preparedDatabase()).empty, cwd: folder })
  return folder
}

t.test('a database in a thread of its own', async (t) => {
  const db = await openPgliteThread(await emptyDatabase(t))

  t.test('what a commit notifies is heard before its answer', async (t) => {
    const events: string[] = []
    db.onNotification?.((channel) => { events.push(channel) })
    const then = (event: string) => () => { events.push(event) }
    await db.script('listen news')
    await db.query("select pg_notify('news', ''), pg_notify('news', ''), pg_notify('other', '')").then(then('answered'))
    await db.transaction(async (tx) => {
      await tx.query("select pg_notify('news', '')").then(then('in a transaction'))
    }).then(then('committed'))
    await db.transaction(async (tx) => {
      await tx.query("select pg_notify('news', '')")
      throw new Error('taken back')
    }).catch(then('taken back'))
    await db.query('select 1').then(then('the next'))
    t.same(events, ['news', 'answered', 'in a transaction', 'news', 'committed', 'taken back', 'the next'])
  })

  t.test('statements are prepared once', async (t) => {
    const planned = async () => await db.query<{ statement: string, custom: number, generic: number }>(
      "select statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where statement like '%twice%' and statement not like '%prepared%'")

    t.test('with values of their types, planned no more after the fifth time', async (t) => {
      for (let n = 0; n < 8; n++) {
        t.strictSame(await db.query('select $1::int * 2 as twice, $2::text[] as texts, $3::jsonb as json, $4::uuid as nothing', [n, ['a', '"b'], { n }, null]),
          [{ twice: n * 2, texts: ['a', '"b'], json: { n }, nothing: null }])
      }
      t.match(await planned(), [{ custom: 5, generic: 3 }])
    })

    t.test('and only so many of them', async (t) => {
      for (let n = 0; n < 150; n++) await db.query(`select ${n} as n`)
      t.strictSame(await planned(), [])
      t.strictSame(await db.query('select $1::int * 2 as twice', [2]), [{ twice: 4 }])
    })

    t.test('one that fails leaves the next alone, in a transaction and outside', async (t) => {
      await db.script('create table numbers (n int primary key)')
      const insert = (n: number) => db.query('insert into numbers values ($1) returning n', [n])
      await insert(1)
      await t.rejects(insert(1), { code: '23505' })
      t.strictSame(await insert(2), [{ n: 2 }])
      await t.rejects(db.query('select nonsense'), { code: '42703' })
      await t.rejects(db.query('select $1::int', ['a']), { code: '22P02' })
      await t.rejects(db.transaction(async (tx) => {
        await tx.query('insert into numbers values (3)')
        await tx.query('insert into numbers values (3)')
      }), { code: '23505' })
      t.strictSame(await db.query('select n from numbers'), [{ n: 1 }, { n: 2 }])
    })

    t.test('and planned anew for a table that has grown', async (t) => {
      const plan = async () => (await db.query<{ 'QUERY PLAN': string }>('explain execute few (1)'))[0]!['QUERY PLAN']
      await db.query('prepare few (int) as select n from numbers where n = $1')
      t.match(await plan(), /Scan/)
      await db.query('insert into numbers select generate_series(10, 2000)')
      await t.rejects(plan(), { code: '26000' })
    })

    t.test('but not for the few rows that a call writes', async (t) => {
      await db.query('prepare calls (int) as select n from numbers where n = $1')
      for (let n = 0; n < 200; n++) await db.query('insert into numbers values ($1)', [10_000 + n])
      t.match(await db.query('explain execute calls (1)'), [{ 'QUERY PLAN': /Scan/ }])
    })

    t.test('and anew after a script that changes what they read', async (t) => {
      t.strictSame(await db.query('select * from numbers where n = 1'), [{ n: 1 }])
      await db.script("alter table numbers add column name text default 'one'")
      t.strictSame(await db.query('select * from numbers where n = 1'), [{ n: 1, name: 'one' }])
    })
  })

  t.test('nothing comes into a transaction, and what waits may be given up', async (t) => {
    await db.query('create table notes (note text)')
    let end = (): void => {}
    const open = new Promise<void>((resolve) => { end = resolve })
    const transaction = db.transaction(async (tx) => {
      await tx.query("insert into notes values ('inside')")
      await open
      throw new Error('undone')
    })
    const waiting = [db.query("insert into notes values ('after')"), db.query('select 1', [], { signal: AbortSignal.abort(new Error('enough')) })]
    const closing = db.close()
    const late = db.query('select 1')
    end()
    await t.rejects(transaction, { message: 'undone' })
    t.match(
      await Promise.allSettled([...waiting, late]),
      [{ status: 'fulfilled' }, { reason: { message: 'enough' } }, { reason: { message: 'the database is closed' } }]
    )
    await closing
  })
})

t.test('its thread', async (t) => {
  const folder = await emptyDatabase(t)
  const db = await openPgliteThread(folder)

  await t.test('says what PostgreSQL says of an error', async (t) => {
    await db.script('create table numbers (n int constraint positive check (n > 0))')
    await t.rejects(db.query('insert into numbers values (-1)'), {
      name: 'error', code: '23514', constraint: 'positive', table: 'numbers', message: /violates check constraint/
    })
    await t.rejects(db.query('select $1::jsonb', [{ no: () => {} }]), { name: 'DataCloneError' })
    t.strictSame(await db.query('select $1::bytea as bytes, $2::timestamptz as time', [new Uint8Array([1, 2]), new Date(0)]), [
      { bytes: new Uint8Array([1, 2]), time: new Date(0) }
    ])
  })

  await t.test('leaves the event loop to others while a statement runs', async (t) => {
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    t.strictSame(await db.query('select count(*)::int as count from generate_series(1, 2000000)'), [{ count: 2000000 }])
    clearImmediate(next)
    t.ok(turns > 10, `${turns} turns`)
  })

  await t.test('keeps a folder for the next one', async (t) => {
    await db.script('create table notes (note text)')
    await db.query('insert into notes values ($1)', ['kept'])
    await db.close()
    await t.rejects(db.query('select 1'), { message: 'the database is closed' })
    const second = await openPgliteThread(folder)
    t.strictSame(await second.query('select note from notes'), [{ note: 'kept' }])
    await second.close()
  })

  await t.test('refuses what is no database', async (t) => {
    const folder = t.testdir({ database: 'a file' }) + '/database'
    await t.rejects(openPgliteThread(folder), { code: 'EEXIST' })
  })
})
