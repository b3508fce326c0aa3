// What a person sees in the pages is what their credentials read, also for a server administrator; and what administrators do: workspaces,
// people, service accounts, all credentials, imports and the state of the server.
import t from 'tap'
import { randomUUID } from 'node:crypto'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { modern } from '../../helpers/build.js'
import { webServer, type Browser, type Person as WebPerson } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
type Workspace = ResponseOf<Operations['POST /workspaces']>
type Person = ResponseOf<Operations['POST /people']>
type ServiceAccount = ResponseOf<Operations['POST /service-accounts']>
type Credentials = ResponseOf<Operations['GET /admin/credentials']>
type Created = ResponseOf<Operations['POST /keys']>
type Status = ResponseOf<Operations['GET /admin/status']>

const QUESTION = 'appointment reminders'
const HARBOUR = 'ad79e1c2-2d5f-81f2-ae15-a658e0b7eadd'

const server = await webServer(t)
const { backend, app, db } = server
const boss = await server.boss()
const { browser: admin } = boss
const narrow = await server.signIn(server.narrow.id)

/** What the pages show: workspaces and explorations of the lists, found ones. */
const shown = async (browser: Browser) => {
  const get = async (path: string) => (await browser.call<any>('GET', path)).body
  return {
    workspaces: (await get('/workspaces')).workspaces.map(({ slug }: any) => slug).sort(),
    found: (await get(`/explorations?q=${QUESTION}&limit=5`)).explorations.map(({ id }: any) => id),
    listed: (await get('/explorations?limit=100')).explorations.filter(({ status }: any) => status !== 'archived').length
  }
}

/** What a key without limits reads. */
const read = async (browser: Browser) => {
  const { body: { secret } } = await browser.call<any>('POST', '/keys', { name: 'k', scope: 'read' })
  const call = async (name: string, args: object) => (await modern<any>(app, secret, 'tools/call', { name, arguments: args })).body.result.structuredContent
  const { workspaces } = await call('list_workspaces', {})
  const { explorations } = await call('find_explorations', { query: QUESTION, limit: 5 })
  return {
    workspaces: workspaces.map(({ slug }: any) => slug).sort(),
    found: explorations.map(({ id }: any) => id),
    listed: workspaces.reduce((sum: number, { exploration_count: count }: any) => sum + count, 0)
  }
}

t.test('the pages of everybody show what a key of theirs reads', async (t) => {
  for (const user of [server.wide.id, server.narrow.id]) {
    const browser = await server.signIn(user)
    const seen = await shown(browser)
    t.ok(seen.listed > 0)
    t.same(seen, await read(browser))
  }
  t.same(await shown(admin), { workspaces: [], found: [], listed: 0 }, 'a server administrator without memberships')
  t.same(await shown(admin), await read(admin))
  t.same((await admin.call('GET', '/tags')).body['tags'], [])
  t.match(await admin.call('GET', '/explorations?workspace=kiln'), { status: 404 })
})

t.test('a credential is for workspaces of its owner only, whatever makes it', async (t) => {
  t.match((await admin.call('GET', '/workspaces?others=include')).body,
    { workspaces: ['harbour-clinic', 'kiln', 'tillpoint'].map((slug) => ({ slug, role: null, may_administer: true })) }, 'an administrator knows their names')
  t.match((await narrow.call('GET', '/workspaces?others=include')).body, { workspaces: [{ slug: 'harbour-clinic' }] })
  const refusal = { status: 404, body: { detail: /"kiln", or boss@example\.com is not a member of it.*An admin of the workspace can add them/ } }
  const limits = { name: 'k', scope: 'read' as const, workspaces: ['kiln'] }
  const device = await backend.devices.request({ name: 'laptop', remote_address: '10.0.0.1' })
  for (const path of ['/keys', '/tokens']) t.match(await admin.call('POST', path, limits), refusal, path)
  t.match(await admin.call('POST', `/devices/${device?.user_code}/approval`, { scope: 'read', workspaces: ['kiln'] }), refusal)
  for (const make of ['createKey', 'createToken'] as const) {
    await t.rejects(backend.credentials[make]({ ...limits, user: boss.email }) as Promise<unknown>, refusal.body.detail)
  }
  // A key of a service account is for the workspaces of the account, not for those of the person who makes it.
  const bot = await backend.directory.createUser({ email: 'bot@example.com', name: 'Bot', kind: 'service_account', owner: boss.id })
  t.match(await admin.call('POST', '/keys', { ...limits, service_account: bot.id }), { status: 404, body: { detail: /bot@example\.com is not a member of it/ } })
  await backend.directory.addMember({ user: bot.id, workspace: 'kiln', role: 'viewer' })
  t.match(await admin.call('POST', '/keys', { ...limits, service_account: bot.id }), { status: 201, body: { workspaces: [{ slug: 'kiln' }] } })
})

t.test('a server administrator joins a workspace; a key that outlives the membership is rotated with its limits', async (t) => {
  const membership = `/people/${boss.id}/memberships/kiln`
  t.match(await admin.call('PUT', membership, { role: 'admin' }), { status: 200, body: { role: 'admin' } })
  t.same(await db.query("select action, outcome, actor from audit_events where action like 'web/setMembership%'"),
    [{ action: `web/setMembership ${boss.id} admin`, outcome: 'ok', actor: 'boss@example.com' }])
  const seen = await shown(admin)
  t.same(seen.workspaces, ['kiln'])
  t.ok(seen.listed > 0)
  t.same(seen, await read(admin))
  const { body: key } = await admin.call<any>('POST', '/keys', { name: 'k', scope: 'read', workspaces: ['kiln'] })
  t.equal((await admin.call('DELETE', membership)).status, 200)
  t.match(await admin.call('POST', `/keys/${key.id}/rotation`), { status: 201, body: { workspaces: [{ slug: 'kiln' }] } })
})

t.test('agents read only, unless an admin of the workspace decides otherwise: it says who gains by it, and is on record', async (t) => {
  const [manager, editor, viewer] = [
    await server.newPerson('kiln-admin', 'kiln', 'admin'), await server.newPerson('kiln-editor', 'kiln', 'editor'), await server.newPerson('kiln-viewer', 'kiln')
  ]
  const outsider = await server.newPerson('outsider')
  const key = (user: WebPerson, name: string, scope: 'read' | 'read_write' | 'admin', more = {}) =>
    backend.credentials.createKey({ user: user.id, name, scope, ...more })
  await key(editor, 'editor writes', 'read_write')
  await key(editor, 'editor reads', 'read')
  await key(editor, 'editor writes in kiln', 'admin', { workspaces: ['kiln'] })
  await key(viewer, 'viewer writes', 'read_write')
  await key(outsider, 'outsider writes', 'admin')
  await key(manager, 'expired', 'admin', { expiresIn: -1000 })
  await backend.credentials.revoke('api_key', (await key(manager, 'revoked', 'admin')).id)
  await backend.credentials.createToken({ user: manager.id, name: 'laptop\u202e' })
  await db.query(`
    insert into credentials (id, kind, name, user_id, scope, hint, expires_at, client_id, client_kind, client_host, resource)
    values (gen_random_uuid(), 'connection', 'Claude', $1, 'read_write', 'svc_at_', now() + interval '1 day', 'c', 'document', 'claude.ai', 'r')`,
  [editor.id])
  const gains = [
    ['personal_access_token', 'laptop\\u202e', manager.email], ['connection', 'claude.ai (Claude)', editor.email],
    ['api_key', 'editor writes', editor.email], ['api_key', 'editor writes in kiln', editor.email]
  ]
  const written = (list: any[] = []) => list.map(({ kind, name, owner }) => [kind, name, owner]).filter(([, , owner]) => owner.startsWith('kiln'))
  const set = ({ browser }: WebPerson, body: object) => browser.call<any>('PATCH', '/workspaces/kiln', body)

  t.match((await manager.browser.call('GET', '/workspaces')).body, { workspaces: [{ slug: 'kiln', agents: 'read' }] })
  t.match(await set(manager, { agents: 'write' }), { status: 400 })
  for (const [who, agents] of [[manager, 'report'], [manager, 'read'], [boss, 'propose']] as const) {
    t.match(await set(who, { agents }), { status: 200, body: { slug: 'kiln', agents } })
  }
  t.match(await set(boss, { agents: 'read', name: 'Kiln' }), { status: 200, body: { agents: 'read', name: 'Kiln' } })
  for (const body of [{ name: 'Mine' }, { archived: true }, { agents: 'report', description: 'd' }]) {
    t.match(await set(manager, body), { status: 403, body: { detail: /Only a server administrator may rename or archive/ } }, JSON.stringify(body))
  }
  t.same(await db.query('select name, agents, archived_at from workspaces where slug = \'kiln\''), [{ name: 'Kiln', agents: 'read', archived_at: null }])

  const writers = '/workspaces/kiln/writers'
  t.same(written((await manager.browser.call<any>('GET', writers)).body.writers), gains, 'said before')
  for (const agents of ['propose', 'report']) t.same(written((await set(manager, { agents })).body.gains), gains, 'where it is widened')
  for (const agents of ['report', 'propose']) t.notOk((await set(manager, { agents })).body.gains, 'unchanged, and narrowed')
  await set(manager, { agents: 'read' })
  t.same(await db.query('select action, outcome, actor, w.slug from audit_events a join workspaces w on w.id = a.workspace_id order by a.id desc limit 1'),
    [{ action: 'web/updateWorkspace agents read', outcome: 'ok', actor: manager.email, slug: 'kiln' }])
})

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

t.test('guessing addresses of people, codes of devices and secrets has a limit; people who are known by their id are not counted', async (t) => {
  await admin.call('POST', '/workspaces', { slug: 'guessed', name: 'Guessed' })
  const { id, browser } = await server.newPerson('own-workspace', 'guessed', 'admin')
  const put = (who: string) => browser.call('PUT', `/people/${encodeURIComponent(who)}/memberships/guessed`, { role: 'admin' })
  const guesses: Array<[status: number, guess: (n: number) => ReturnType<typeof put>]> = [
    [404, (n) => put(`person-${n}@example.com`)], [404, () => browser.call('GET', '/devices/BCDF-GHJK')],
    [200, () => browser.call('POST', '/keys/test', { secret: 'svc_key_nonsense' })]
  ]
  for (const [status, guess] of guesses) {
    const statuses = []
    for (let n = 0; n < 32; n++) statuses.push((await guess(n)).status)
    t.same(statuses, [...Array<number>(30).fill(status), 429, 429])
  }
  const refused = await put(server.wide.email)
  t.match(refused, { status: 429, body: { detail: /asked 30 times within a minute. Try again in \d+ seconds/ }, headers: { 'retry-after': /^[1-9]/ } })
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

t.test('lists page by page: each row once, and a cursor that is none is refused', async (t) => {
  for (let count = 0; count < 5; count++) {
    await backend.credentials.createKey({ user: boss.id, name: `bulk ${count}`, scope: 'read' })
    await backend.web!.invitations.create({ email: `guest-${count}@example.com`, invitedBy: boss.id, serverAdmin: false, memberships: [] })
  }
  // Made in one moment.
  await db.query("update credentials set created_at = now() where name like 'bulk %'")
  for (const [path, name] of [
    ['/keys', 'keys'], ['/admin/credentials', 'credentials'], ['/people', 'people'], ['/invitations', 'invitations'], ['/audit-events', 'audit_events']
  ] as const) {
    const idsOf = (body: any): string[] => body[name].map(({ id }: any) => id)
    const whole = await allPages(admin, `${path}?limit=100`, idsOf)
    t.ok(whole.length >= 5 && new Set(whole).size === whole.length, path)
    t.same(await allPages(admin, `${path}?limit=3`, idsOf), whole, path)
    t.equal((await admin.call('GET', `${path}?cursor=Zm9v`)).status, 422, path)
  }
})

t.test('a service account has an owner, who makes and rotates its keys', async (t) => {
  const { status, body: bot } = await admin.call<ServiceAccount>('POST', '/service-accounts', { email: 'robot@example.com', name: 'Bot', owner: server.narrow.email })
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
    records: { workspaces: Number, explorations: 12, people: Number, service_accounts: 2, credentials: Number },
    search_index: { state: String, pending: Number },
    audit: { retention_days: null }
  })
  t.ok(body.database.size_bytes > 0)
  t.notMatch(text, /secret of the tests/)
})
