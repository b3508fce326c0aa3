// The embedded database in its thread: what it hears, prepares, refuses, and keeps. One folder, opened again after its thread crashed.
import { mkdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import workerThreads, { Worker } from 'node:worker_threads'
import t from 'tap'
import { extract } from 'tar'
import { openPgliteThread } from '../../../src/db/embedded/pglite-thread.js'
import { preparedDatabase } from '../../helpers/prepared-database.js'

/** The newest thread of all. */
let thread: Worker | undefined
class KnownWorker extends Worker {
  constructor (...given: ConstructorParameters<typeof Worker>) {
    super(...given)
    thread = this // eslint-disable-line @typescript-eslint/no-this-alias
  }
}
Object.assign(workerThreads, { Worker: KnownWorker })
syncBuiltinESMExports()
t.teardown(() => {
  Object.assign(workerThreads, { Worker })
  syncBuiltinESMExports()
})

// A database without a schema: PostgreSQL takes a second to make one.
const folder = join(t.testdir(), 'database')
mkdirSync(folder)
await extract({ file: (await preparedDatabase()).empty, cwd: folder })

t.test('a database in a thread of its own', async (t) => {
  const db = await openPgliteThread(folder)

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

  t.test('says what PostgreSQL says of an error', async (t) => {
    await db.script('create table positives (n int constraint positive check (n > 0))')
    await t.rejects(db.query('insert into positives values (-1)'), {
      name: 'error', code: '23514', constraint: 'positive', table: 'positives', message: /violates check constraint/
    })
    await t.rejects(db.query('select $1::jsonb', [{ no: () => {} }]), { name: 'DataCloneError' })
    t.strictSame(await db.query('select $1::bytea as bytes, $2::timestamptz as time', [new Uint8Array([1, 2]), new Date(0)]), [
      { bytes: new Uint8Array([1, 2]), time: new Date(0) }
    ])
  })

  t.test('leaves the event loop to others while a statement runs', async (t) => {
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    t.strictSame(await db.query('select count(*)::int as count from generate_series(1, 200000)'), [{ count: 200000 }])
    clearImmediate(next)
    t.ok(turns > 10, `${turns} turns`)
  })

  t.test('a thread that crashes answers whoever waits, and says why', async (t) => {
    await db.script('create table kept (note text)')
    await db.query('insert into kept values ($1)', ['committed'])
    const waiting = db.query('select pg_sleep(60)')
    await new Promise((resolve) => { setImmediate(resolve) })
    const reason = { message: 'The embedded database ended by itself (unreachable executed).' }
    thread!.emit('error', new Error('unreachable executed'))
    await t.rejects(waiting, reason)
    await t.rejects(db.query('select 1'), reason)
    t.match(await db.crashed, reason)
    await db.close()
  })
})

t.test('the next one has the data of the folder', async (t) => {
  const db = await openPgliteThread(folder)
  t.strictSame(await db.query('select note from kept'), [{ note: 'committed' }])

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

t.test('refuses what is no database', async (t) => {
  await t.rejects(openPgliteThread(t.testdir({ database: 'a file' }) + '/database'), { code: 'EEXIST' })
})
