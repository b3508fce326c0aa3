// `clients` and `connections`: the applications of the server, on the command line and in the API behind it.
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'
import { callMcp, connect, request } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'
import { managementServer } from '../../src/administration/socket-server.js'

t.test('clients', async (t) => {
  const cli = commandLine(t)
  const open = await cli.json<{ client_id: string }>('clients create --name Open --redirect-uri https://app.example/cb http://localhost/cb')
  t.same(Object.keys(open), ['client_id', 'name', 'redirect_uris', 'created_at'])
  const closed = await cli.json<{ client_id: string, client_secret: string }>('clients create --name Closed --redirect-uri https://app.example/cb --confidential')
  t.match(closed, { client_id: /^[0-9a-f-]{36}$/, client_secret: /^svc_secret_/, name: 'Closed', redirect_uris: ['https://app.example/cb'] })
  t.match(await cli.json('clients list'), [{ id: closed.client_id, confidential: true }, { id: open.client_id, confidential: false }])
  t.notMatch((await cli.run('clients list')).out, /svc_secret/)
  t.match(await cli.json(`clients revoke ${open.client_id}`), { revoked_at: String })
  t.match(await cli.run('clients create --name X --redirect-uri http://app.example/cb'), { code: 1, err: /has to be https/ })
  t.match(await cli.run('clients revoke nothing'), { code: 1 })
  t.match(await cli.run('clients create --name Shown --redirect-uri https://app.example/cb --confidential'), { out: /client_id .*\nclient_secret svc_secret_.*only time/s })
  t.match(await cli.run('connections list --user ann@example.com'), { code: 1, err: /There is no user "ann@example\.com"/ })
  await cli.json('users create --email ann@example.com --name Ann')
  t.same(await cli.json('connections list --user ann@example.com'), [])
  t.match(await cli.run('connections list'), { out: /No applications are connected/ })
  t.match(await cli.run('connections revoke nothing'), { code: 1, err: /There is no connection/ })
})

t.test('a connection is listed and ended by the API', async (t) => {
  const { app, backend, signIn, wide, db } = await webServer(t)
  const api = await managementServer(backend)
  t.teardown(() => api.close())
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
    const reply = await api.inject({ method, url: `/api/v1${path}`, headers: { 'exploration-mcp-actor': 'operator' }, ...payload && { payload } })
    return { status: reply.statusCode, body: reply.json<any>() } // eslint-disable-line @typescript-eslint/no-explicit-any
  }
  const { body: client } = await call('POST', '/oauth-clients', { name: 'App', redirect_uris: ['https://app.example/cb'] })
  const tokens = await connect(app, await signIn(wide.id), request({ client_id: client['client_id'], redirect_uri: 'https://app.example/cb' }))
  t.match((await call('GET', '/oauth-clients')).body, { oauth_clients: [{ name: 'App', kind: 'preregistered', connections: 1, created_by: 'operator' }] })
  const { body } = await call('GET', `/admin/connections?user=${wide.email}`)
  t.match(body, { connections: [{ client: { name: 'App', kind: 'preregistered' }, user: { email: wide.email }, resource: 'http://localhost:8080/oauth/mcp' }] })
  const [{ id }] = body.connections
  t.equal((await call('DELETE', `/admin/connections/${id}`)).status, 200)
  t.equal((await call('DELETE', `/admin/connections/${id}`)).status, 404)
  t.equal((await callMcp(app, tokens.access_token)).status, 401)
  t.equal((await call('DELETE', `/oauth-clients/${client['client_id']}`)).status, 200)
  t.match(await db.query("select action, actor from audit_events where action like 'oauth-client/%' or action = 'credential/revoked' order by id"), [
    { action: `oauth-client/created ${client['client_id']}`, actor: 'operator' }, { action: 'credential/revoked', actor: 'operator' },
    { action: `oauth-client/revoked ${client['client_id']}`, actor: 'operator' }
  ])
})
