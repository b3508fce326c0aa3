// PUBLIC_URL with a path: every address that the server makes has it, behind proxies that remove the path and that keep it.
import t from 'tap'
import { OIDC_START_PATH } from '../../src/web/sign-in/oidc-routes.js'
import { publicPathRouting } from '../../src/http/public-path.js'
import { CLIENT, openIdProvider } from '../helpers/openid-provider.js'
import { sampleDatabase } from '../helpers/database.js'
import { webServer } from '../helpers/web.js'

const ORIGIN = 'http://localhost:8443'
const publicUrl = `${ORIGIN}/team/plans`
const db = await sampleDatabase(t)
const provider = await openIdProvider(t, { redirectUri: `${publicUrl}/auth/oidc/callback`, signedOutUri: `${publicUrl}/sign-in` })
const server = await webServer(t, {
  publicUrl, oidcIssuer: provider.issuer, oidcClientId: CLIENT.id, oidcClientSecret: CLIENT.secret, oidcAllowedDomains: 'example.com,example.org'
}, db)
const { backend, wide } = server

for (const [kind, prefix] of [['removes', ''], ['keeps', '/team/plans']] as const) {
  t.test(`a proxy that ${kind} the path`, async (t) => {
    const browser = server.browser()
    const at = (path: string, headers = {}) => browser.open(`${prefix}${path}`, headers)
    for (const [path, wanted] of [['/', '/sign-in'], ['/usage?range=7d', '/sign-in?return=%2Fusage%3Frange%3D7d']] as const) {
      const { status, headers } = await at(path)
      t.same([status, headers.location], [302, `/team/plans${wanted}`])
    }
    const shell = await at('/sign-in', { accept: 'text/html' })
    t.equal(shell.status, 200)
    t.match(shell.text, '<html data-base="/team/plans"')
    const addresses = [...shell.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
    t.ok(addresses.length > 3)
    for (const address of addresses) {
      t.ok(address.startsWith('/team/plans/'), address)
      t.equal((await at(address.slice('/team/plans'.length))).status, 200, address)
    }
    t.equal((await at('/nowhere', { accept: 'text/html' })).status, 404)
    t.equal((await at('/.well-known/nothing', { accept: 'text/html' })).status, 404)
    t.same((await at('/livez')).status, 200)

    const { token } = await backend.signInLinks.create(wide.id)
    const api = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => server.app.inject({
      method,
      url: `${prefix}/web/v1${path}`,
      headers: {
        host: 'localhost:8443', origin: ORIGIN, 'x-exploration-mcp': 'web', cookie: browser.cookie
      },
      ...body && { body }
    })
    const signedIn = await api('POST', '/sign-in/link', { token })
    t.match(signedIn.headers['set-cookie'], /^exploration_session_8443=[\w-]{43}; Max-Age=2592000; Path=\/team\/plans; HttpOnly; SameSite=Lax$/)
    Object.assign(browser.cookies, Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value])))
    t.match((await api('GET', '/session')).json(), { server: { public_url: publicUrl, endpoint: /\/mcp$/ } })
    t.equal((await at('/usage')).status, 200)
    const out = await api('DELETE', '/session')
    t.match(out.headers['set-cookie'], /^exploration_session_8443=; Max-Age=0; Path=\/team\/plans; /)

    t.equal((await server.app.inject({ method: 'POST', url: `${prefix}/mcp`, headers: { host: 'localhost:8443' }, body: {} })).statusCode, 401)
  })
}

t.test('the provider leads back below the path, and its cookie is sent there only', async (t) => {
  const browser = server.browser()
  provider.subject = 'ann'
  const start = await browser.open(`${OIDC_START_PATH}?return=/usage`)
  t.match(start.headers['set-cookie'], /; Path=\/team\/plans\/auth\/oidc; /)
  t.equal(new URL(String(start.headers.location)).searchParams.get('redirect_uri'), `${publicUrl}/auth/oidc/callback`)
  const back = await provider.signIn(String(start.headers.location))
  t.ok(back.href.startsWith(`${publicUrl}/auth/oidc/callback?`))
  const reply = await browser.open(`${back.pathname}${back.search}`)
  t.match([reply.status, reply.headers.location], [303, new RegExp(`^${publicUrl}/(?:usage$|sign-in\\?error=)`)])
})

t.test('links and the device page have the path; under https the cookie is for it alone', async (t) => {
  const { db: shared } = server
  const secure = await webServer(t, { publicUrl: 'https://host.example/base' }, shared)
  const browser = secure.browser()
  const { token } = await secure.backend.signInLinks.create(wide.id)
  const reply = await browser.call('POST', '/sign-in/link', { token })
  t.match(reply.headers['set-cookie'], /^__Secure-exploration_session=[\w-]{43}; Max-Age=2592000; Path=\/base; HttpOnly; Secure; SameSite=Lax$/)
  await secure.backend.directory.changeUser({ user: wide.id, serverAdmin: true })
  const invited = await browser.call<{ url: string }>('POST', '/invitations', { email: 'guest@example.com', memberships: [] })
  t.match(invited.body.url, /^https:\/\/host\.example\/base\/sign-in#invitation=/)
  const device = await secure.app.inject({
    method: 'POST',
    url: '/api/v1/device/authorization',
    headers: { host: 'host.example', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=init'
  })
  t.match(device.json(), { verification_uri: 'https://host.example/base/device' })
})

t.test('a path that begins like an address of the server is left to the proxy', async (t) => {
  for (const [base, url, wanted] of [
    ['/web', '/web/v1/session', '/web/v1/session'], ['/plans', '/plans/web/v1/session', '/web/v1/session'], ['/plans', '/plans', '/'], ['/plans', '/plans?a=b', '/?a=b'],
    ['/plans', '/plansandmore', '/plansandmore'], ['/plans', '/planning', '/planning'], ['', '/usage', '/usage']
  ] as const) t.equal((publicPathRouting({ publicUrl: `https://host.example${base}` }) ?? (() => url))({ url }), wanted)
})
