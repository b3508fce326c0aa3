// Fronts without a database before a platform: what agents get through them is what the platform itself gives.
import t from 'tap'
import { sqlDeviceGrants } from '../../../src/db/credentials/sql-device-grants.js'
import { handshake, legacy, modern, post } from '../../helpers/build.js'
import { everywhere, idOf, of, sample, workspaceId } from '../../helpers/planning.js'
import { json, oddPlatform, silent, status } from '../../helpers/odd-platform.js'
import { frontOf, platformServer, TOKEN } from '../../helpers/platform.js'
import { until } from '../../helpers/until.js'
import { shared, VALKEY } from '../../helpers/valkey.js'
import { session, wire } from '../../helpers/wire.js'

const PLANNED = of(sample, 'execution_plan')[0]!.exploration_id
const PACKAGE = of(sample, 'requirement_package')[0]!
// As the platform of these tests has them.
const KEY = 'svc_key_ABCDEFGH'
const HIDDEN = '00000000-0000-4000-8000-000000000000'

const CALLS: Array<[name: string, args: object]> = [
  ['list_workspaces', {}],
  ['list_workspaces', { limit: 1 }],
  ['list_workspaces', { cursor: 'mine' }],
  ['find_explorations', { query: 'payment appointment release' }],
  ['find_explorations', { query: 'payment', workspace_id: everywhere[0], status: ['ready'], limit: 2 }],
  ['find_explorations', { query: 'payment', workspace_id: HIDDEN }],
  ['find_explorations', { query: '\0 \u{1F600} "; --' }],
  ['get_exploration', { exploration_id: PLANNED }],
  ['get_exploration', { exploration_id: PLANNED.toUpperCase(), questions: 'open' }],
  ['get_exploration', { exploration_id: HIDDEN }],
  ['get_exploration', { exploration_id: './' }],
  ['get_requirement_package', { exploration_id: PACKAGE.exploration_id, artifact_type: PACKAGE.artifact_type }],
  ['get_requirement_package', { exploration_id: PACKAGE.exploration_id, artifact_type: 'nothing' }],
  ['get_planning_state', { exploration_id: PLANNED }],
  ['get_planning_full', { exploration_id: PLANNED }],
  ['get_planning_full', { exploration_id: PLANNED, limit: 2 }],
  ['get_planning_state', { exploration_id: HIDDEN }],
  ['get_recommendations', { exploration_id: PLANNED }]
]

const READS = [
  'service://workspaces', `service://workspace/${everywhere[0]}/explorations`, `service://exploration/${PLANNED}`,
  `service://exploration/${PACKAGE.exploration_id}/artifact/${PACKAGE.artifact_type}`, `service://exploration/${HIDDEN}`
]

interface Body { result?: { contents?: Array<{ mimeType: string, text: string }> } }

/** In whatever order its fields come. */
const plain = ({ status, body: { result, ...body } }: { status: number, body: Body }) => ({
  status,
  ...body,
  ...result,
  contents: result?.contents?.map((one) => ({
    ...one, text: one.mimeType === 'application/json' ? JSON.parse(one.text) : one.text
  }))
})

const platform = await platformServer(t)
const [one, two] = [await frontOf(t, platform.url), await frontOf(t, platform.url)]
const [widest] = (await platform.people.listUsers()).sort((a, b) => b.memberships - a.memberships)
const shortLived = () => platform.credentials.createKey({ user: widest!.id, name: 'short', scope: 'read' })

t.test('every tool and every resource, for those who see all and for those who see less', async (t) => {
  for (const key of [platform.key, platform.narrowKey]) {
    const both = async (method: string, params: Record<string, unknown>) => {
      const [here, there] = [await modern<Body>(one.app, key, method, params), await modern<Body>(platform.app, key, method, params)]
      t.strictSame(plain(here), plain(there), `${method} ${JSON.stringify(params)}`)
    }
    // What the other sees is less: of each kind of answer one.
    for (const [name, args] of key === platform.key ? CALLS : CALLS.filter((_, n) => n % 3 === 0)) await both('tools/call', { name, arguments: args })
    for (const uri of READS) await both('resources/read', { uri })
    await both('resources/list', {})
    for (const [variable, template, value] of [
      ['workspaceId', 'service://workspace/{workspaceId}/explorations', workspaceId('tillpoint').slice(0, 3)],
      ['explorationId', 'service://exploration/{explorationId}', PLANNED.slice(0, 2)],
      ['artifactType', 'service://exploration/{explorationId}/artifact/{artifactType}', 'd']
    ] as const) {
      await both('completion/complete', {
        ref: { type: 'ref/resource', uri: template }, argument: { name: variable, value }
      })
    }
  }
  const { audit } = platform
  const events = await audit.list({ limit: 1000 })
  const calls = events.filter(({ action, outcome }) => action === 'tools/call get_exploration' && outcome === 'ok')
  t.equal(calls.length, 2 * 2, 'each call of the front and of the platform, by who sees it, is on record')
  t.match(calls[0], { user_id: String, credential_kind: 'api_key', exploration_id: PLANNED, client: 'test/1', remote_address: '127.0.0.1' })
})

t.test('what is revoked or taken away counts at the next call, and a refusal is on record', async (t) => {
  const { id, key } = await shortLived()
  const read = (app: typeof one.app) =>
    modern<{ result?: { isError?: boolean }, error?: object }>(app, key, 'tools/call', {
      name: 'get_exploration', arguments: { exploration_id: PLANNED }
    })
  t.same([(await read(one.app)).body.result?.isError, (await read(two.app)).body.result?.isError], [undefined, undefined])
  const workspace = of(sample, 'exploration').find((one) => one.id === PLANNED)!.workspace_id
  await platform.people.removeMember({ user: widest!.id, workspace })
  for (const { app } of [one, two]) {
    t.match(await read(app), { status: 403, body: { error: { code: 403, message: /can add a member/ } } })
  }
  t.match(await platform.audit.list({ limit: 9, outcome: 'forbidden', credential: id }), [{ workspace_id: workspace }, { exploration_id: PLANNED }])
  await platform.people.addMember({ user: widest!.id, workspace, role: 'viewer' })
  t.same([(await read(one.app)).status, (await read(two.app)).status], [200, 200])
  await platform.credentials.revoke('api_key', id)
  t.same([(await read(one.app)).status, (await read(two.app)).status], [401, 401])
  t.match(await modern(one.app, key.slice(0, -1), 'tools/list'), {
    status: 401, body: { error: { data: { reason: 'mistyped' } } }
  })
  // A refusal does not wait for its record.
  const recorded = () => platform.audit.list({ outcome: 'unauthorized', limit: 5 })
  await until(async () => (await recorded()).length >= 3)
  t.strictSame(
    (await recorded()).map(({ action }) => action).sort(),
    ['refused invalid', 'refused invalid', 'refused mistyped'],
    'from both fronts'
  )
})

t.test('a session lives and ends on all fronts, and they know what it asked for', async (t) => {
  const id = await handshake(one.app, platform.key)
  t.equal((await legacy(two.app, platform.key, id, 'tools/list')).status, 200)
  t.equal((await legacy(two.app, platform.key, id, 'resources/subscribe', { uri: 'service://workspaces' })).status, 200)
  t.equal((await legacy(one.app, platform.key, id, 'logging/setLevel', { level: 'error' })).status, 200)
  t.equal((await legacy(one.app, platform.key, id, 'resources/unsubscribe', { uri: 'service://workspaces' })).status, 200)
  t.same(await platform.db.query('select log_level, subscriptions from session_notes'), [{
    log_level: 'error', subscriptions: []
  }])
  const headers = { host: 'localhost', authorization: `Bearer ${platform.key}`, 'mcp-session-id': id }
  const ended = await two.app.inject({ method: 'DELETE', url: '/mcp', headers })
  t.equal(ended.statusCode, 204)
  for (const { app } of [one, two]) t.equal((await legacy(app, platform.key, id, 'tools/list')).status, 404)
  t.same(await platform.db.query('select 1 from session_notes'), [])
})

t.test('streams: what changes is heard through a front, and a revoked key ends them', async (t) => {
  const { id, key } = await shortLived()
  const client = await wire(t, one.app, key)
  const uri = `service://exploration/${PLANNED}`
  const listening = await client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
  await listening.message()
  const headers = await session(client)
  await (await client.post({ id: 1, method: 'resources/subscribe', params: { uri } }, headers)).message()
  const stream = await client.get(headers)
  await stream.next()
  await platform.db.query('update explorations set title = title || \'!\', updated_at = now() where id = $1', [PLANNED])
  t.equal((await listening.message())?.params?.['uri'], uri)
  // What was changed before may be told of now.
  let told = await stream.message()
  while (told?.method === 'notifications/resources/list_changed') told = await stream.message()
  t.equal(told?.params?.['uri'], uri)
  await platform.credentials.revoke('api_key', id)
  await Promise.all([listening.rest(), stream.rest()])
  t.equal((await client.get({})).status, 401)
})

t.test('fronts count limits together, and take up each other\'s streams', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const fronts = await Promise.all([0, 1, 2].map(async () => await frontOf(t, platform.url, {}, await shared(t))))
  const statuses = await Promise.all(Array.from({ length: 150 }, async (_, n) => (await modern(fronts[n % 3]!.app, platform.key, 'tools/list')).status))
  t.same([200, 429].map((status) => statuses.filter((other) => other === status).length), [120, 30])

  const [one, two] = await Promise.all(fronts.map(({ app }) => wire(t, app, platform.narrowKey)))
  const headers = await session(one!)
  const stream = await one!.get(headers)
  const { id } = (await stream.next()).value!
  const back = await two!.get({ ...headers, 'last-event-id': id! })
  t.equal(back.status, 200)
  t.strictSame(await stream.rest(), [], 'the stream that it had before is over')
})

t.test('the holder of a credential asks whose it is and ends it; a tool gets a token', async (t) => {
  const { app } = one
  for (const url of ['/api/v1/platform', '/api/v1/openapi.json']) {
    t.equal((await app.inject({ url, headers: { host: 'localhost' } })).statusCode, 404, 'a front has no endpoints for fronts')
  }
  const headers = { host: 'localhost', authorization: `Bearer ${platform.narrowKey}` }
  t.match((await app.inject({ url: '/api/v1/token', headers })).json(), { kind: 'api_key', scope: 'read' })
  const form = async (url: string, payload: object) => (await app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload })).json()
  t.strictSame(await form('/api/v1/revoke', { token: platform.narrowKey }), {})
  t.equal((await modern(app, platform.narrowKey, 'tools/list')).status, 401)

  const { device_code: code, user_code: shown } = await form('/api/v1/device/authorization', {
    client_id: 'x', name: 'laptop'
  })
  const poll = () =>
    form('/api/v1/device/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, client_id: 'x'
    })
  t.match(await poll(), { error: 'authorization_pending' })
  const [user] = await platform.people.listUsers()
  await sqlDeviceGrants(platform.db).approve(shown, user!.email)
  await platform.db.query("update device_grants set polled_at = now() - interval '1 hour'")
  const { access_token: token } = await poll()
  t.equal((await modern(app, token, 'tools/list')).status, 200)
})

t.test('a platform that is away: 503 with Retry-After in both eras, and on the way back', async (t) => {
  const odd = await oddPlatform(t, status(500))
  const { app, log } = await frontOf(t, odd.url)
  const ready = async () => {
    const reply = await app.inject('/readyz')
    return [reply.statusCode, reply.json().checks.platform, reply.json().checks.database]
  }
  await odd.down()
  for (const [name, args] of CALLS.slice(0, 3)) {
    t.match(await modern(app, KEY, 'tools/call', { name, arguments: args }),
      { status: 503, headers: { 'retry-after': '1' }, body: { error: { code: 503, data: { retry_after_seconds: 1 } } } })
  }
  t.match(await post(app, KEY, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }), {
    status: 503, headers: { 'retry-after': '1' }
  })
  t.same(await ready(), [503, 'away', 'not used'])
  t.match((await app.inject({ url: '/api/v1/token', headers: { host: 'localhost', authorization: `Bearer ${KEY}` } })).statusCode, 503)
  t.equal((await app.inject('/livez')).statusCode, 200)
  t.ok(log.some((line) => line.includes('the platform is away') && line.includes('ECONNREFUSED')), 'the operator reads why, once')
  await odd.up()
  odd.next(json({ name: 'x', version: '1' }))
  // What was found is answered for a moment.
  await until(async () => (await ready())[0] === 200)
  t.same(await ready(), [200, 'ok', 'not used'])
})

t.test('one that answers nonsense in the middle of a call, or does not keep its audit event: no answer, and nothing of it', async (t) => {
  const principal = {
    credential: { id: HIDDEN, kind: 'api_key', name: 'x', scope: 'read', expires_at: null },
    user: { id: HIDDEN, email: 'a@example.com', name: 'A' },
    workspaces: [everywhere[0]]
  }
  const odd = await oddPlatform(t, json({ principal }))
  const { app, log } = await frontOf(t, odd.url, { platformTimeoutMs: '2000' })
  const call = () => modern<{ error?: { data: { request_id: string } } }>(app, KEY, 'tools/call', { name: 'list_workspaces', arguments: {} })
  odd.next(json({ principal }), json({ workspaces: 'hunter2' }), json({ kept: 1 }))
  const broken = await call()
  t.match(broken, { status: 500, body: { error: { code: -32603, data: { request_id: String } } } })
  t.notMatch(broken.text, /hunter2|workspaces must/)
  t.ok(
    log.some((line) => line.includes(broken.body.error!.data.request_id) && line.includes('listWorkspaces was answered with what is no WorkspacePage'))
  )

  odd.next(json({ principal }), json({ workspaces: [] }), status(500))
  t.match(await call(), { status: 503 }, 'a call whose event is not kept is not answered')
  odd.next(json({ principal }), silent)
  t.match(await call(), { status: 503 })
  odd.next(json({ principal }), json({ workspaces: [] }), json({ kept: 1 }))
  while ((await call()).status !== 200) odd.next(json({ principal }), json({ workspaces: [] }), json({ kept: 1 }))
  t.equal((await modern(app, KEY, 'tools/list')).status, 500, 'a credential that is neither known nor refused lets no one in')
})

t.test('an event that comes twice is kept once', async (t) => {
  const { app, audit } = platform
  const id = '33333333-3333-4333-8333-333333333333'
  const event = { id, action: 'tools/call once', outcome: 'ok', duration_ms: 1, request_id: 'r', remote_address: '::1' }
  const send = (events: object[]) => app.inject({
    method: 'POST',
    url: '/api/v1/audit-events',
    headers: { host: 'localhost', authorization: `Bearer ${TOKEN}` },
    payload: { events }
  })
  t.same((await send([event, event])).json(), { kept: 2 })
  t.match((await send([{ ...event, id: idOf('Pay'), client: '\ud800' }])).json(), { status: 400, detail: /surrogate/ })
  t.same((await send([event, { ...event, id: idOf('Pay') }])).json(), { kept: 2 })
  t.equal((await audit.list({ action: 'tools/call once', limit: 10 })).length, 2)
})
