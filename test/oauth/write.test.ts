// An application writes only if its person lets it: on the consent page, or later on the page of connections.
import t from 'tap'
import { webServer } from '../helpers/web.js'
import { authorize, callMcp, CLAUDE, connect, redeem, refresh, request } from '../helpers/oauth.js'

const server = await webServer(t, {}, undefined, { clientDocuments: { resolve: async () => [] } })
const { app, db } = server
const browser = await server.signIn(server.wide.id)

const decide = async (scope: string, body: object) => {
  const asked = request({ scope })
  const { ticket } = await authorize(browser, asked.query)
  const { body: shown } = await browser.call('POST', '/oauth/consent/lookup', { ticket })
  const { body: { redirect_to: to } } = await browser.call<{ redirect_to: string }>('POST', '/oauth/consent', { ticket, decision: 'allow', ...body })
  const { body: tokens } = await redeem(app, new URL(to).searchParams.get('code') ?? '', asked)
  return { shown, tokens }
}
const scopes = async () => (await db.query<{ scope: string }>("select scope from credentials where kind = 'connection' order by created_at desc limit 1"))[0]?.scope

t.test('what it asks for decides nothing: the person does', async (t) => {
  const asking = await decide('read write', {})
  t.match(asking, { shown: { scopes: ['read'], asks_to_write: true }, tokens: { scope: 'read' } }, 'unchecked by default')
  t.equal(await scopes(), 'read')
  t.match(await refresh(app, asking.tokens.refresh_token, { scope: 'read write' }), { status: 400, body: { error: 'invalid_scope' } })

  const allowed = await decide('read', { write: true })
  t.match(allowed, { shown: { asks_to_write: false }, tokens: { scope: 'read write' } })
  t.equal(await scopes(), 'read_write')
  t.match(await refresh(app, allowed.tokens.refresh_token, { scope: 'read write offline_access' }), { status: 200, body: { scope: 'read write' } })
  const [row] = await db.query('select action from audit_events where action like \'web/decideConsent%\' order by id desc limit 1')
  t.same(row, { action: `web/decideConsent allow write ${CLAUDE.client_id}` })
})

t.test('a connection is widened and narrowed by its person alone, at once', async (t) => {
  const { access_token: token } = await connect(app, browser)
  const { body: { connections } } = await browser.call<{ connections: Array<{ id: string, scope: string }> }>('GET', '/connections')
  t.match(connections[0], { scope: 'read' })
  const path = `/connections/${connections[0]!.id}`
  const boss = await server.backend.directory.createUser({ email: 'boss@example.com', name: 'Boss', kind: 'person', serverAdmin: true })
  for (const other of [await server.signIn(boss.id), await server.signIn(server.narrow.id)]) {
    t.match(await other.call('PATCH', path, { write: true }), { status: 404 })
  }
  t.match(await browser.call('PATCH', path, { write: true }), { status: 200, body: { scope: 'read_write' } })
  t.match((await browser.call<{ connections: object[] }>('GET', '/connections')).body.connections[0], { scope: 'read_write' })
  t.equal((await callMcp(app, token)).status, 200, 'its tokens go on')
  t.match(await browser.call('PATCH', path, { write: false }), { status: 200, body: { scope: 'read' } })
  const rows = await db.query<{ action: string }>("select action from audit_events where action like 'web/changeConnection%' and outcome = 'ok' order by id")
  t.same(rows.map(({ action }) => action), ['web/changeConnection write', 'web/changeConnection read'])
})

t.test('without the scope the tools that write are not shown, and a call gets a challenge that names it', async (t) => {
  await db.query("update memberships set role = 'editor' where user_id = $1", [server.wide.id])
  await db.query("update workspaces set agents = 'propose' where slug = 'kiln'")
  const { access_token: token } = await connect(app, browser)
  type List = { result: { tools: Array<{ name: string }> } }
  const listed = async () => (await callMcp<List>(app, token)).body.result.tools.map(({ name }) => name)
  t.notOk((await listed()).includes('claim_item'))
  const refused = await callMcp(app, token, 'tools/call', { name: 'claim_item', arguments: {} })
  t.equal(refused.status, 403)
  t.match(refused.headers['www-authenticate'], 'error="insufficient_scope", scope="read write"')
  const { body: { connections } } = await browser.call<{ connections: Array<{ id: string }> }>('GET', '/connections')
  await browser.call('PATCH', `/connections/${connections[0]!.id}`, { write: true })
  t.ok((await listed()).includes('claim_item'), 'with the same token')
  t.match((await callMcp(app, token, 'tools/call', { name: 'claim_item', arguments: {} })).body, { result: { isError: true } }, 'its arguments are looked at now')
})
