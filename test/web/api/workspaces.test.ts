// What a person sees in the pages is what their credentials read, also for a server administrator; and what agents may do in a workspace.
import t from 'tap'
import { modern } from '../../helpers/build.js'
import { webServer, type Browser, type Person } from '../../helpers/web.js'

/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
const QUESTION = 'appointment reminders'

const server = await webServer(t)
const { app, backend, db } = server
const boss = await server.boss()
const { browser: admin } = boss

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
  const narrow = await server.signIn(server.narrow.id)
  t.match((await narrow.call('GET', '/workspaces?others=include')).body, { workspaces: [{ slug: 'harbour-clinic' }] })
  const refusal = { status: 404, body: { detail: /"kiln", or boss@example\.com is not a member of it.*An admin of the workspace can add them/ } }
  const limits = { name: 'k', scope: 'read' as const, workspaces: ['kiln'] }
  const device = await backend.devices.request({ name: 'laptop', remoteAddress: '10.0.0.1' })
  for (const path of ['/keys', '/tokens']) t.match(await admin.call('POST', path, limits), refusal, path)
  t.match(await admin.call('POST', `/devices/${device?.userCode}/approval`, { scope: 'read', workspaces: ['kiln'] }), refusal)
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
  const key = (user: Person, name: string, scope: 'read' | 'read_write' | 'admin', more = {}) =>
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
  const set = ({ browser }: Person, body: object) => browser.call<any>('PATCH', '/workspaces/kiln', body)

  t.match((await manager.browser.call('GET', '/workspaces')).body, { workspaces: [{ slug: 'kiln', agents: 'read' }] })
  for (const who of [editor, viewer]) t.match(await set(who, { agents: 'report' }), { status: 403 }, who.email)
  t.match(await set(outsider, { agents: 'report' }), { status: 404 })
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
  t.match(await editor.browser.call('GET', writers), { status: 403 })
  for (const agents of ['propose', 'report']) t.same(written((await set(manager, { agents })).body.gains), gains, 'where it is widened')
  for (const agents of ['report', 'propose']) t.notOk((await set(manager, { agents })).body.gains, 'unchanged, and narrowed')
  await set(manager, { agents: 'read' })
  t.same(await db.query('select action, outcome, actor, w.slug from audit_events a join workspaces w on w.id = a.workspace_id order by a.id desc limit 1'),
    [{ action: 'web/updateWorkspace agents read', outcome: 'ok', actor: manager.email, slug: 'kiln' }])
})
