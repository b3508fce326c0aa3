/** Doctor against the product itself: with OAuth, without it, and behind proxies that break one thing each. */
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { NamedCheck } from '../../../src/agent-setup/doctor/finding.js'
import { TIMEOUTS } from '../../../src/agent-setup/doctor/probe.js'
import { runChecks } from '../../../src/agent-setup/doctor/run-checks.js'
import { runOAuthChecks } from '../../../src/agent-setup/doctor/oauth/run-oauth-checks.js'
import { oauthAddressOf } from '../../../src/agent-setup/registry/endpoint-address.js'
import { pathProxy } from '../../helpers/path-proxy.js'
import { sampleDatabase } from '../../helpers/database.js'
import { some } from '../../helpers/fuzzing.js'
import { webServer } from '../../helpers/web.js'
import { proxy, type Answer, type Manners } from '../misbehaving.js'

const db = await sampleDatabase(t)
const offline = { clientDocuments: { resolve: async () => [] } }
const NAMES = ['oauth endpoint', 'oauth resource', 'oauth metadata', 'oauth hosts', 'oauth sign-in', 'oauth root']
// However busy this machine is, no check fails for it.
const PATIENT = { ...TIMEOUTS, answerMs: 120_000 }

/** A proxy by another name of this machine, which passes everything on, whole, but for what it breaks. */
const proxyTo = async (t: Test) => {
  let target = 'http://127.0.0.1:1'
  const usual: Manners = { upstream: ({ url = '/' }) => target + url, rewrite () {} }
  const manners = { ...usual }
  const { url } = await proxy(t, target, manners)
  return {
    url: new URL(url.replace('127.0.0.1', 'localhost')).origin,
    forwardTo: (port: number) => { target = `http://127.0.0.1:${port}` },
    breakBy: (breaks: Manners) => { Object.assign(manners, { instead: undefined, ask: undefined }, usual, breaks) }
  }
}

const portOf = async ({ app }: Pick<Awaited<ReturnType<typeof webServer>>, 'app'>): Promise<number> =>
  Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)

const checksOf = async (base: string, given = true): Promise<NamedCheck[]> => {
  const target = { url: new URL(`${base}/oauth/mcp`), given, keys: new URL(`${base}/mcp`) }
  const checks: NamedCheck[] = await Readable.from(runOAuthChecks(target, PATIENT)).toArray()
  t.same(checks.map(({ name }) => name), NAMES, 'every check has its line')
  return checks
}
const faults = (checks: readonly NamedCheck[]) => checks.filter(({ status }) => status === 'failed' || status === 'warning')

const front = await proxyTo(t)
const server = await webServer(t, { publicUrl: front.url }, db, offline)
front.forwardTo(await portOf(server))

t.test('sound: behind a proxy, and without one and PUBLIC_URL', async (t) => {
  const checks = await checksOf(front.url)
  t.same(faults(checks), [])
  t.same(checks.map(({ status }) => status), NAMES.map(() => 'passed'))
  const plain = await webServer(t, {}, db, offline)
  const port = await portOf(plain)
  for (const name of ['127.0.0.1', 'localhost']) t.same(faults(await checksOf(`http://${name}:${port}`)), [], name)
})

t.test('switched off: no fault, unless the address was given', async (t) => {
  const off = await webServer(t, { oauth: 'off' }, db)
  const base = `http://localhost:${await portOf(off)}`
  const derived = await checksOf(base, false)
  t.same(derived.map(({ status }) => status), ['skipped', 'skipped', 'skipped', 'skipped', 'skipped', 'passed'])
  t.match(faults(await checksOf(base)), [{ name: 'oauth endpoint', status: 'failed', detail: /HTTP 404/ }, {}, {}, {}, {}])
})

t.test('below a path: the well-known addresses are at the root of the host', async (t) => {
  const atPath = await pathProxy(t, '/plans', { strip: true })
  const below = await webServer(t, { publicUrl: atPath.url }, db, offline)
  atPath.forwardTo(await portOf(below))
  const checks = await checksOf(atPath.url)
  t.match(faults(checks)[0], { name: 'oauth resource', detail: /\/\.well-known\/oauth-protected-resource\/plans\/oauth\/mcp answers with HTTP 502/, remedy: /oauth-protected-resource\/…/ })
  t.match(faults(checks).find(({ name }) => name === 'oauth hosts'), { status: 'failed', detail: /^not found by Claude\.ai/ })
})

const PAGE = { 'content-type': 'text/html' }
const HTML = '<!doctype html><title>Shop</title>'
const toPage = (answer: Answer, status: number): void => { Object.assign(answer, { status, headers: PAGE, body: HTML }) }
/** Answers these requests by itself, with a page unless it is told otherwise. */
const instead = (isMeant: RegExp, status: number, headers: object = {}, body = HTML): Manners => ({
  instead ({ method, url }, reply) {
    if (!isMeant.test(`${method} ${url}`)) return false
    reply.writeHead(status, { ...PAGE, ...headers }).end(body)
    return true
  }
})
const WELL_KNOWN = /^\w+ \/\.well-known\//
const INSERTED = /^\w+ \/\.well-known\/oauth-authorization-server\/oauth\/mcp$/
const RESOURCE = '/.well-known/oauth-protected-resource/oauth/mcp'
/** Rewrites the document about the resource. */
const resource = (change: (text: string) => string): Manners => ({
  rewrite (answer, { url }) { if (url === RESOURCE) answer.body = change(answer.body) }
})

/** The first fault, its remedy, and whether applications are lost by it. */
const BROKEN: Array<[what: string, breaks: Manners, name: string, detail: RegExp, remedy: RegExp, lost: boolean]> = [
  ['strips WWW-Authenticate', { rewrite: ({ headers }) => { delete headers['www-authenticate'] } },
    'oauth endpoint', /HTTP 401 with no WWW-Authenticate/, /pass the server's own 401/, false],
  ['strips Authorization', { ask: ({ authorization, ...headers }) => headers },
    'oauth endpoint', /no token arrived/, /Authorization/, false],
  ['answers 401 by a page of its own', { rewrite: (answer) => { if (answer.status === 401) toPage(answer, 401) } },
    'oauth endpoint', /no WWW-Authenticate/, /pass the server's own 401/, false],
  ['has a login of its own', instead(/^/, 401, { 'www-authenticate': 'Basic realm="office"' }),
    'oauth endpoint', /Basic realm="office"/, /WWW-Authenticate/, true],
  ['knows nothing of /oauth/', instead(/^\w+ \/oauth\//, 404), 'oauth endpoint', /HTTP 404/, /pass \/oauth\//, false],
  ['answers /.well-known/ with 404', instead(WELL_KNOWN, 404), 'oauth resource', /HTTP 404/, /rule of its own/, true],
  ['answers /.well-known/ with a page', instead(WELL_KNOWN, 200), 'oauth resource', /an HTML page/, /page of a website/, true],
  ['redirects /.well-known/ to the website', instead(WELL_KNOWN, 302, { location: 'https://www.example.org/' }),
    'oauth resource', /a redirect to https:\/\/www\.example\.org\//, /without a redirect/, true],
  ['passes on one of the well-known names', instead(/^\w+ \/\.well-known\/(?!.*protected-resource)/, 404),
    'oauth metadata', /HTTP 404 \(and 1 more\)/, /rule of its own/, true],
  ['lets no POST through but to /mcp', instead(/^POST .*\/token$/, 405), 'oauth sign-in', /answers a POST with 405/, /POST/, false],
  ['drops the bodies of redirects and their addresses', { rewrite: (answer) => { if (answer.headers.location !== undefined) toPage(answer, 404) } },
    'oauth sign-in', /authorize answers with 404/, /pages of the web application/, false],
  ['passes another Host on', { ask: (headers) => ({ ...headers, host: 'backend.internal' }) }, 'oauth endpoint', /HTTP 403/, /Host/, true],
  ['writes its inner address into documents', {
    rewrite: (answer) => { answer.body = answer.body.replaceAll(front.url, 'http://backend.internal:8080') }
  }, 'oauth resource', /it is about http:\/\/backend\.internal:8080/, /PUBLIC_URL/, true],
  ['shortens the address of the document', {
    rewrite ({ headers }) { headers['www-authenticate'] &&= 'Bearer resource_metadata="/.well-known/oauth-protected-resource"' }
  }, 'oauth endpoint', /resource_metadata is/, /whole address/, false],
  ['leads to a document about another path', resource((text) => text.replace('/oauth/mcp"', '/plans/oauth/mcp"')),
    'oauth resource', /plans\/oauth\/mcp, not about/, /give people http.*plans/, true],
  ['leads to a document with an issuer on another host', resource((text) => text.replace(/("authorization_servers":\[")[^"]+/, '$1https://platform.example/oauth/mcp')),
    'oauth resource', /platform\.example/, /--oauth-url/, false],
  ['does not pass on the inserted address', instead(INSERTED, 404),
    'oauth metadata', /oauth-authorization-server\/oauth\/mcp answers with HTTP 404/, /rule of its own/, false],
  ['has a page at the inserted address', instead(INSERTED, 200), 'oauth metadata', /an HTML page/, /page of a website/, true],
  ['answers at the root, where clients of keys look too', instead(/^\w+ \/\.well-known\/oauth-protected-resource$/, 200, {}, '{}'),
    'oauth root', /\/\.well-known\/oauth-protected-resource answers with the document/, /404/, false]
]

for (const [what, breaks, name, detail, remedy, lost] of some(BROKEN)) {
  t.test(`a proxy that ${what}`, async (t) => {
    front.breakBy(breaks)
    t.teardown(() => front.breakBy({}))
    const checks = await checksOf(front.url)
    t.match(faults(checks)[0], { name, detail, remedy })
    t.match(checks.find((check) => check.name === 'oauth hosts'), lost
      ? { status: 'failed', detail: /^not found by \w/ }
      : { status: 'passed', detail: /Claude\.ai.*ChatGPT.*VS Code.*Cursor.*Codex.*Gemini.*opencode.*Copilot/ })
  })
}

t.test('the address beside an endpoint', async (t) => {
  t.equal(oauthAddressOf('https://example.org/mcp'), 'https://example.org/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/plans/mcp/'), 'https://example.org/plans/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/oauth/mcp'), 'https://example.org/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/'), undefined)
})

t.test('without PUBLIC_URL behind a proxy with another name', async (t) => {
  const plain = await webServer(t, {}, db, offline)
  const port = await portOf(plain)
  const other = await proxyTo(t)
  other.forwardTo(port)
  t.match(faults(await checksOf(other.url))[0], { name: 'oauth endpoint', status: 'failed', detail: new RegExp(`the 401 leads to http://(localhost|127\\.0\\.0\\.1):${port}`), remedy: /PUBLIC_URL/ })
})

t.test('a proxy that buffers breaks streams, and no step of the sign-in', async (t) => {
  t.same(faults(await checksOf(front.url)), [], 'it does')
  const { key } = await server.backend.credentials.createKey({ user: server.wide.id, name: 'doctor', scope: 'read' })
  const timeouts = { ...PATIENT, firstEventMs: 1000 }
  const checks = await Readable.from(runChecks({ url: new URL(`${front.url}/mcp`), token: key }, { timeouts })).toArray()
  t.match(faults(checks), [{ name: 'stream', remedy: /buffer/ }])
})
