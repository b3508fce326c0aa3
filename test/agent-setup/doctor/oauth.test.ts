/** Doctor against the product itself: with OAuth, without it, and behind proxies that break one thing each. */
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
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
import { listeningPort } from '../../helpers/listening-port.js'

const db = await sampleDatabase(t)
const offline = { clientDocuments: { resolve: async () => [] } }
const NAMES = ['oauth endpoint', 'oauth resource', 'oauth metadata', 'oauth hosts', 'oauth sign-in', 'oauth root']
// However busy this machine is, no check fails for it.
const PATIENT = { ...TIMEOUTS, answerMs: 120_000 }

interface Exchange { path: string, method: string, headers: IncomingHttpHeaders }
interface Answer { status: number, headers: IncomingHttpHeaders, body: Buffer }
interface Breaks {
  /** Changes what is passed on, or answers by itself. */
  request? (exchange: Exchange): Answer | undefined
  reply? (answer: Answer, exchange: Exchange): void
}

/** A proxy on loopback that passes everything on, whole, but for what it breaks. */
const proxyTo = async (t: Test) => {
  let port = 0
  let breaks: Breaks = {}
  const forward = (exchange: Exchange, body: Buffer, left: AbortSignal): Promise<Answer> => new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ...exchange, signal: left }, (answer) => {
      buffer(answer).then((whole) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: whole }), reject)
    }).on('error', reject).end(body)
  })
  const server = createServer((incoming, reply) => {
    const { url: path = '/', method = 'GET', headers } = incoming
    const exchange: Exchange = { path, method, headers: { ...headers } }
    const left = new AbortController()
    reply.once('close', () => left.abort())
    const answered = async (): Promise<Answer> => {
      const own = breaks.request?.(exchange)
      if (own) return own
      const answer = await forward(exchange, await buffer(incoming), left.signal)
      breaks.reply?.(answer, exchange)
      return answer
    }
    answered().then(({ status, headers: { 'transfer-encoding': _, connection: __, ...rest }, body }) => {
      reply.writeHead(status, { ...rest, 'content-length': body.length }).end(body)
    }, () => reply.destroy())
  })
  return {
    url: `http://localhost:${await listeningPort(t, server)}`,
    forwardTo: (to: number) => { port = to },
    breakBy: (change: Breaks) => { breaks = change }
  }
}

const portOf = async ({ app }: Pick<Awaited<ReturnType<typeof webServer>>, 'app'>): Promise<number> =>
  Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)

const checksOf = async (base: string, given = true): Promise<NamedCheck[]> => {
  const checks: NamedCheck[] = []
  const target = { url: new URL(`${base}/oauth/mcp`), given, keys: new URL(`${base}/mcp`) }
  for await (const check of runOAuthChecks(target, PATIENT)) checks.push(check)
  t.same(checks.map(({ name }) => name), NAMES, 'every check has its line')
  return checks
}
const faults = (checks: readonly NamedCheck[]) => checks.filter(({ status }) => status === 'failed' || status === 'warning')

const proxy = await proxyTo(t)
const server = await webServer(t, { publicUrl: proxy.url }, db, offline)
proxy.forwardTo(await portOf(server))

t.test('sound: behind a proxy, and without one and PUBLIC_URL', async (t) => {
  const checks = await checksOf(proxy.url)
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

const html = (status: number): Answer => ({ status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<!doctype html><title>Shop</title>') })
const isWellKnown = ({ path }: Exchange) => path.startsWith('/.well-known/')
const isOAuth = ({ path }: Exchange) => path.startsWith('/oauth/')
const RESOURCE = '/.well-known/oauth-protected-resource/oauth/mcp'
/** Rewrites the document about the resource. */
const resource = (change: (text: string) => string): Breaks => ({
  reply (answer, { path }) { if (path === RESOURCE) answer.body = Buffer.from(change(String(answer.body))) }
})

/** The first fault, its remedy, and whether applications are lost by it. */
const BROKEN: Array<[what: string, breaks: Breaks, name: string, detail: RegExp, remedy: RegExp, lost: boolean]> = [
  ['strips WWW-Authenticate', { reply: ({ headers }) => { delete headers['www-authenticate'] } },
    'oauth endpoint', /HTTP 401 with no WWW-Authenticate/, /pass the server's own 401/, false],
  ['strips Authorization', { request: ({ headers }) => { delete headers.authorization } },
    'oauth endpoint', /no token arrived/, /Authorization/, false],
  ['answers 401 by a page of its own', { reply: (answer) => { if (answer.status === 401) Object.assign(answer, html(401)) } },
    'oauth endpoint', /no WWW-Authenticate/, /pass the server's own 401/, false],
  ['has a login of its own', { request: () => ({ ...html(401), headers: { 'www-authenticate': 'Basic realm="office"' } }) },
    'oauth endpoint', /Basic realm="office"/, /WWW-Authenticate/, true],
  ['knows nothing of /oauth/', { request: (exchange) => isOAuth(exchange) ? html(404) : undefined },
    'oauth endpoint', /HTTP 404/, /pass \/oauth\//, false],
  ['answers /.well-known/ with 404', { request: (exchange) => isWellKnown(exchange) ? html(404) : undefined },
    'oauth resource', /HTTP 404/, /rule of its own/, true],
  ['answers /.well-known/ with a page', { request: (exchange) => isWellKnown(exchange) ? html(200) : undefined },
    'oauth resource', /an HTML page/, /page of a website/, true],
  ['redirects /.well-known/ to the website', { request: (exchange) => isWellKnown(exchange) ? { ...html(302), headers: { location: 'https://www.example.org/' } } : undefined },
    'oauth resource', /a redirect to https:\/\/www\.example\.org\//, /without a redirect/, true],
  ['passes on one of the well-known names', { request: (exchange) => isWellKnown(exchange) && !exchange.path.includes('protected-resource') ? html(404) : undefined },
    'oauth metadata', /HTTP 404 \(and 1 more\)/, /rule of its own/, true],
  ['lets no POST through but to /mcp', { request: ({ path, method }) => method === 'POST' && path.endsWith('/token') ? html(405) : undefined },
    'oauth sign-in', /answers a POST with 405/, /POST/, false],
  ['drops the bodies of redirects and their addresses', { reply: (answer) => { if (answer.headers.location !== undefined) Object.assign(answer, html(404)) } },
    'oauth sign-in', /authorize answers with 404/, /pages of the web application/, false],
  ['passes another Host on', { request: ({ headers }) => { headers.host = 'backend.internal' } },
    'oauth endpoint', /HTTP 403/, /Host/, true],
  ['writes its inner address into documents', {
    reply: (answer) => { answer.body = Buffer.from(String(answer.body).replaceAll(proxy.url, 'http://backend.internal:8080')) }
  }, 'oauth resource', /it is about http:\/\/backend\.internal:8080/, /PUBLIC_URL/, true],
  ['shortens the address of the document', {
    reply ({ headers }) { headers['www-authenticate'] &&= 'Bearer resource_metadata="/.well-known/oauth-protected-resource"' }
  }, 'oauth endpoint', /resource_metadata is/, /whole address/, false],
  ['leads to a document about another path', resource((text) => text.replace('/oauth/mcp"', '/plans/oauth/mcp"')),
    'oauth resource', /plans\/oauth\/mcp, not about/, /give people http.*plans/, true],
  ['leads to a document with an issuer on another host', resource((text) => text.replace(/("authorization_servers":\[")[^"]+/, '$1https://platform.example/oauth/mcp')),
    'oauth resource', /platform\.example/, /--oauth-url/, false],
  ['does not pass on the inserted address', { request: ({ path }) => path === '/.well-known/oauth-authorization-server/oauth/mcp' ? html(404) : undefined },
    'oauth metadata', /oauth-authorization-server\/oauth\/mcp answers with HTTP 404/, /rule of its own/, false],
  ['has a page at the inserted address', { request: ({ path }) => path === '/.well-known/oauth-authorization-server/oauth/mcp' ? html(200) : undefined },
    'oauth metadata', /an HTML page/, /page of a website/, true],
  ['answers at the root, where clients of keys look too', { request: ({ path }) => path === '/.well-known/oauth-protected-resource' ? { ...html(200), body: Buffer.from('{}') } : undefined },
    'oauth root', /\/\.well-known\/oauth-protected-resource answers with the document/, /404/, false]
]

for (const [what, breaks, name, detail, remedy, lost] of some(BROKEN)) {
  t.test(`a proxy that ${what}`, async (t) => {
    proxy.breakBy(breaks)
    t.teardown(() => proxy.breakBy({}))
    const checks = await checksOf(proxy.url)
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
  const front = await proxyTo(t)
  front.forwardTo(port)
  t.match(faults(await checksOf(front.url))[0], { name: 'oauth endpoint', status: 'failed', detail: new RegExp(`the 401 leads to http://(localhost|127\\.0\\.0\\.1):${port}`), remedy: /PUBLIC_URL/ })
})

t.test('a proxy that buffers breaks streams, and no step of the sign-in', async (t) => {
  t.same(faults(await checksOf(proxy.url)), [], 'it does')
  const { key } = await server.backend.credentials.createKey({ user: server.wide.id, name: 'doctor', scope: 'read' })
  const checks: NamedCheck[] = []
  const timeouts = { ...PATIENT, firstEventMs: 1000 }
  for await (const check of runChecks({ url: new URL(`${proxy.url}/mcp`), token: key }, { timeouts })) checks.push(check)
  t.match(faults(checks), [{ name: 'stream', remedy: /buffer/ }])
})
