// Administrators: workspaces, people, service accounts, all credentials, imports and the state of the server.
import t from 'tap'
import { randomUUID } from 'node:crypto'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { modern } from '../../helpers/build.js'
import { webServer } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

type Workspace = ResponseOf<Operations['POST /workspaces']>
type Person = ResponseOf<Operations['POST /people']>
type ServiceAccount = ResponseOf<Operations['POST /service-accounts']>
type Credentials = ResponseOf<Operations['GET /admin/credentials']>
type Created = ResponseOf<Operations['POST /keys']>
type Status = ResponseOf<Operations['GET /admin/status']>

const HARBOUR = 'ad79e1c2-2d5f-81f2-ae15-a658e0b7eadd'

const server = await webServer(t)
const { backend, app, db } = server
const boss = await server.boss()
const { browser: admin } = boss
const narrow = await server.signIn(server.narrow.id)

t.test('a workspace is made, renamed and has members', async (t) => {
  const { status, body } = await admin.call<Workspace>('POST', '/workspaces', { slug: 'new-one', name: 'New one', description: 'd' })
  t.equal(status, 201)
  t.match(body, { slug: 'new-one', name: 'New one', archived_at: null, exploration_count: 0, member_count: 1, role: 'admin', may_administer: true })
  t.match(await admin.call('POST', '/workspaces', { slug: 'new-one', name: 'Again' }), { status: 409, body: { detail: /already: choose another/ } })
  t.match(await admin.call('POST', '/workspaces', { slug: 'Not A Slug', name: 'x' }), { status: 400 })
  t.match((await admin.call<Workspace>('PATCH', '/workspaces/new-one', { name: 'Renamed' })).body, { name: 'Renamed', description: 'd' })
  t.match(await admin.call('PATCH', '/workspaces/new-one', {}), { status: 400 })
  t.match(await admin.call('PUT', `/people/${server.narrow.email}/memberships/new-one`, { role: 'admin' }), { status: 200, body: { role: 'admin' } })
  t.match((await narrow.call('GET', '/workspaces/new-one/members')).body, { members: [{ user: { email: boss.email }, role: 'admin' }, { user: { email: server.narrow.email }, role: 'admin' }] })
  t.match(await narrow.call('PUT', '/people/nobody@example.com/memberships/new-one', { role: 'viewer' }), { status: 404, body: { detail: /no one with this address/ } })
  t.match(await narrow.call('DELETE', `/people/${server.wide.id}/memberships/new-one`), { status: 404, body: { detail: /no such member/ } })
  t.match(await narrow.call('DELETE', `/people/${server.narrow.id}/memberships/new-one`), { status: 200 })
  t.match(await narrow.call('GET', '/workspaces/new-one/members'), { status: 404 }, 'at once')
})

t.test('an admin of a workspace cannot try out addresses without end; people who are known by their id are not counted', async (t) => {
  await admin.call('POST', '/workspaces', { slug: 'guessed', name: 'Guessed' })
  const { id, browser } = await server.newPerson('own-workspace', 'guessed', 'admin')
  const put = (who: string) => browser.call('PUT', `/people/${encodeURIComponent(who)}/memberships/guessed`, { role: 'admin' })
  const statuses = []
  for (let n = 0; n < 40; n++) statuses.push((await put(`person-${n}@example.com`)).status)
  t.same([statuses.slice(0, 30), statuses.slice(30)], [Array(30).fill(404), Array(10).fill(429)])
  const refused = await put(server.wide.email)
  t.match(refused, { status: 429, body: { detail: /asked 30 times within a minute. Try again in \d+ seconds/ } })
  t.ok(Number(refused.headers['retry-after']) >= 1)
  t.equal((await put(id)).status, 200)
})

t.test('an archived workspace disappears from pages and tools; nothing of it is deleted', async (t) => {
  const { key } = await backend.credentials.createKey({ user: server.narrow.id, name: 'k', scope: 'read' })
  const tools = async () => {
    const { body } = await modern<{ result: { structuredContent: { workspaces: object[] } } }>(app, key, 'tools/call', { name: 'list_workspaces', arguments: {} })
    return body.result.structuredContent.workspaces.length
  }
  const pages = async () => (await narrow.call<{ explorations: object[] }>('GET', '/explorations')).body.explorations.length
  t.same([await tools(), await pages()], [1, 4])
  const noted = async () => Number((await db.query('select count(*) from changes where workspace_id = $1 and user_id = $2', [HARBOUR, server.narrow.id]))[0]?.['count'])
  const before = await noted()
  t.match((await admin.call<Workspace>('PATCH', '/workspaces/harbour-clinic', { archived: true })).body, { archived_at: String })
  t.same([await tools(), await pages()], [0, 0])
  t.same((await narrow.call<{ workspaces: object[] }>('GET', '/workspaces')).body.workspaces, [])
  t.match(await narrow.call('GET', '/explorations?workspace=harbour-clinic'), { status: 404 })
  t.match(await narrow.call('GET', '/explorations/af783243-3ba1-8ce3-afa0-9b6171a1eaf3'), { status: 404 })
  const slugs = async (query: string) => (await admin.call<{ workspaces: Workspace[] }>('GET', `/workspaces${query}`)).body.workspaces.map(({ slug }) => slug)
  for (const query of ['', '?others=include', '?archived=include']) t.notOk((await slugs(query)).includes('harbour-clinic'), query)
  t.ok((await slugs('?archived=include&others=include')).includes('harbour-clinic'))
  t.equal(await noted(), before + 1, 'streams of members are told')
  t.match((await admin.call<Workspace>('PATCH', `/workspaces/${HARBOUR}`, { archived: false })).body, { archived_at: null, exploration_count: 4 })
  t.same([await tools(), await pages()], [1, 4])
})

t.test('a person is added with memberships, found, renamed, promoted, deactivated at once and deleted', async (t) => {
  const { status, body } = await admin.call<Person>('POST', '/people', { email: 'ann@example.com', name: 'Ann', memberships: [{ workspace: 'kiln', role: 'viewer' }] })
  t.equal(status, 201)
  t.match(body, { email: 'ann@example.com', server_admin: false, deactivated_at: null, memberships: [{ workspace: { slug: 'kiln' }, role: 'viewer' }], credential_count: 0 })
  t.match(await admin.call('POST', '/people', { email: 'ANN@example.com', name: 'Ann' }), { status: 409 })
  t.match(await admin.call('POST', '/people', { email: 'bea@example.com', name: 'Bea', memberships: [{ workspace: 'none', role: 'viewer' }] }), { status: 404 })
  t.match(await admin.call('GET', '/people/bea@example.com'), { status: 404 }, 'no one was added')
  t.match((await admin.call<{ people: Person[] }>('GET', '/people?q=ann')).body.people, [{ email: 'ann@example.com' }])
  const ann = await server.signIn(body.id)
  const { body: { secret } } = await ann.call<Created>('POST', '/keys', { name: 'k', scope: 'read' })
  t.equal((await modern(app, secret, 'tools/list')).status, 200)
  t.match((await admin.call<Person>('PATCH', `/people/${body.id}`, { name: 'Ann B', server_admin: true })).body, { name: 'Ann B', server_admin: true })
  t.equal((await ann.call('GET', '/admin/status')).status, 200, 'at once')
  t.match((await admin.call<Person>('PATCH', `/people/${body.id}`, { server_admin: false, deactivated: true })).body, { server_admin: false, deactivated_at: String })
  t.equal((await ann.call('GET', '/explorations')).status, 401)
  t.equal((await modern(app, secret, 'tools/list')).status, 401)
  t.match((await admin.call<Person>('PATCH', `/people/${body.id}`, { deactivated: false })).body, { deactivated_at: null })
  t.equal((await modern(app, secret, 'tools/list')).status, 200)
  t.match(await admin.call('DELETE', `/people/${body.id}`), { status: 200, body: { id: body.id } })
  t.equal((await modern(app, secret, 'tools/list')).status, 401)
  t.match(await admin.call('GET', `/people/${body.id}`), { status: 404 })
  t.same(await db.query("select action, actor, outcome from audit_events where action like 'web/deletePerson%'"), [{ action: `web/deletePerson ${body.id}`, actor: 'boss@example.com', outcome: 'ok' }])
})

t.test('the last server administrator stays, and none removes themselves', async (t) => {
  for (const [change, detail] of [[{ server_admin: false }, /last server administrator/], [{ deactivated: true }, /yourself/]] as const) {
    t.match(await admin.call('PATCH', `/people/${boss.id}`, change), { status: 409, body: { detail } })
  }
  t.match(await admin.call('DELETE', `/people/${boss.id}`), { status: 409, body: { detail: /yourself/ } })
  await t.rejects(backend.web!.api.people.deletePerson(boss.id), /last server administrator/)
})

t.test('people page by page', async (t) => {
  for (let count = 0; count < 5; count++) await backend.directory.createUser({ email: `page-${count}@example.com`, name: 'P', kind: 'person' })
  const seen = await allPages(admin, '/people?limit=3', ({ people }: { people: Person[] }) => people.map(({ email }) => email))
  t.same(seen, [...new Set(seen)])
  t.equal(seen.length, (await backend.directory.listUsers()).filter(({ kind }) => kind === 'person').length)
})

t.test('a service account has an owner, who makes and rotates its keys', async (t) => {
  const { status, body: bot } = await admin.call<ServiceAccount>('POST', '/service-accounts', { email: 'bot@example.com', name: 'Bot', owner: server.narrow.email })
  t.equal(status, 201)
  t.match(bot, { owner: { email: server.narrow.email }, memberships: [], credential_count: 0 })
  t.match((await narrow.call<{ service_accounts: ServiceAccount[] }>('GET', '/service-accounts')).body.service_accounts, [{ id: bot.id }])
  const { body: key } = await narrow.call<Created>('POST', '/keys', { name: 'ci', scope: 'read', service_account: bot.email })
  t.match(key, { user: { id: bot.id }, created_by: server.narrow.email })
  t.ok((await narrow.call<{ keys: Created[] }>('GET', '/keys')).body.keys.some(({ id }) => id === key.id), 'among own keys')
  t.equal((await narrow.call('POST', `/keys/${key.id}/rotation`)).status, 201)
  const wide = await server.signIn(server.wide.id)
  t.same((await wide.call<{ service_accounts: ServiceAccount[] }>('GET', '/service-accounts')).body.service_accounts, [])
  t.match(await wide.call('POST', '/keys', { name: 'x', scope: 'read', service_account: bot.id }), { status: 404 })
  t.match((await admin.call<ServiceAccount>('PATCH', `/service-accounts/${bot.id}`, { owner: boss.id, name: 'Robot' })).body, { name: 'Robot', owner: { id: boss.id } })
  t.match(await narrow.call('DELETE', `/keys/${key.id}`), { status: 404 }, 'no longer theirs')
  t.match(await admin.call('PATCH', `/people/${bot.id}`, { name: 'x' }), { status: 404 }, 'no person')
})

t.test('all credentials: those unused for a while, of one user; revoked by id', async (t) => {
  const { id } = await backend.credentials.createKey({ user: server.wide.id, name: 'old', scope: 'read' })
  await db.query("update credentials set created_at = now() - interval '40 days' where id = $1", [id])
  const list = async (query: string) => (await admin.call<Credentials>('GET', `/admin/credentials?${query}`)).body.credentials
  t.same((await list('unused_days=30')).map((one) => one.id), [id])
  t.same(await list('unused_days=60'), [])
  t.ok((await list(`user=${server.narrow.email}`)).every(({ user }) => user.id === server.narrow.id))
  t.ok((await list('kind=personal_access_token')).every(({ kind }) => kind === 'personal_access_token'))
  t.match(await admin.call('DELETE', `/admin/credentials/${id}`), { status: 200, body: { state: 'revoked' } })
  t.match(await admin.call('DELETE', `/admin/credentials/${randomUUID()}`), { status: 404 })
})

t.test('an import answers with progress and a summary, or says which line is wrong', async (t) => {
  const lines = ({ text }: { text: string }): Array<Record<string, unknown>> => text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  const send = (body: string) => admin.call('POST', '/imports', body, { 'content-type': 'application/x-ndjson' })
  const good = await send(`${JSON.stringify({ type: 'workspace', id: randomUUID(), slug: 'imported', name: 'I', created_at: '2026-01-01T00:00:00Z' })}\n`)
  t.equal(good.status, 200)
  t.match(lines(good).at(-1), { summary: { total: 1, records: { workspace: { created: 1 } } } })
  const bad = await send('{"type":"workspace"}\n')
  t.match(lines(bad).at(-1), { problem: { status: 422, detail: /Line 1: id is required/ } })
  t.same((await db.query("select outcome from audit_events where action like 'web/importRecords%' order by id")).map(({ outcome }) => outcome), ['ok', 'invalid'])
})

t.test('the state of the server, without secrets', async (t) => {
  const { body, text } = await admin.call<Status>('GET', '/admin/status')
  t.match(body, {
    server: { name: 'exploration-mcp', node: process.version, endpoint: /\/mcp$/ },
    replicas: { count: Number, shared_state: 'none', shared_state_available: true },
    database: { version: String, size_bytes: Number, ready: true },
    records: { workspaces: Number, explorations: 12, people: Number, service_accounts: 1, credentials: Number },
    search_index: { state: String, pending: Number },
    audit: { retention_days: null }
  })
  t.ok(body.database.size_bytes > 0)
  t.notMatch(text, /secret of the tests/)
})
