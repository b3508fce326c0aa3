// Client ID metadata documents: fetched for anyone who is signed in, checked, cached, replaced by a copy, and never from a private address.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { documentHost } from '../helpers/document-host.js'
import { authorize, CLAUDE, codeFor, connect, callMcp, postForm, redeem, request } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'
import { isDocumentAddress } from '../../src/oauth/clients/client-metadata.js'
import { isPublicAddress } from '../../src/oauth/clients/host-rules.js'

const host = await documentHost(t)
const server = await webServer(t, {}, undefined, { clientDocuments: host.options })
const { app, db } = server
const browser = await server.signIn(server.wide.id)
const REDIRECT = 'http://127.0.0.1/callback'

const document = (path: string, over: Record<string, unknown> = {}) => ({
  client_id: host.url(path),
  client_name: 'An app',
  redirect_uris: [REDIRECT, 'https://app.example/cb'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:other'],
  token_endpoint_auth_method: 'none',
  ...over
})
const ask = (path: string, over: Record<string, string | undefined> = {}) =>
  request({ client_id: host.url(path), redirect_uri: 'http://127.0.0.1:5123/callback', ...over })
const codeOf = async (path: string, over = {}) => (await authorize(browser, ask(path, over).query)).error

t.test('a client with a document is fetched once, and connected', async (t) => {
  meets('oauth-documents', 'oauth-document-fetched', 'oauth-document-cached')
  host.serve('/good', document('/good'), 200, { 'cache-control': 'max-age=600' })
  const tokens = await connect(app, browser, ask('/good'))
  t.equal((await callMcp(app, tokens.access_token)).status, 200)
  t.equal(host.asked('/good'), 1)
  await connect(app, browser, ask('/good'))
  t.equal(host.asked('/good'), 1, 'as long as it is fresh')
  await db.query('update oauth_client_documents set fresh_until = now() where client_id = $1', [host.url('/good')])
  await Promise.all(Array.from({ length: 5 }, () => authorize(browser, ask('/good').query)))
  t.equal(host.asked('/good'), 2, 'five at once share a fetch')
  t.match(await db.query('select round(extract(epoch from fresh_until - fetched_at))::int as seconds from oauth_client_documents where client_id = $1', [host.url('/good')]),
    [{ seconds: 600 }])
})

t.test('what the headers say about caching is kept between five minutes and a day', async (t) => {
  const cases: Array<[headers: Record<string, string>, seconds: number]> = [
    [{}, 300], [{ 'cache-control': 'no-store' }, 300], [{ 'cache-control': 'public, max-age=99999999' }, 86_400],
    [{ date: 'Sun, 22 Nov 2026 10:00:00 GMT', expires: 'Sun, 22 Nov 2026 11:00:00 GMT' }, 3600]
  ]
  for (const [index, [headers, seconds]] of cases.entries()) {
    const path = `/cached-${index}`
    host.serve(path, document(path), 200, headers)
    t.equal(await codeOf(path), null)
    t.match(await db.query('select round(extract(epoch from fresh_until - fetched_at))::int as seconds from oauth_client_documents where client_id = $1', [host.url(path)]), [{ seconds }])
  }
})

t.test('a document that is not one of this client is refused, and asked for again', async (t) => {
  meets('oauth-document-id', 'oauth-document-fields', 'oauth-document-section-6', 'oauth-redirect-https')
  const wrong: Record<string, unknown> = {
    '/html': '<html>',
    '/array': [],
    '/text': '"text"',
    '/other-id': document('/other'),
    '/no-name': document('/no-name', { client_name: undefined }),
    '/no-redirects': document('/no-redirects', { redirect_uris: [] }),
    '/many-redirects': document('/many-redirects', { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`) }),
    '/bad-redirects': document('/bad-redirects', { redirect_uris: ['cursor://callback', 'http://app.example/', 'javascript:alert(1)'] }),
    '/secret': document('/secret', { client_secret: 's' }),
    '/jwt-alone': document('/jwt-alone', { token_endpoint_auth_method: 'private_key_jwt' }),
    '/grants': document('/grants', { grant_types: ['client_credentials'] }),
    '/large': document('/large', { padding: 'x'.repeat(11_000) })
  }
  for (const [path, body] of Object.entries(wrong)) {
    host.serve(path, body)
    t.equal(await codeOf(path), 'invalid_client', path)
  }
  t.equal(await codeOf('/html'), 'invalid_client')
  t.equal(host.asked('/html'), 2, 'an error is not kept')
  host.serve('/list', document('/list', { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }))
  t.equal(await codeOf('/list'), null, 'none in the list is enough')
  host.serve('/bare', document('/bare', { token_endpoint_auth_method: undefined, grant_types: undefined }))
  t.equal(await codeOf('/bare'), null)
})

t.test('redirect URIs are those of the document', async (t) => {
  meets('oauth-document-redirects')
  host.serve('/uris', document('/uris'))
  for (const uri of ['http://127.0.0.1:1/callback', REDIRECT, 'https://app.example/cb']) t.equal(await codeOf('/uris', { redirect_uri: uri }), null, uri)
  for (const uri of ['http://localhost:1/callback', 'http://127.0.0.1:1/', 'https://app.example/cb/', 'https://evil.example/cb']) {
    t.equal(await codeOf('/uris', { redirect_uri: uri }), 'invalid_redirect_uri', uri)
  }
})

t.test('a copy stands in while the host does not answer; not where it says that there is none', async (t) => {
  const [path, stale] = ['/away', 'update oauth_client_documents set fresh_until = now() where client_id = $1']
  host.serve(path, document(path))
  t.equal(await codeOf(path), null)
  for (const [status, code] of [[302, null], [403, null], [429, null], [500, null], [503, null], [404, 'invalid_client'], [410, 'invalid_client'], [204, 'invalid_client']] as const) {
    await db.query(stale, [host.url(path)])
    host.serve(path, '', status, { location: host.url('/good') })
    t.equal(await codeOf(path), code, `${status}: ${code === null ? 'the last good copy' : 'none'}`)
  }
  await db.query('delete from oauth_client_documents where client_id = $1', [host.url(path)])
  for (const status of [302, 503]) {
    host.serve(path, '', status, { location: host.url('/good') })
    t.equal(await codeOf(path), 'invalid_client', `${status}: no copy`)
  }
})

t.test('forms of a client_id that is no address of a document are never fetched', async (t) => {
  meets('oauth-document-draft')
  const forms = ['http://app.example/c', 'https://app.example', 'https://app.example/', 'https://app.example/c#f', 'https://u:p@app.example/c',
    'https://u@app.example/c', 'https://app.example/a/../c', 'https://app.example/./c', 'https://APP.example/c', 'https://app.example:443/c', 'https://app.example/ c',
    `https://app.example/${'c'.repeat(1000)}`]
  for (const id of forms) {
    t.notOk(isDocumentAddress(id), id)
    t.equal((await authorize(browser, request({ client_id: id }).query)).error, 'invalid_client', id)
  }
  t.ok(isDocumentAddress('https://app.example:8443/c?v=1'))
})

t.test('no socket is opened to a private address, and none for someone who is not signed in', async (t) => {
  meets('oauth-ssrf')
  for (const address of ['127.0.0.1', '10.1.2.3', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255',
    '::1', '::', 'fe80::1', 'fc00::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', 'ff02::1', 'name']) {
    t.notOk(isPublicAddress(address), address)
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) t.ok(isPublicAddress(address), address)

  const answers: Record<string, string[]> = { 'inside.example': ['127.0.0.1'], 'mixed.example': ['8.8.8.8', '127.0.0.1'], 'mapped.example': ['::ffff:127.0.0.1'], 'none.example': [] }
  const lookups: string[] = []
  const guarded = await webServer(t, {}, db, {
    clientDocuments: {
      ca: host.options.ca,
      resolve: async (name) => {
        lookups.push(name)
        return (answers[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      }
    }
  })
  const person = await guarded.signIn(guarded.wide.id)
  const { port } = new URL(host.url('/'))
  const before = host.connections()
  const names = [...Object.keys(answers), '127.0.0.1', '[::1]', '[::ffff:7f00:1]']
  for (const name of names) {
    t.equal((await authorize(person, request({ client_id: `https://${name}:${port}/c` }).query)).error, 'invalid_client', name)
  }
  for (const spelling of ['2130706433', '0x7f.1', '0177.0.0.1']) {
    t.equal((await authorize(person, request({ client_id: `https://${spelling}:${port}/c` }).query)).error, 'invalid_client', 'no form of a parser')
  }
  t.equal(host.connections(), before, 'no socket was opened')
  t.same(lookups, Object.keys(answers), 'addresses are not looked up')

  const anonymous = guarded.browser()
  const { location } = await authorize(anonymous, request({ client_id: 'https://unseen.example/c' }).query)
  t.equal(location.pathname, '/sign-in')
  const id = 'https://unseen.example/c'
  await postForm(guarded.app, 'token', { grant_type: 'authorization_code', code: 'c', code_verifier: 'v', client_id: id })
  await postForm(guarded.app, 'token', { grant_type: 'refresh_token', refresh_token: 'r', client_id: id })
  await postForm(guarded.app, 'revoke', { token: 't', client_id: id })
  t.notOk(lookups.includes('unseen.example'), 'nothing is fetched for a stranger')
})

t.test('documents that are shipped stand in where nothing can be fetched', async (t) => {
  const offline = await webServer(t, {}, db, { clientDocuments: { resolve: async () => { throw new Error('no network') } } })
  const person = await offline.signIn(offline.wide.id)
  const pinned: Array<[id: string, ...redirects: string[]]> = [
    [CLAUDE.client_id, CLAUDE.redirect_uri, 'https://claude.com/api/mcp/auth_callback'],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:52163/callback', 'http://127.0.0.1:52163/callback'],
    ['https://chatgpt.com/oauth/client.json', 'https://chatgpt.com/connector_platform_oauth_redirect'],
    ['https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1:43123/callback', 'http://localhost:1/callback'],
    ['https://vscode.dev/oauth/client-metadata.json', 'http://127.0.0.1:33418/', 'http://127.0.0.1:40000/', 'https://vscode.dev/redirect'],
    ['https://insiders.vscode.dev/oauth/client-metadata.json', 'https://insiders.vscode.dev/redirect'],
    ['https://opencode.ai/oauth/opencode/client.json', 'http://127.0.0.1:51675/callback'],
    ['https://github.com/copilot/cli/client-metadata.json', 'http://127.0.0.1:40001/'],
    ['https://zed.dev/oauth/client-metadata.json', 'http://127.0.0.1:40002/callback']
  ]
  for (const [id, ...redirects] of pinned) {
    for (const redirect of redirects) {
      const asked = request({ client_id: id, redirect_uri: redirect })
      t.equal((await redeem(offline.app, await codeFor(person, asked), asked)).status, 200, `${id} ${redirect}`)
    }
  }
  t.match(await authorize(person, request({ client_id: 'https://app.example/c' }).query), { error: 'invalid_client' })
})

t.test('lists of hosts', async (t) => {
  meets('oauth-trust-policy')
  const some = await webServer(t, { oauthAllowedClientHosts: 'claude.ai,*.example', oauthDeniedClientHosts: 'evil.example' }, db, { clientDocuments: { resolve: async () => [] } })
  const person = await some.signIn(some.wide.id)
  const error = async (id: string) => (await authorize(person, request({ client_id: id }).query)).error
  t.equal(await error(CLAUDE.client_id), null)
  t.equal(await error('https://chatgpt.com/oauth/client.json'), 'unauthorized_client')
  t.equal(await error('https://evil.example/c'), 'unauthorized_client')
  t.equal(await error('https://good.example/c'), 'invalid_client', 'admitted, but it cannot be fetched')
})
