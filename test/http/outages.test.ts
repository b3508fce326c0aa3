// The database, or Valkey, is away, and comes back: what clients, balancers and operators are told.
import t from 'tap'
import { build, handshake, legacy, modern } from '../helpers/build.js'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { NO_SERVICES, replicas, type Replica } from '../helpers/replicas.js'
import { until } from '../helpers/until.js'
import { VALKEY } from '../helpers/valkey.js'

interface Refused { id: number, error: { code: number, message: string, data: object } }

t.test('services', { skip: NO_SERVICES }, async (t) => {
  let database: Awaited<ReturnType<typeof tcpProxy>> | undefined
  const valkey = await tcpProxy(t, VALKEY!)
  const { all, key, backend } = await replicas(t, { rateLimitReadPerMinute: '4' }, {
    database: async (url) => (database = await tcpProxy(t, url)).url, valkey: valkey.url
  })
  const [first, second] = all as [Replica, Replica, Replica]
  const { app, log } = first
  const ready = async () => {
    const { statusCode: status, headers, body } = await app.inject({ url: '/readyz' })
    return { status, after: headers['retry-after'], checks: (JSON.parse(body) as { checks: Record<string, unknown> }).checks }
  }

  await t.test('the database', async (t) => {
    const [user] = await backend.directory.listUsers()
    const { key } = await backend.credentials.createKey({ user: user!.id, name: 'more', scope: 'admin' })
    const call = () => modern<Refused>(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
    const session = await handshake(app, key)
    t.match(await ready(), { status: 200, checks: { database: 'ok', migrations: 'ok', valkey: 'ok', draining: false } })

    database!.cut()
    t.equal((await call()).status, 200, 'connections that broke are made again')
    await database!.refuse()
    const refused = await call()
    t.match(refused, { status: 503, headers: { 'retry-after': '1' }, body: { error: { code: 503, data: { retry_after_seconds: 1, spec: {} } } } })
    t.notMatch(refused.text, /ECONN|postgres|127\.0/, 'nothing from inside')
    t.match(await legacy(app, key, session, 'tools/list'), { status: 503, headers: { 'retry-after': '1' } })
    const token = await app.inject({
      method: 'POST',
      url: '/api/v1/device/token',
      headers: { host: 'localhost' },
      payload: { device_code: 'x', grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }
    })
    t.match([token.statusCode, token.headers['retry-after'], token.json()], [503, '1', { error: 'temporarily_unavailable' }])
    // What was found is answered for a moment.
    await until(async () => (await ready()).status === 503)
    t.match(await ready(), { status: 503, after: '1', checks: { database: 'away', migrations: 'unknown' } })
    t.equal((await app.inject({ url: '/livez' })).statusCode, 200, 'no one need restart it')
    t.ok(log.some((line) => line.includes('ECONNREFUSED')), 'the operator reads why')
    await database!.restore()
    t.equal((await call()).status, 200)
    await until(async () => (await ready()).status === 200)
  })

  await t.test('Valkey', async (t) => {
    const call = ({ app }: Replica) => modern(app, key, 'tools/list').then(({ status }) => status)
    t.same([await call(first), await call(second)], [200, 200])
    const session = await handshake(app, key)
    await valkey.refuse()
    t.same([await call(first), await call(first), await call(first)], [200, 200, 200], 'it counts for itself, from none')
    t.match(await ready(), { status: 200, checks: { valkey: /^away/ } }, 'and serves')
    const lost = await app.inject({
      url: '/mcp',
      headers: { host: 'localhost', authorization: `Bearer ${key}`, accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': 'c-x:1' }
    })
    t.match([lost.statusCode, lost.headers['retry-after'], lost.json()], [503, '1', { error: { code: 503 } }], 'a lost stream may be taken up later')
    t.same([await call(second), await call(second)], [200, 429], 'the others count on together')
    await valkey.restore()
    await until(async () => (await ready()).checks['valkey'] === 'ok')
    t.equal(await call(first), 429, 'together again')
    t.same(log.map((line) => JSON.parse(line).msg).filter((said: string) => said.startsWith('Valkey')),
      ['Valkey is away: this replica counts limits for itself', 'Valkey is back: the replicas count limits together again'])
  })
})

t.test('a database that is older than the program is not ready', async (t) => {
  const { app, db } = await build(t)
  t.equal((await app.inject({ url: '/livez' })).statusCode, 200)
  t.equal((await app.inject({ url: '/readyz' })).statusCode, 200)
  await db.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
  await until(async () => (await app.inject({ url: '/readyz' })).statusCode === 503)
  t.match((await app.inject({ url: '/readyz' })).json(), { checks: { migrations: 'behind' } })
})
