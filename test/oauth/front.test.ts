// A front is the resource alone: its metadata names the platform as issuer, and the platform issues tokens for its address.
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, CLAUDE, codeFor, connect, form, get, redeem, refresh, request, RESOURCE } from '../helpers/oauth.js'
import { frontOf, TOKEN } from '../helpers/platform.js'
import { webServer } from '../helpers/web.js'

const PUBLIC_URL = 'https://front.example'
const there = { host: 'front.example' }
const platformOf = async (t: Test, flags: Record<string, string>) => {
  const platform = await webServer(t, { publicUrl: 'http://localhost:8080', platformToken: TOKEN, ...flags }, undefined, { clientDocuments: { resolve: async () => [] } })
  return { ...platform, url: await platform.app.listen({ host: '127.0.0.1', port: 0 }) }
}

t.test('an application of a front is connected at the platform', async (t) => {
  meets('oauth-resource-bound', 'oauth-audience')
  const resource = `${PUBLIC_URL}/oauth/mcp`
  const platform = await platformOf(t, { oauthResources: resource })
  const { app: front } = await frontOf(t, platform.url, { publicUrl: PUBLIC_URL, oauth: 'on' })
  t.match(await get(front, '/.well-known/oauth-protected-resource/oauth/mcp', there), {
    status: 200, body: { resource, authorization_servers: ['http://localhost:8080/oauth/mcp'] }
  })
  for (const path of ['/.well-known/oauth-authorization-server/oauth/mcp', '/oauth/mcp/token', '/oauth/mcp/authorize', '/oauth/mcp/register', '/oauth/mcp/jwks']) {
    t.equal((await get(front, path, there)).status, 404, path)
  }
  t.match((await callMcp(front, undefined, 'tools/list', {}, '/oauth/mcp', there)).headers['www-authenticate'],
    'resource_metadata="https://front.example/.well-known/oauth-protected-resource/oauth/mcp"')

  const browser = await platform.signIn(platform.wide.id)
  const asked = request({ resource })
  const code = await codeFor(browser, asked)
  const own = request()
  t.match(await redeem(platform.app, code, asked, { resource: RESOURCE }), { status: 400, body: { error: 'invalid_target' } }, 'a code is for what was asked for')
  const { status, body: tokens } = await redeem(platform.app, code, asked)
  t.equal(status, 200)
  t.match(await refresh(platform.app, tokens.refresh_token, { resource: RESOURCE }), { status: 400, body: { error: 'invalid_target' } }, 'and so are the tokens of it')
  t.match(await authorize(browser, `${form(asked.query)}&resource=${encodeURIComponent(RESOURCE)}`), { error: 'invalid_target' }, 'not for both')
  const atFront = (token: string) => callMcp(front, token, 'tools/call', { name: 'list_workspaces', arguments: {} }, '/oauth/mcp', there)
  t.match(await atFront(tokens.access_token), { status: 200, body: { result: { structuredContent: {} } } })
  t.equal((await callMcp(platform.app, tokens.access_token)).status, 401, 'not at the platform itself')
  t.equal((await atFront((await connect(platform.app, browser, own)).access_token)).status, 401, 'nor the other way round')
  t.equal((await callMcp(front, tokens.access_token, 'tools/list', {}, '/mcp', there)).status, 401)
  const next = await refresh(platform.app, tokens.refresh_token, { resource, client_id: CLAUDE.client_id })
  t.equal((await atFront(next.body.access_token)).status, 200)
  const [connection] = (await platform.backend.connections.list({ limit: 10 })).filter((one) => one.resource === resource)
  t.match(await platform.db.query("select credential_kind from audit_events where credential_id = $1 and action like 'tools/call%'", [connection!.id]), [{ credential_kind: 'connection' }])
  await browser.call('DELETE', `/connections/${connection!.id}`)
  t.equal((await atFront(tokens.access_token)).status, 401)
})

t.test('a front of a platform without OAuth says so, and one that is not asked to is as before', async (t) => {
  const { url } = await platformOf(t, { oauth: 'off' })
  const asked = await frontOf(t, url, { publicUrl: PUBLIC_URL, oauth: 'on' })
  t.equal((await get(asked.app, '/.well-known/oauth-protected-resource/oauth/mcp', there)).status, 404)
  const { app } = await frontOf(t, url, { publicUrl: PUBLIC_URL })
  t.equal((await get(app, '/oauth/mcp', there)).status, 404)
  t.notMatch((await callMcp(app, undefined, 'tools/list', {}, '/mcp', there)).text, '/oauth/mcp')
})
