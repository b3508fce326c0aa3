// Three replicas of the product, each request to another one: limits, sessions, what changes, who may see it.
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { handshake, legacy, modern } from '../helpers/build.js'
import { NO_SERVICES, replicas } from '../helpers/replicas.js'
import { session, wireTo } from '../helpers/wire.js'

t.test('three replicas', { skip: NO_SERVICES }, async (t) => {
  const { key, narrow, apps, all, backend } = await replicas(t, {
    failedAuthPerMinute: '6', trustProxy: '1', rateLimitReadWritePerMinute: '10000', rateLimitReadWritePerDay: '120'
  })
  const urls = await Promise.all(apps.map(async (app) => `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`))
  const clients = (t: Test, key: string) => urls.map((url) => wireTo(t, url, key))
  const each = (ask: (app: typeof apps[0]) => Promise<{ status: number }>) => Promise.all(apps.map(async (app) => (await ask(app)).status))
  const newKey = (scope: 'read' | 'read_write') => backend.credentials.createKey({ user: narrow.user, name: scope, scope })
  const { workspaces: [workspace = ''] } = (await backend.credentials.refresh({ credential: narrow }))!
  const { items: [exploration] } = await backend.store.explorations.list(workspace, { limit: 1 })
  const uri = `service://exploration/${exploration!.id}`
  const retitle = async (by: number) => {
    const none = { status: 'ready', tags: [], summaries: [], questions: [], created_at: '2026-01-01T00:00:00.000Z' }
    const line = { type: 'exploration', id: exploration!.id, workspace_id: workspace, title: `Title ${by}`, ...none, updated_at: new Date().toISOString() }
    await all[by]!.backend.importRecords(Readable.from([Buffer.from(JSON.stringify(line))]))
  }

  await t.test('120 means 120 over three, of the minute and of the day', async (t) => {
    for (const scope of ['read', 'read_write'] as const) {
      const { key } = await newKey(scope)
      const statuses = await Promise.all(Array.from({ length: 150 }, async (_, n) => (await modern(apps[n % 3]!, key, 'tools/list')).status))
      t.same([200, 429].map((status) => statuses.filter((other) => other === status).length), [120, 30], scope)
    }
  })

  await t.test('guesses are counted together', async (t) => {
    // Guesses of other tests are counted in the same Valkey.
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    const statuses: number[] = []
    for (let n = 0; n < 9; n++) statuses.push((await modern(apps[n % 3]!, 'svc_key_wrong', 'tools/list', {}, headers)).status)
    t.same(statuses, [401, 401, 401, 401, 401, 401, 429, 429, 429])
  })

  await t.test('a session lives and ends on all', async (t) => {
    const id = await handshake(apps[0], key)
    t.same(await each((app) => legacy(app, key, id, 'tools/call', { name: 'list_workspaces', arguments: {} })), [200, 200, 200])
    const headers = { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': id }
    t.equal((await apps[2].inject({ method: 'DELETE', url: '/mcp', headers })).statusCode, 204)
    t.same(await each((app) => legacy(app, key, id, 'tools/list')), [404, 404, 404])
  })

  await t.test('handshake on one, subscription on another, stream on the third, fed by a change through any; and taken up elsewhere; subscriptions/listen too', async (t) => {
    const [a, b, c] = clients(t, narrow.key)
    const headers = await session(a!)
    t.strictSame((await (await b!.post({ id: 1, method: 'resources/subscribe', params: { uri } }, headers)).message())?.result, {})
    const listening = await b!.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
    await listening.message()
    const stream = await c!.get(headers)
    const { id } = (await stream.next()).value!
    await retitle(0)
    t.equal((await listening.message())?.params?.['uri'], uri)
    t.strictSame(await stream.message(), { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })

    const back = await a!.get({ ...headers, 'last-event-id': id! })
    t.equal((await back.message())?.params?.['uri'], uri, 'what was missed, on another replica')
    // A change may be told again: of what is before the oldest transaction that is open on the database server, in any of its databases.
    const told = await stream.rest()
    t.ok(told.every(({ message }) => message?.params?.['uri'] === uri), 'the stream that it had before is over')
    await retitle(1)
    t.equal((await back.message())?.params?.['uri'], uri)
  })

  await t.test('a revoked key fails on the next call everywhere, and its streams end', async (t) => {
    const { id, key } = await newKey('read')
    const streams = await Promise.all(clients(t, key).map((client) => client.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } })))
    for (const stream of streams) await stream.message()
    await all[1]!.backend.credentials.revoke('api_key', id)
    t.same(await each((app) => modern(app, key, 'tools/list')), [401, 401, 401])
    await Promise.all(streams.map((stream) => stream.rest()))
  })

  await t.test('a lost membership counts at the next call everywhere, and ends the streams of that user', async (t) => {
    const read = () => each((app) => modern(app, narrow.key, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: exploration!.id } }))
    t.same(await read(), [200, 200, 200])
    const [a, b, c] = clients(t, narrow.key)
    const streams = [
      await a!.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }),
      await b!.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }),
      await c!.get(await session(a!))
    ]
    for (const stream of streams) await stream.next()
    await backend.directory.removeMember({ user: narrow.user, workspace })
    t.same(await read(), [403, 403, 403])
    const [, listening, ofSession] = await Promise.all(streams.map((stream) => stream.rest()))
    t.match(listening!.map(({ message }) => message?.method ?? 'result'), ['notifications/resources/list_changed', 'notifications/cancelled', 'result'])
    t.match(ofSession!.map(({ message, retry }) => message?.method ?? retry), ['notifications/resources/list_changed', 1000])
  })
})
