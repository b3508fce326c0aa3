import t from 'tap'
import { openPglite } from '../../src/db/pglite.js'

const db = await openPglite()

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
