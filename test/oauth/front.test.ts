// A front is the resource alone: its metadata names the platform as issuer, and the platform issues tokens for its address.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, CLAUDE, codeFor, connect, form, get, redeem, refresh, request, RESOURCE } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'
import { buildApp } from '../../src/server/build-app.js'
import { testConfig } from '../helpers/config.js'
import { openGateway } from '../../src/server/gateway.js'

const PLATFORM_TOKEN = 'a-token-between-front-and-platform-long-enough'
const FRONT = 'https://front.example'

const frontOf = async (url: string, flags: Record<string, string> = {}) => {
  const config = testConfig({ platformUrl: url, platformToken: PLATFORM_TOKEN, publicUrl: FRONT, oauth: 'on', ...flags })
  const gateway = await openGateway(config, url)
  const app = await buildApp(config, { ...gateway, sessionSecret: 'a secret of the tests, long enough to be one', logDestination: { write: () => {} } })
  t.teardown(async () => {
    await app.close()
    await gateway.close()
  })
  return app
}

t.test('an application of a front is connected at the platform', async (t) => {
  meets('oauth-resource-bound', 'oauth-audience')
  const resource = `${FRONT}/oauth/mcp`
  const platform = await webServer(t, {
    publicUrl: 'http://localhost:8080', platformToken: PLATFORM_TOKEN, oauthResources: resource
  }, undefined, { clientDocuments: { resolve: async () => [] } })
  const url = await platform.app.listen({ host: '127.0.0.1', port: 0 })
  const front = await frontOf(url)
  const there = { host: 'front.example' }
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
  const platform = await webServer(t, { oauth: 'off', platformToken: PLATFORM_TOKEN, publicUrl: 'http://localhost:8080' })
  const url = await platform.app.listen({ host: '127.0.0.1', port: 0 })
  const there = { host: 'front.example' }
  t.equal((await get(await frontOf(url), '/.well-known/oauth-protected-resource/oauth/mcp', there)).status, 404)
  const config = testConfig({ platformUrl: url, platformToken: PLATFORM_TOKEN, publicUrl: FRONT })
  const gateway = await openGateway(config, url)
  const app = await buildApp(config, { ...gateway, sessionSecret: 'a secret of the tests, long enough to be one', logDestination: { write: () => {} } })
  t.equal((await get(app, '/oauth/mcp', there)).status, 404)
  t.notMatch((await callMcp(app, undefined, 'tools/list', {}, '/mcp', there)).text, '/oauth/mcp')
  await app.close()
  await gateway.close()
})
