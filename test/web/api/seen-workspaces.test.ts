// What a person sees in the pages is what their credentials read, also for a server administrator.
import t from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { modern } from '../../helpers/build.js'
import { webServer, type Browser } from '../../helpers/web.js'

type List = ResponseOf<Operations['GET /explorations']>
type Workspaces = ResponseOf<Operations['GET /workspaces']>
type Tags = ResponseOf<Operations['GET /tags']>
type Created = ResponseOf<Operations['POST /keys']>
interface Tool<Structured> { result: { structuredContent: Structured } }

const REMINDERS = 'af783243-3ba1-8ce3-afa0-9b6171a1eaf3'
const QUESTION = 'appointment reminders'

const server = await webServer(t)
const { app, backend, db } = server
const boss = await backend.directory.createUser({ email: 'boss@example.com', name: 'Boss', kind: 'person', serverAdmin: true })
const admin = await server.signIn(boss.id)

/** What the pages show: workspaces and explorations of the lists, found ones, tags. */
const shown = async (browser: Browser) => ({
  workspaces: (await browser.call<Workspaces>('GET', '/workspaces')).body.workspaces.map(({ slug }) => slug).sort(),
  found: (await browser.call<List>('GET', `/explorations?q=${QUESTION}&limit=5`)).body.explorations.map(({ id }) => id),
  listed: (await browser.call<List>('GET', '/explorations?limit=100')).body.explorations.filter(({ status }) => status !== 'archived').length
})

/** What a key without limits reads. */
const read = async (browser: Browser) => {
  const { body: { secret } } = await browser.call<Created>('POST', '/keys', { name: 'k', scope: 'read' })
  const call = async <Structured>(name: string, args: object): Promise<Structured> =>
    (await modern<Tool<Structured>>(app, secret, 'tools/call', { name, arguments: args })).body.result.structuredContent
  const { workspaces } = await call<{ workspaces: Array<{ slug: string, exploration_count: number }> }>('list_workspaces', {})
  const { explorations } = await call<{ explorations: Array<{ id: string }> }>('find_explorations', { query: QUESTION, limit: 5 })
  return {
    workspaces: workspaces.map(({ slug }) => slug).sort(),
    found: explorations.map(({ id }) => id),
    listed: workspaces.reduce((sum, { exploration_count: count }) => sum + count, 0)
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
  t.same((await admin.call<Tags>('GET', '/tags')).body.tags, [])
  for (const path of ['', '/plan', '/packages/design', '/agent-view']) {
    t.match(await admin.call('GET', `/explorations/${REMINDERS}${path}`), { status: 404, body: { detail: /An admin of the workspace can add you/ } }, path)
  }
  t.match(await admin.call('GET', '/explorations?workspace=kiln'), { status: 404 })
})

t.test('a credential is for workspaces of its owner only, whatever makes it', async (t) => {
  const { workspaces } = (await admin.call<Workspaces>('GET', '/workspaces?others=include')).body
  t.match(workspaces.map(({ slug, role, may_administer: may }) => [slug, role, may]),
    [['harbour-clinic', null, true], ['kiln', null, true], ['tillpoint', null, true]], 'an administrator knows their names')
  const narrow = await server.signIn(server.narrow.id)
  t.same((await narrow.call<Workspaces>('GET', '/workspaces?others=include')).body.workspaces.map(({ slug }) => slug), ['harbour-clinic'])
  const refusal = { status: 404, body: { detail: /"kiln", or boss@example\.com is not a member of it.*An admin of the workspace can add them/ } }
  const limits = { name: 'k', scope: 'read', workspaces: ['kiln'] }
  t.match(await admin.call('POST', '/keys', limits), refusal)
  t.match(await admin.call('POST', '/tokens', limits), refusal)
  const device = await backend.devices.request({ name: 'laptop', remoteAddress: '10.0.0.1' })
  t.match(await admin.call('POST', `/devices/${device?.userCode}/approval`, { scope: 'read', workspaces: ['kiln'] }), refusal)
  const create = { user: boss.email, name: 'k', scope: 'read' as const, workspaces: ['kiln'] }
  for (const make of ['createKey', 'createToken'] as const) await t.rejects(backend.credentials[make](create) as Promise<unknown>, refusal.body.detail)
  // A key of a service account is for the workspaces of the account, not for those of the person who makes it.
  const bot = await backend.directory.createUser({ email: 'bot@example.com', name: 'Bot', kind: 'service_account', owner: boss.id })
  t.match(await admin.call('POST', '/keys', { ...limits, service_account: bot.id }), { status: 404, body: { detail: /bot@example\.com is not a member of it/ } })
  await backend.directory.addMember({ user: bot.id, workspace: 'kiln', role: 'viewer' })
  t.match(await admin.call('POST', '/keys', { ...limits, service_account: bot.id }), { status: 201, body: { workspaces: [{ slug: 'kiln' }] } })
})

t.test('a server administrator joins a workspace; a key that outlives the membership is rotated with its limits', async (t) => {
  t.match(await admin.call('PUT', `/people/${boss.id}/memberships/kiln`, { role: 'admin' }), { status: 200, body: { role: 'admin' } })
  t.same(await db.query("select action, outcome, actor from audit_events where action like 'web/setMembership%'"),
    [{ action: `web/setMembership ${boss.id} admin`, outcome: 'ok', actor: 'boss@example.com' }])
  const seen = await shown(admin)
  t.same(seen.workspaces, ['kiln'])
  t.ok(seen.listed > 0)
  t.same(seen, await read(admin))
  const { body: key } = await admin.call<Created>('POST', '/keys', { name: 'k', scope: 'read', workspaces: ['kiln'] })
  t.equal((await admin.call('DELETE', `/people/${boss.id}/memberships/kiln`)).status, 200)
  t.match(await admin.call('POST', `/keys/${key.id}/rotation`), { status: 201, body: { workspaces: [{ slug: 'kiln' }] } })
  t.match(await admin.call('PUT', `/people/${boss.id}/memberships/kiln`, { role: 'admin' }), { status: 200 })
})
