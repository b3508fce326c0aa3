// What a server of one's own must do beyond the promises of the ports, which the other tests run on it too: needs TEST_DATABASE_URL.
import t, { type Test } from 'tap'
import { migrate } from '../../../src/db/migrate.js'
import { openPostgres } from '../../../src/db/postgres/postgres.js'
import { primaryOf, serversOf } from '../../../src/db/postgres/postgres-primary.js'
import type { Database } from '../../../src/db/sql/database.js'
import { ownDatabase, SERVER } from '../../helpers/database.js'
import { tcpProxy } from '../../helpers/tcp-proxy.js'

const AWAY = {
  status: 'rejected',
  reason: {
    message: 'The database is away. Try again in a moment.', kind: 'unavailable', data: { retry_after_seconds: 1 }
  }
}

const settled = async (work: Promise<unknown>) => (await Promise.allSettled([work]))[0]

const pidOf = async (on: Pick<Database, 'query'>) =>
  (await on.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid

t.test('PostgreSQL', { skip: SERVER === undefined && 'no TEST_DATABASE_URL' }, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const open = async (t: Test, options: Parameters<typeof openPostgres>[1], at = url): Promise<Database> => {
    const db = await openPostgres(at, options)
    t.teardown(() => db.close())
    return db
  }
  const tables = await open(t, { connections: 1 })
  await tables.script('create table marks (mark integer primary key)')
  t.beforeEach(() => tables.query('delete from marks'))

  await t.test('connections are opened before they are needed, as many as there may be and no more', async (t) => {
    const db = await open(t, { connections: 3 })
    await db.openConnections?.()
    t.same(db.connections?.(), { inUse: 0, idle: 3, waiting: 0 })
    const [count] = await db.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'exploration-mcp'")
    t.same(count, { count: 4 }, 'and the one of this file')
  })

  await t.test('an aborted statement is cancelled on the server, and its connection serves on', async (t) => {
    const db = await open(t, { connections: 1 })
    const pid = await pidOf(db)
    const watcher = await open(t, { connections: 1 })
    const stop = new AbortController()
    const sleeping = db.query('select pg_sleep(600)', [], { signal: stop.signal })
    const isSleeping = async () =>
      (await watcher.query("select from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep%'", [pid])).length > 0
    while (!await isSleeping());
    const reason = new Error('no longer wanted')
    stop.abort(reason)
    await t.rejects(sleeping, reason)
    t.equal(await isSleeping(), false)
    t.equal(await pidOf(db), pid)
    await t.rejects(db.query('select 1', [], { signal: AbortSignal.abort(reason) }), reason)
  })

  await t.test('a connection that dies under a transaction fails that transaction only', async (t) => {
    const db = await open(t, { connections: 1 })
    const killer = await open(t, { connections: 1 })
    await t.rejects(db.transaction(async (tx) => {
      await tx.query('insert into marks values (1)')
      const pid = await pidOf(tx)
      await killer.query('select pg_terminate_backend($1, 5000)', [pid])
      // The word of it arrives while no statement runs.
      await new Promise((resolve) => setImmediate(resolve))
      await killer.query('select pg_sleep(0.05)')
      await tx.query('insert into marks values (2)')
    }))
    t.strictSame(await db.query('select mark from marks'), [])
  })

  await t.test('connections that died while no one used them: what reads is served, what writes is refused for the moment', async (t) => {
    const proxy = await tcpProxy(t, url)
    const db = await open(t, { connections: 3 }, proxy.url)
    const three = <T>(work: (n: number) => Promise<T>) => Promise.allSettled([1, 2, 3].map(work))
    await three(() => db.query('select pg_sleep(0.05)'))
    proxy.cut()
    t.match(await three((n) => db.query('select $1::int as n', [n])), [1, 2, 3].map((n) => ({ value: [{ n }] })))
    await three(() => db.query('select pg_sleep(0.05)'))
    proxy.cut()
    const writes = await three((n) => db.query('insert into marks values ($1)', [n]))
    t.match(writes, [AWAY, AWAY, AWAY])
    await db.query('insert into marks values ($1)', [4])
    t.same(await db.query('select mark from marks'), [{ mark: 4 }], 'not done twice, nor later')
  })

  await t.test('a server that is not there, or has no time, is away; it is used again when it is back', async (t) => {
    const proxy = await tcpProxy(t, url)
    const db = await open(t, { connections: 1 }, proxy.url)
    await proxy.refuse()
    t.match(await settled(db.query('select 1')), AWAY)
    t.match(await settled(db.transaction(async () => {})), AWAY)
    await proxy.restore()
    t.same(await db.query('select 1 as one'), [{ one: 1 }])
    t.match(await settled(db.transaction(async (tx) => {
      await tx.query("set local statement_timeout = '10ms'")
      await tx.query('select pg_sleep(5)')
    })), AWAY)
    t.same(await db.query('select 1 as one'), [{ one: 1 }])
  })

  await t.test('no statement runs or waits for ever', async (t) => {
    const db = await open(t, { connections: 2 })
    for (const [name, limit] of [['statement_timeout', '30s'], ['lock_timeout', '5s'], ['idle_in_transaction_session_timeout', '30s']] as const) {
      t.same(await db.query(`select current_setting('${name}') as limit`), [{ limit }], name)
    }
    await db.query('insert into marks values (1)')
    await db.transaction(async (tx) => {
      await tx.query('update marks set mark = 2')
      t.match(await settled(db.transaction(async (other) => {
        await other.query("set local lock_timeout = '20ms'")
        await other.query('update marks set mark = 3')
      })), AWAY, 'a lock that another holds')
    })
    t.same(await db.query('select mark from marks'), [{ mark: 2 }])
  })

  await t.test('a transaction that fails leaves nothing, and its connection serves on', async (t) => {
    const db = await open(t, { connections: 1 })
    await t.rejects(db.transaction(async (tx) => {
      await tx.query('insert into marks values ($1)', [1])
      await tx.query('insert into marks values ($1)', [1])
    }), { code: '23505' })
    await t.rejects(db.script('select 1; select 1 / 0'), { code: '22012' })
    await db.transaction(async (tx) => { await tx.query('insert into marks values ($1)', [2]) })
    t.strictSame(await db.query('select mark from marks'), [{ mark: 2 }])
  })

  await t.test('a statement with values is planned once a connection', async (t) => {
    const db = await open(t, { connections: 1 })
    for (let value = 0; value < 3; value++) t.strictSame(await db.query('select $1::int as value', [value]), [{ value }])
    t.equal((await db.query('select from pg_prepared_statements where statement = $1', ['select $1::int as value'])).length, 1)
  })

  await t.test('replicas that start at once migrate once, one after the other', async (t) => {
    const replicas = await Promise.all([1, 2, 3].map(() => open(t, { connections: 2 })))
    let inside = 0
    await Promise.all(replicas.map((replica) => replica.exclusively(async () => {
      t.equal(++inside, 1)
      await migrate(replica)
      inside--
    })))
    t.ok((await replicas[0]!.query('select from schema_migrations')).length > 0)
    await t.rejects(replicas[0]!.exclusively(() => Promise.reject(new Error('failed'))), /failed/)
    t.equal(await replicas[1]!.exclusively(() => Promise.resolve('next')), 'next')
  })

  await t.test('several servers: the one that takes writes is used, and another once it does', async (t) => {
    const [first, second] = [await tcpProxy(t, url), await tcpProxy(t, url)]
    const both = url.replace(new URL(url).host, [first, second].map((proxy) => new URL(proxy.url).host).join())
    t.same(serversOf(`${both}?target_session_attrs=read-write`), [first, second].map((proxy) => `${proxy.url}?target_session_attrs=read-write`))
    await second.refuse()
    const db = await open(t, { connections: 2 }, both)
    await first.refuse()
    t.match(await settled(db.query('select 1')), AWAY)
    await second.restore()
    t.same(await db.query('select 1 as one'), [{ one: 1 }], 'what only reads is served at once')
    await db.query('insert into marks values ($1)', [1])
    await db.script('alter database ' + new URL(url).pathname.slice(1) + ' set default_transaction_read_only = on')
    second.cut()
    t.match(await settled(db.query('insert into marks values ($1)', [2])), AWAY)
    await t.rejects(primaryOf(both), { code: '57P03', message: /it only reads/ } as never)
  })
})
