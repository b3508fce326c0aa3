// Three replicas of the product, each request to another one: limits, sessions, what changes, who may see it.
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { handshake, legacy, modern } from '../helpers/build.js'
import { NO_SERVICES, replicas, type Replicas } from '../helpers/replicas.js'
import { session, wire } from '../helpers/wire.js'

const test = (name: string, run: (t: Test) => Promise<void>) => t.test(name, { skip: NO_SERVICES }, run)

test('120 means 120 over three, of the minute and of the day', async (t) => {
  const statuses = async (flags: Record<string, string>) => {
    const { key, apps } = await replicas(t, flags)
    const all = await Promise.all(Array.from({ length: 150 }, async (_, n) => (await modern(apps[n % 3]!, key, 'tools/list')).status))
    return [200, 429].map((status) => all.filter((other) => other === status).length)
  }
  t.same(await statuses({}), [120, 30])
  t.same(await statuses({ rateLimitReadPerMinute: '10000', rateLimitReadPerDay: '120' }), [120, 30])
})

test('guesses are counted together', async (t) => {
  const { apps } = await replicas(t, { failedAuthPerMinute: '6', trustProxy: '1' })
  // Guesses of other tests are counted in the same Valkey.
  const headers = { 'x-forwarded-for': '203.0.113.77' }
  const statuses: number[] = []
  for (let n = 0; n < 9; n++) statuses.push((await modern(apps[n % 3]!, 'svc_key_wrong', 'tools/list', {}, headers)).status)
  t.same(statuses, [401, 401, 401, 401, 401, 401, 429, 429, 429])
})

test('a session lives and ends on all', async (t) => {
  const { key, apps: [a, b, c] } = await replicas(t)
  const id = await handshake(a, key)
  t.equal((await legacy(b, key, id, 'tools/list')).status, 200)
  t.equal((await legacy(c, key, id, 'tools/call', { name: 'list_workspaces', arguments: {} })).status, 200)
  const ended = await c.inject({
    method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': id }
  })
  t.equal(ended.statusCode, 204)
  for (const app of [a, b, c]) t.equal((await legacy(app, key, id, 'tools/list')).status, 404)
})

const seenBy = async ({ backend, narrow }: Replicas) => {
  const now = await backend.credentials.refresh({ credential: narrow })
  const [workspace] = now!.workspaces
  const { items: [exploration] } = await backend.store.explorations.list(workspace!, { limit: 1 })
  return { workspace: workspace!, exploration: exploration! }
}

const retitle = async ({ all }: Replicas, by: number, exploration: { id: string, workspace_id: string, title: string }) => {
  const none = { status: 'ready', tags: [], summaries: [], questions: [], created_at: '2026-01-01T00:00:00.000Z' }
  const { id, workspace_id: of, title } = exploration
  const line = { type: 'exploration', id, workspace_id: of, title: `${title}!`, ...none, updated_at: new Date().toISOString() }
  await all[by]!.backend.importRecords(Readable.from([Buffer.from(JSON.stringify(line))]), () => {})
}

test('handshake on one, subscription on another, stream on the third, fed by a change through any; and taken up elsewhere; subscriptions/listen too', async (t) => {
  const cluster = await replicas(t)
  const { exploration } = await seenBy(cluster)
  const uri = `service://exploration/${exploration.id}`
  const [a, b, c] = await Promise.all(cluster.apps.map((app) => wire(t, app, cluster.narrow.key)))
  const headers = await session(a!)
  t.strictSame((await (await b!.post({ id: 1, method: 'resources/subscribe', params: { uri } }, headers)).message())?.result, {})
  const listening = await b!.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
  await listening.message()
  const stream = await c!.get(headers)
  const { id } = (await stream.next()).value!
  await retitle(cluster, 0, exploration)
  t.equal((await listening.message())?.params?.['uri'], uri)
  t.strictSame(await stream.message(), { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })

  const back = await a!.get({ ...headers, 'last-event-id': id! })
  t.equal((await back.message())?.params?.['uri'], uri, 'what was missed, on another replica')
  // A change may be told again: of what is before the oldest transaction that is open on the database server, in any of its databases.
  const told = await stream.rest()
  t.ok(told.every(({ message }) => message?.params?.['uri'] === uri), 'the stream that it had before is over')
  await retitle(cluster, 1, exploration)
  t.equal((await back.message())?.params?.['uri'], uri)
})

test('a revoked key fails on the next call everywhere, and its streams end', async (t) => {
  const { narrow, apps, all } = await replicas(t)
  const clients = await Promise.all(apps.map((app) => wire(t, app, narrow.key)))
  const streams = await Promise.all(clients.map((client) => client.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } })))
  for (const stream of streams) await stream.message()
  await all[1]!.backend.credentials.revoke('api_key', narrow.id)
  for (const app of apps) t.equal((await modern(app, narrow.key, 'tools/list')).status, 401)
  await Promise.all(streams.map((stream) => stream.rest()))
})

test('a lost membership counts at the next call everywhere, and ends the streams of that user', async (t) => {
  const cluster = await replicas(t)
  const { narrow, apps, backend } = cluster
  const { workspace, exploration } = await seenBy(cluster)
  const read = (app: typeof apps[0]) =>
    modern(app, narrow.key, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: exploration.id } })
  for (const app of apps) t.equal((await read(app)).status, 200)
  const clients = await Promise.all(apps.map((app) => wire(t, app, narrow.key)))
  const streams = [
    await clients[0]!.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [`service://exploration/${exploration.id}`] } }),
    await clients[1]!.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }),
    await clients[2]!.get(await session(clients[0]!))
  ]
  for (const stream of streams) await stream.next()
  await backend.directory.removeMember({ user: narrow.user, workspace })
  for (const app of apps) t.equal((await read(app)).status, 403)
  const rest = await Promise.all(streams.map((stream) => stream.rest()))
  t.match(
    rest[1]!.map(({ message }) => message?.method ?? 'result'),
    ['notifications/resources/list_changed', 'notifications/cancelled', 'result']
  )
  t.match(rest[2]!.map(({ message, retry }) => message?.method ?? retry), ['notifications/resources/list_changed', 1000])
})
