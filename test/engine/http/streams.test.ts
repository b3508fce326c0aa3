// Streams of the product over real sockets: what changes is heard, and nothing that the caller may not see.
import { Readable } from 'node:stream'
import { tmpdir } from 'node:os'
import t from 'tap'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { eventPositions } from '../../../src/engine/eras/legacy/event-id.js'
import { sessionKey } from '../../../src/engine/eras/legacy/session.js'
import { openStreams } from '../../../src/engine/http/open-streams.js'
import type { Principal } from '../../../src/lib/principal.js'
import { build, type Server } from '../../helpers/build.js'
import { sampleDatabase } from '../../helpers/database.js'
import { session, wire, wireTo, type Message } from '../../helpers/wire.js'
import { meets } from '../../conformance/requirements.js'

const WORKSPACES = 'service://workspaces'
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

interface Seen { workspace: string, exploration: string, artifact: string }

/** An exploration that the narrow user sees, and one that only the other does. */
const explorations = async ({ db, people }: Server): Promise<{ seen: Seen, hidden: Seen, narrow: string }> => {
  const narrow = (await people.listUsers()).sort((one, other) => one.memberships - other.memberships)[0]!.id
  const rows = await db.query<{ exploration_id: string, workspace_id: string, artifact_type: string, visible: boolean }>(
    `select e.id as exploration_id, e.workspace_id, p.artifact_type,
       e.workspace_id in (select workspace_id from memberships where user_id = $1) as visible
     from explorations e join requirement_packages p on p.exploration_id = e.id order by e.id`, [narrow])
  const of = (visible: boolean): Seen => {
    const row = rows.find((row) => row.visible === visible)!
    return { workspace: row.workspace_id, exploration: row.exploration_id, artifact: row.artifact_type }
  }
  return { seen: of(true), hidden: of(false), narrow }
}

const touch = ({ db }: Server, id: string) =>
  db.query('update explorations set title = title || \' (changed)\', updated_at = now() where id = $1', [id])

const LINE = {
  type: 'workspace',
  id: '6f1d6a54-0000-4000-8000-00000000abcd',
  slug: 'new',
  name: 'New',
  created_at: '2026-01-01T00:00:00Z'
}

const importLine = ({ db }: Server, line: object) =>
  importRecords(db, Readable.from([Buffer.from(JSON.stringify(line))]), { spoolDir: tmpdir() })

const db = await sampleDatabase(t)

t.test('legacy: what a session watches is told on the stream of its GET', async (t) => {
  meets('resource-updated', 'resources-changed', 'no-response-on-get', 'resource-uris')
  const server = await build(t, {}, [], db)
  const { seen, hidden, narrow } = await explorations(server)
  const client = await wire(t, server.app, server.narrowKey)
  const headers = await session(client)
  const call = async (method: string, params: object) =>
    (await (await client.post({ id: 1, method, params }, headers)).message())!
  const uri = `service://exploration/${seen.exploration}`

  t.strictSame((await call('resources/subscribe', { uri })).result, {})
  t.match(
    await call('resources/subscribe', { uri: `service://exploration/${hidden.exploration}` }),
    { error: { code: -32002, data: {} } },
    'as if there were none'
  )
  t.equal((await call('resources/subscribe', { uri: `service://workspace/${hidden.workspace}/explorations` })).error?.code, 403)
  t.equal((await call('resources/subscribe', { uri: 'service://nothing' })).error?.code, -32002)
  t.strictSame((await call('resources/subscribe', { uri: WORKSPACES })).result, {})

  const stream = await client.get(headers)
  t.equal(stream.status, 200)
  t.match(stream.headers.get('content-type'), 'text/event-stream')
  t.equal(stream.headers.get('x-accel-buffering'), 'no')
  const primer = (await stream.next()).value!
  t.match(primer, { id: /^l-/, data: '', message: undefined })

  await touch(server, hidden.exploration)
  await touch(server, seen.exploration)
  t.strictSame(await stream.message(), { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }, 'not the hidden one')

  await server.people.addMember({ user: narrow, workspace: hidden.workspace, role: 'viewer' })
  t.strictSame(
    [(await stream.message())?.params?.['uri'], (await stream.message())?.method],
    [WORKSPACES, 'notifications/resources/list_changed']
  )
  stream.close()

  await t.test('a client that comes back hears what it missed', async (t) => {
    const others = await session(client)
    await (await client.post({ id: 1, method: 'resources/subscribe', params: { uri } }, others)).message()
    const witness = await client.get(others)
    await witness.next()
    await touch(server, seen.exploration)
    t.equal((await witness.message())?.params?.['uri'], uri, 'the server has heard of the change')
    witness.close()
    const back = await client.get({ ...headers, 'last-event-id': primer.id! })
    const missed: Message[] = []
    while (missed.length < 3) missed.push((await back.message())!)
    t.strictSame(missed.map(({ params, method }) => params?.['uri'] ?? method), [uri, WORKSPACES, 'notifications/resources/list_changed'])
    t.strictSame((await call('resources/unsubscribe', { uri })).result, {})
    await touch(server, seen.exploration)
    await importLine(server, LINE)
    await server.people.addMember({ user: narrow, workspace: LINE.id, role: 'viewer' })
    t.strictSame((await back.message())?.params?.['uri'], WORKSPACES, 'no longer watched')
  })

  await t.test('a message goes to one stream: the newest', async (t) => {
    meets('one-stream')
    const older = await client.get(headers)
    await older.next()
    const newer = await client.get(headers)
    await newer.next()
    t.strictSame(await older.rest(), [])
    await server.people.removeMember({ user: narrow, workspace: LINE.id })
    const heard = await newer.rest()
    t.equal(heard[0]?.message?.params?.['uri'], WORKSPACES)
    t.match(heard.at(-1), { retry: 1000 }, 'anyone who sees less than before listens again')
  })

  await t.test('a place that this session was not given counts for nothing: the stream starts at now', async (t) => {
    const other = await session(client)
    for (const by of [headers, other]) await (await client.post({ id: 1, method: 'resources/subscribe', params: { uri } }, by)).rest()
    const [stream, place] = primer.id!.split(':')
    const forged = ['l-x:0.0', `${stream}:0.0`, `${stream}:0.0.${place!.split('.').slice(2).join('.')}`, `${primer.id!.slice(0, -2)}AA`,
      `l-${'A'.repeat(16)}:${place}`]
    for (const [lastId, by] of [...forged.map((id) => [id, headers] as const), [primer.id!, other] as const]) {
      const back = await client.get({ ...by, 'last-event-id': lastId })
      t.equal(back.status, 200, lastId)
      t.match((await back.next()).value, { id: /^l-/, data: '' })
      await touch(server, seen.exploration)
      t.equal((await back.message())?.params?.['uri'], uri, 'what comes from now on, and none of the lists that changed before')
      back.close()
    }
  })

  await t.test('a place that is too old: no replay, but the word that all may have changed', async (t) => {
    const old = eventPositions(['a secret of the tests, long enough to be one'], () => Date.now() - 3_600_000)
    const place = old.sign(sessionKey(headers['mcp-session-id']!), 'l-old', '0.0')
    const back = await client.get({ ...headers, 'last-event-id': `l-old:${place}` })
    t.match((await back.next()).value, { id: /^l-/, data: '' })
    t.equal((await back.message())?.method, 'notifications/tools/list_changed')
    t.equal((await back.message())?.method, 'notifications/resources/list_changed')
    t.same([(await back.message())?.params?.['uri'], (await back.message())?.params?.['uri']].sort(), [uri, WORKSPACES])
    await touch(server, seen.exploration)
    t.equal((await back.message())?.params?.['uri'], uri, 'then what comes')
  })

  await t.test('the session is over', async (t) => {
    meets('session-delete')
    const last = await client.get(headers)
    await last.next()
    const ended = await fetch(client.url, {
      method: 'DELETE', headers: { authorization: `Bearer ${server.narrowKey}`, ...headers }
    })
    t.equal(ended.status, 204)
    t.strictSame(await last.rest(), [])
  })

  t.equal((await client.get({})).status, 405, 'without a session')
  t.equal((await client.get({ ...await session(client), accept: 'application/json' })).status, 406)
  t.equal((await client.get({ ...await session(client), 'last-event-id': 'nonsense' })).status, 400)
})

t.test('modern: subscriptions/listen', async (t) => {
  meets('listen-acknowledged', 'listen-only-asked', 'listen-stamped')
  const server = await build(t, {}, [], db)
  const { seen, hidden } = await explorations(server)
  const client = await wire(t, server.app, server.narrowKey)
  const uri = `service://exploration/${seen.exploration}/artifact/${seen.artifact}`

  const stream = await client.modern('subscriptions/listen',
    { notifications: { resourceSubscriptions: [uri, 'service://nothing', `service://exploration/${hidden.exploration}`], promptsListChanged: true } }, 'seven')
  t.strictSame(await stream.message(), {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [SUBSCRIPTION]: 'seven' }, notifications: { resourceSubscriptions: [uri] } }
  }, 'what cannot change, is not there or belongs to others is left out')
  await importLine(server, { ...LINE, id: '6f1d6a54-0000-4000-8000-00000000abce', slug: 'newer' })
  await touch(server, seen.exploration)
  await server.db.query('update requirement_packages set version = version + 1 where exploration_id = any($1)', [[seen.exploration, hidden.exploration]])
  t.strictSame(await stream.message(),
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { _meta: { [SUBSCRIPTION]: 'seven' }, uri } })

  const refusal = (notifications: unknown) => client.modern('subscriptions/listen', { notifications })
  t.equal((await refusal({ resourceSubscriptions: [`service://workspace/${hidden.workspace}/explorations`] })).status, 403)
  for (const wrong of [undefined, [], { toolsListChanged: 1 }, { resourceSubscriptions: 'x' }, { resourceSubscriptions: [1] }]) {
    t.equal((await (await refusal(wrong)).message())?.error?.code, -32602)
  }

  await t.test('the server closes: each listener is told', async (t) => {
    meets('listen-graceful', 'cancelled-teardown')
    const closed = server.app.close()
    const [said, last, ...more] = await stream.rest()
    t.match(said?.message, {
      method: 'notifications/cancelled', params: { requestId: 'seven', _meta: { [SUBSCRIPTION]: 'seven' } }
    })
    t.match(last?.message, { id: 'seven', result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 'seven' } } })
    t.equal(more.length, 0)
    await closed
  })
})

t.test('a stream ends with its credential: revoked, or expired by the clock of the database', async (t) => {
  const server = await build(t, {}, [], db)
  const [user] = await server.people.listUsers()
  const create = () => server.credentials.createKey({ user: user!.id, name: 'short', scope: 'read', expiresIn: 3_600_000 })
  const expire = async (id: string) => {
    await server.db.query("update credentials set expires_at = now() - interval '1 second' where id = $1", [id])
    await server.credentials.markExpired()
  }
  const url = `${await server.app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  for (const end of [(id: string) => server.credentials.revoke('api_key', id), expire]) {
    const { key, id } = await create()
    const client = wireTo(t, url, key)
    const listening = await client.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } })
    await listening.message()
    const got = await client.get(await session(client))
    await got.next()
    await end(id)
    t.equal(await listening.message().catch(() => undefined), undefined)
    t.equal(await got.message().catch(() => undefined), undefined)
    t.equal((await client.get({})).status, 401)
  }
})

t.test('a clock that is ahead ends nothing; what has expired ends', async (t) => {
  const principal: Principal = { credential: { id: 'k', scope: 'read', expires_at: '2030-01-01T00:00:00.000Z' } }
  let now = Date.parse('2029-12-31T23:59:59Z')
  const streams = openStreams(10, () => now)
  let ended = 0
  streams.add(principal, () => { ended++ })
  const asked: string[] = []
  const knowing = (known: Principal | undefined) => async ({ credential: { id } }: Principal) => {
    asked.push(id)
    return known
  }
  await streams.endExpired(knowing(undefined))
  t.same(asked, [], 'no one is asked before its time')
  now += 3_600_000
  await streams.endExpired(knowing(principal))
  t.same([asked, ended], [['k'], 0])
  await streams.endExpired(knowing(undefined))
  t.equal(ended, 1)
})

t.test('streams are bounded by credential', async (t) => {
  const server = await build(t, { streamsPerCredential: '2' }, [], db)
  const client = await wire(t, server.app, server.key)
  const listen = () => client.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } })
  const open = [await listen(), await listen()]
  for (const stream of open) await stream.message()
  const third = await listen()
  t.equal(third.status, 429)
  t.match((await third.message())?.error, { code: 429, data: { scope: 'streams', limit: 2 } })
  t.equal((await client.modern('tools/list')).status, 200, 'calls are served')
  open[0]!.close()
  let again = await listen()
  while (again.status === 429) again = await listen()
  t.equal(again.status, 200, 'once one is closed')
})
