/** What the server answers where there are pages: shell, assets, headers, unknown addresses, and compressed answers. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { ORIGIN, webServer } from '../helpers/web.js'
import { PAGE_PATHS, returnPath } from '../../src/web/page-paths.js'

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const server = await webServer(t)

const get = (url: string, headers: Record<string, string> = {}, app = server.app) =>
  app.inject({ method: 'GET', url, headers: { host: 'localhost:8080', accept: HTML, ...headers } })

t.test('a page in a browser that is not signed in leads to the sign-in page, and back', async (t) => {
  for (const { path, name } of PAGE_PATHS) {
    const url = `${path.replace(':id', 'baa27217-6a87-8d2c-ace1-38b32c3c86a0')}?tab=a%20b`
    const reply = await get(url)
    if (name === 'sign-in') t.equal(reply.statusCode, 200)
    else t.match(reply, { statusCode: 302, headers: { location: `/sign-in?return=${encodeURIComponent(url)}` } }, url)
    t.equal(returnPath(new URL(String(reply.headers.location ?? '/'), 'http://localhost').searchParams.get('return') ?? url), name === 'sign-in' ? '/' : url)
  }
  t.match(await get('/'), { headers: { location: '/sign-in' } })
})

t.test('each page is there for anyone who is signed in and has its right', async (t) => {
  const { directory } = server.backend
  const { id } = await directory.createUser({ email: 'first@example.com', name: 'First', kind: 'person', serverAdmin: true })
  await directory.addMember({ user: id, workspace: 'tillpoint', role: 'viewer' })
  const [admin, viewer] = [await server.signIn(id), await server.signIn(server.narrow.id)]
  for (const page of PAGE_PATHS) {
    const path = page.path.replace(':id', 'baa27217-6a87-8d2c-ace1-38b32c3c86a0')
    t.match(await admin.open(path, { accept: HTML }), { status: 200, headers: { 'content-type': /html/ } }, path)
    t.match(await viewer.open(path, { accept: HTML }), { status: 'right' in page ? 403 : 200, headers: { 'content-type': /html/ } }, `${path} for a person who is no admin`)
  }
})

t.test('no address leads to another server', async (t) => {
  for (const url of ['//evil.example', '//evil.example/usage', '/%2f/evil.example', '/\\evil.example', '/.//evil.example', '/usage?return=//evil.example', '/sign-in?return=//evil.example']) {
    const { statusCode, headers: { location } } = await get(url)
    t.ok(location === undefined || /^\/sign-in(?:\?|$)/.test(String(location)), `${url}: ${statusCode} ${String(location)}`)
  }
  for (const value of ['//example.org', '/\\example.org', 'https://example.org', 'javascript:alert(1)', '/a\\b', '/a b', '/\t/x', '', '/sign-in', '/sign-in?return=/x']) {
    t.equal(returnPath(value), '/', JSON.stringify(value))
  }
  t.equal(returnPath('/device?code=BCDF-GHJK'), '/device?code=BCDF-GHJK')
})

t.test('a signed-in browser gets the shell of the page', async (t) => {
  const { cookie } = await server.signIn(server.wide.id)
  const reply = await get('/integrations/developer', { cookie })
  t.match(reply, {
    statusCode: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': /default-src 'none'; script-src 'self'; .*trusted-types 'none'$/,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': /camera=\(\)/,
      vary: /Cookie/
    }
  })
  t.notMatch(reply.headers['content-security-policy'], /unsafe|\*|http/)
  t.notMatch(reply.body, /<script>|<style|\sstyle=|\son\w+=/, 'nothing inline')
  t.match((await get('/sign-in', { cookie: 'exploration_theme=dark' })).body, '<html data-theme="dark"')
  t.notMatch((await get('/sign-in', { cookie: 'exploration_theme=<script>' })).body, 'data-theme')
  const { etag } = reply.headers
  t.match(await get('/integrations/developer', { cookie, 'if-none-match': `"other", W/${String(etag)}` }), { statusCode: 304, body: '' })
})

t.test('assets are compressed, and cached for ever', async (t) => {
  const { body: shell } = await get('/sign-in')
  const assets = [...shell.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  t.ok(assets.length >= 4)
  for (const path of assets) {
    const plain = await get(path)
    t.match(plain, { statusCode: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff', vary: /Accept-Encoding/ } }, path)
    t.equal(plain.headers['content-encoding'], undefined)
    t.equal((await get(path, { 'if-none-match': String(plain.headers.etag) })).statusCode, 304)
    if (!/\.(?:js|css)$/.test(path)) continue
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    t.equal(br.headers['content-encoding'], 'br')
    t.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
    const gzip = await get(path, { 'accept-encoding': 'br;q=0, gzip' })
    t.equal(gzip.headers['content-encoding'], 'gzip')
    t.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    t.not(gzip.headers.etag, br.headers.etag, 'each encoding has a tag of its own')
  }
  t.equal((await server.app.inject({ method: 'HEAD', url: assets[0] ?? '', headers: { host: 'localhost' } })).statusCode, 200)
})

t.test('unknown addresses are 404: the application for a browser, JSON for programs', async (t) => {
  t.match(await get('/nothing/here'), { statusCode: 404, headers: { 'content-type': /html/, 'content-security-policy': /default-src 'none'/ } })
  const programs: Array<[string, Record<string, string>]> = [
    ['/nothing/here', { accept: '*/*' }], ['/nothing', { accept: 'application/json, text/html;q=0.5' }],
    ['/.well-known/oauth-authorization-server', {}], ['/.well-known/oauth-protected-resource/mcp', {}], ['/mcp/x', {}], ['/web/v1/x', {}],
    ['/assets/%2e%2e%2fpackage.json', { accept: 'application/json' }], ['/assets/../../package.json', { accept: '' }]
  ]
  for (const [url, headers] of programs) t.match(await get(url, headers), { statusCode: 404, headers: { 'content-type': /json/ } }, url)
  t.match(await server.app.inject({ method: 'POST', url: '/usage', headers: { accept: HTML } }), { statusCode: 404, headers: { 'content-type': /json/ } })
})

t.test('a parameter of any length is refused in the words of each interface', async (t) => {
  const long = 'x'.repeat(2000)
  const browser = await server.signIn(server.wide.id)
  t.match(await browser.open(`/explorations/${long}`, { accept: HTML }), { status: 200, headers: { 'content-type': /html/ } }, 'the page says that there is none')
  const { status, headers, body } = await browser.call('GET', `/explorations/${long}`)
  t.ok([400, 404].includes(status))
  t.match(headers['content-type'], /^application\/problem\+json/)
  t.type(body['detail'], 'string')
})

t.test('a page by an IP address of loopback leads to localhost, while PUBLIC_URL is unset', async (t) => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080']) {
    t.match(await get('/device?code=BCDF-GHJK', { host }), { statusCode: 307, headers: { location: 'http://localhost:8080/device?code=BCDF-GHJK' } })
  }
  t.equal((await get('/web/v1/session', { host: '127.0.0.1:8080' })).statusCode, 401, 'the API is not moved')
})

t.test('with WEB=off every page is the JSON 404', async (t) => {
  const { app } = await webServer(t, { web: 'off' }, server.db)
  for (const { path } of PAGE_PATHS) {
    t.match(await get(path, {}, app), { statusCode: 404, headers: { 'content-type': /json/ } }, path)
  }
  t.match((await get('/device', {}, app)).json(), { error: 'not_found', message: /exploration-mcp device approve CODE/ })
})

t.test('answers of the API are compressed, apart from what holds a secret', async (t) => {
  const { cookie } = await server.signIn(server.wide.id)
  const get = (path: string, headers: Record<string, string> = {}) => server.app.inject({
    url: `/web/v1${path}`, headers: { host: 'localhost:8080', cookie, 'accept-encoding': 'gzip, deflate, br', ...headers }
  })
  for (const path of ['/explorations/baa27217-6a87-8d2c-ace1-38b32c3c86a0/plan', '/explorations?limit=50']) {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    const packed = await get(path)
    t.match(packed, { statusCode: 200, headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/ } }, path)
    t.equal(gunzipSync(packed.rawPayload).toString(), plain.body, `${path}: the same`)
    t.equal(packed.headers['content-length'], String(packed.rawPayload.length))
    t.ok(plain.rawPayload.length > 2 * packed.rawPayload.length, `${path}: ${plain.rawPayload.length} → ${packed.rawPayload.length} bytes`)
    const refusing = ['identity', 'gzip;q=0', ''].map((encoding) => get(path, { 'accept-encoding': encoding }))
    for (const { headers } of await Promise.all([...refusing, get(path, { 'sec-fetch-site': 'cross-site' }), get(path, { 'sec-fetch-site': 'same-site' })])) {
      t.equal(headers['content-encoding'], undefined)
      t.match(headers.vary, /Accept-Encoding/)
    }
  }
  const download = await get('/audit-events/export?format=csv', { 'sec-fetch-site': 'same-origin' })
  t.match(download, { statusCode: 200, headers: { 'content-encoding': 'gzip', 'content-disposition': /attachment/ } })
  t.match(gunzipSync(download.rawPayload).toString(), /^"?at"?,|^[\w"]+,/m)
  t.equal((await get('/tokens')).headers['content-encoding'], undefined, 'a short answer is sent as it is')

  const workspaces = (await server.db.query<{ id: string }>('select id from workspaces')).map(({ id }) => id)
  for (const path of ['/tokens', '/keys']) {
    const created = await server.app.inject({
      method: 'POST',
      url: `/web/v1${path}`,
      headers: { host: 'localhost:8080', origin: ORIGIN, 'x-exploration-mcp': 'web', cookie, 'accept-encoding': 'gzip' },
      payload: { name: '"'.repeat(200), scope: 'read', expires_in_days: 7, workspaces }
    })
    t.equal(created.statusCode, 201)
    t.type(created.json<{ secret: unknown }>().secret, 'string')
    t.ok(created.body.length > 1000, `long enough: ${created.body.length}`)
    t.equal(created.headers['content-encoding'], undefined, `${path}: an answer with a secret is not compressed`)
  }
})
