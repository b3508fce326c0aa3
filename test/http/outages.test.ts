// The database, or Valkey, is away, and comes back: what clients, balancers and operators are told.
import t, { type Test } from 'tap'
import { build, handshake, legacy, modern } from '../helpers/build.js'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { NO_SERVICES, replicas, type Replica } from '../helpers/replicas.js'
import { until } from '../helpers/until.js'
import { VALKEY } from '../helpers/valkey.js'

const test = (name: string, run: (t: Test) => Promise<void>) => t.test(name, { skip: NO_SERVICES }, run)

const ready = async ({ app }: Pick<Replica, 'app'>) => {
  const { statusCode: status, headers, body } = await app.inject({ url: '/readyz' })
  const { checks } = JSON.parse(body) as { checks: Record<string, unknown> }
  return { status, after: headers['retry-after'], checks }
}

interface Refused { id: number, error: { code: number, message: string, data: object } }

test('the database', async (t) => {
  let proxy: Awaited<ReturnType<typeof tcpProxy>> | undefined
  const { all: [first], key } = await replicas(t, {}, { database: async (url) => (proxy = await tcpProxy(t, url)).url })
  const { app, log } = first!
  const call = () => modern<Refused>(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  const session = await handshake(app, key)
  t.match(await ready(first!), {
    status: 200, checks: { database: 'ok', migrations: 'ok', valkey: 'ok', draining: false }
  })

  proxy!.cut()
  t.equal((await call()).status, 200, 'connections that broke are made again')
  await proxy!.refuse()
  const refused = await call()
  t.match(refused, {
    status: 503,
    headers: { 'retry-after': '1' },
    body: { error: { code: 503, data: { retry_after_seconds: 1, spec: {} } } }
  })
  t.notMatch(refused.text, /ECONN|postgres|127\.0/, 'nothing from inside')
  t.match(await legacy(app, key, session, 'tools/list'), { status: 503, headers: { 'retry-after': '1' } })
  const token = await app.inject({
    method: 'POST',
    url: '/api/v1/device/token',
    headers: { host: 'localhost' },
    payload: { device_code: 'x', grant_type: GRANT }
  })
  t.match([token.statusCode, token.headers['retry-after'], token.json()], [503, '1', { error: 'temporarily_unavailable' }])
  // What was found is answered for a moment.
  await until(async () => (await ready(first!)).status === 503)
  t.match(await ready(first!), { status: 503, after: '1', checks: { database: 'away', migrations: 'unknown' } })
  t.equal((await app.inject({ url: '/livez' })).statusCode, 200, 'no one need restart it')
  t.ok(log.some((line) => line.includes('ECONNREFUSED')), 'the operator reads why')
  await proxy!.restore()
  t.equal((await call()).status, 200)
  await until(async () => (await ready(first!)).status === 200)
})

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

test('Valkey', async (t) => {
  const proxy = await tcpProxy(t, VALKEY!)
  const { all, key } = await replicas(t, { rateLimitReadPerMinute: '4' }, { valkey: proxy.url })
  const [first, second] = all as [Replica, Replica, Replica]
  const call = ({ app }: Replica) => modern(app, key, 'tools/list').then(({ status }) => status)
  t.same([await call(first), await call(second)], [200, 200])
  const session = await handshake(first.app, key)
  await proxy.refuse()
  t.same([await call(first), await call(first), await call(first)], [200, 200, 200], 'it counts for itself, from none')
  t.match(await ready(first), { status: 200, checks: { valkey: /^away/ } }, 'and serves')
  const lost = await first.app.inject({
    url: '/mcp',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
      'last-event-id': 'c-x:1'
    }
  })
  t.match(
    [lost.statusCode, lost.headers['retry-after'], lost.json()],
    [503, '1', { error: { code: 503 } }],
    'a lost stream may be taken up later'
  )
  t.same([await call(second), await call(second)], [200, 429], 'the others count on together')
  await proxy.restore()
  await until(async () => (await ready(first)).checks['valkey'] === 'ok')
  t.equal(await call(first), 429, 'together again')
  t.same(first.log.map((line) => JSON.parse(line).msg).filter((said: string) => said.startsWith('Valkey')),
    ['Valkey is away: this replica counts limits for itself', 'Valkey is back: the replicas count limits together again'])
})

t.test('a database that is older than the program is not ready', async (t) => {
  const { app, db } = await build(t)
  t.equal((await app.inject({ url: '/livez' })).statusCode, 200)
  t.equal((await app.inject({ url: '/readyz' })).statusCode, 200)
  await db.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
  await until(async () => (await app.inject({ url: '/readyz' })).statusCode === 503)
  t.match((await app.inject({ url: '/readyz' })).json(), { checks: { migrations: 'behind' } })
})
