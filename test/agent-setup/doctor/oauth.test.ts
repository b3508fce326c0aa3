/** What doctor says of the address where people sign in, through proxies that break one thing each. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import type { NamedCheck } from '../../../src/agent-setup/doctor/finding.js'
import { runOAuthChecks } from '../../../src/agent-setup/doctor/oauth/run-oauth-checks.js'
import { oauthAddressOf } from '../../../src/agent-setup/registry/endpoint-address.js'
import { TIMEOUTS } from '../../../src/agent-setup/doctor/probe.js'
import { listeningPort } from '../../helpers/listening-port.js'

type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void

const NAMES = ['oauth endpoint', 'oauth resource', 'oauth metadata', 'oauth hosts', 'oauth sign-in', 'oauth root']

const json = (value: object, status = 200, headers: Record<string, string> = {}): Answer => (_incoming, reply) => {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
const page: Answer = (_incoming, reply) => { reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>') }
const notFound = json({ error: 'not_found' }, 404)
const moved = (location: string): Answer => (_incoming, reply) => { reply.writeHead(302, { location }).end() }

/** What a sound server answers. `base` is its own idea of its address, which proxies get wrong. */
const sound = (base: string): Record<string, Answer> => {
  const issuer = `${base}/oauth/mcp`
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true
  }
  const prm = '/.well-known/oauth-protected-resource/oauth/mcp'
  return {
    '/oauth/mcp': (incoming, reply) => {
      const error = incoming.headers.authorization === undefined ? '' : ', error="invalid_token"'
      json({}, 401, { 'www-authenticate': `Bearer realm="x"${error}, resource_metadata="${base}${prm}", scope="read"` })(incoming, reply)
    },
    [prm]: json({ resource: issuer, authorization_servers: [issuer] }),
    '/.well-known/oauth-authorization-server/oauth/mcp': json(metadata),
    '/.well-known/openid-configuration/oauth/mcp': json(metadata),
    '/oauth/mcp/.well-known/openid-configuration': json(metadata),
    '/oauth/mcp/token': json({ error: 'invalid_request' }, 400),
    '/oauth/mcp/authorize': moved('/sign-in')
  }
}

/** A server, and what lies before it: routes that `changes` names are answered otherwise, or not at all. */
const served = async (
  t: Test, changes: (base: string) => Record<string, Answer> = () => ({}), idea: (base: string) => string = (base) => base
): Promise<URL> => {
  let routes: Record<string, Answer> = {}
  const server = createServer((incoming, reply) => {
    const answer = routes[new URL(incoming.url ?? '/', 'http://x').pathname] ?? notFound
    answer(incoming, reply)
  })
  const base = `http://127.0.0.1:${await listeningPort(t, server)}`
  routes = { ...sound(idea(base)), ...changes(base) }
  return new URL(`${base}/oauth/mcp`)
}

const checksOf = async (url: URL, given = true): Promise<NamedCheck[]> => {
  const keys = new URL('/mcp', url)
  // However busy this machine is, no check fails for it.
  const checks: NamedCheck[] = []
  for await (const check of runOAuthChecks({ url, given, keys }, { ...TIMEOUTS, answerMs: 120_000 })) checks.push(check)
  t.strictSame(checks.map(({ name }) => name), NAMES, 'every check has its line')
  return checks
}

const faults = (checks: readonly NamedCheck[]) => checks.filter(({ status }) => status === 'failed' || status === 'warning')

t.test('a sound server', async (t) => {
  const checks = await checksOf(await served(t))
  t.strictSame(faults(checks), [])
  t.match(checks.find(({ name }) => name === 'oauth hosts')?.detail, /Claude\.ai.*ChatGPT.*VS Code.*Cursor.*Codex.*Gemini.*opencode.*Copilot/)
})

t.test('a server without OAuth is no fault, unless the address was given', async (t) => {
  const url = await served(t, () => ({
    '/oauth/mcp': notFound, '/.well-known/oauth-protected-resource/oauth/mcp': notFound
  }))
  const derived = await checksOf(url, false)
  t.strictSame(faults(derived), [])
  t.strictSame(derived.slice(0, 5).map(({ status }) => status), Array.from({ length: 5 }, () => 'skipped'))
  t.match(faults(await checksOf(url, true))[0], { name: 'oauth endpoint', status: 'failed' })
})

const INSERTED = '/.well-known/oauth-authorization-server/oauth/mcp'
const INSERTED_OPENID = '/.well-known/openid-configuration/oauth/mcp'
const APPENDED = '/oauth/mcp/.well-known/openid-configuration'
const RESOURCE = '/.well-known/oauth-protected-resource/oauth/mcp'

/** The first fault is this one; and whether applications are lost by it. */
const finds = (
  what: string, changes: (base: string) => Record<string, Answer>, [name, detail, remedy]: [string, RegExp, RegExp],
  lost?: RegExp
) => t.test(what, async (t) => {
  const checks = await checksOf(await served(t, changes))
  const [first] = faults(checks)
  t.match(first, { name, detail, remedy })
  const hosts = checks.find((check) => check.name === 'oauth hosts')
  if (lost) t.match(hosts, { status: 'failed', detail: lost })
  else t.match(hosts, { status: 'passed' })
})

finds('a proxy that knows nothing of /oauth/', () => ({ '/oauth/mcp': page }),
  ['oauth endpoint', /HTTP 200/, /proxy pass \/oauth\//])
finds('a proxy that answers 401 by itself', () => ({ '/oauth/mcp': json({}, 401) }),
  ['oauth endpoint', /no WWW-Authenticate/, /WWW-Authenticate/])
finds('a proxy with a login of its own', () => ({ '/oauth/mcp': json({}, 401, { 'www-authenticate': 'Basic realm="office"' }) }),
  ['oauth endpoint', /Basic realm="office"/, /server's own 401/])
finds('the address of the document is relative', () => ({
  '/oauth/mcp': json({}, 401, { 'www-authenticate': 'Bearer resource_metadata="/.well-known/oauth-protected-resource"' })
}), ['oauth endpoint', /resource_metadata is/, /whole address/])
finds('the document about the resource is not passed on', () => ({ [RESOURCE]: notFound }),
  ['oauth resource', /HTTP 404/, /\.well-known\/oauth-protected-resource\/….*rule of its own/],
  /^not found by Claude\.ai.*Copilot CLI/)
finds('a website stands at the address of the document', () => ({ [RESOURCE]: page }),
  ['oauth resource', /an HTML page/, /page of a website/], /not found by/)
finds('the document leads elsewhere', () => ({ [RESOURCE]: moved('https://www.example.org/login') }),
  ['oauth resource', /a redirect to https:\/\/www\.example\.org\/login/, /without a redirect/], /not found by/)
finds('the document is about another path', (base) => ({
  [RESOURCE]: json({ resource: `${base}/plans/oauth/mcp`, authorization_servers: [`${base}/oauth/mcp`] })
}), ['oauth resource', /plans\/oauth\/mcp, not about/, /give people http.*plans/], /^not found by Claude\.ai and Claude Desktop, Claude Code, VS Code:/)
finds('the inserted address is not passed on', () => ({ [INSERTED]: notFound }),
  ['oauth metadata', /oauth-authorization-server\/oauth\/mcp answers with HTTP 404/, /rule of its own/])
finds('neither inserted address is passed on', () => ({ [INSERTED]: notFound, [INSERTED_OPENID]: notFound }),
  ['oauth metadata', /HTTP 404 \(and 1 more\)/, /rule of its own/], /^not found by ChatGPT: there is nothing at/)
finds('a website stands at the inserted address', () => ({ [INSERTED]: page }),
  ['oauth metadata', /an HTML page/, /page of a website/], /^not found by Claude Code, ChatGPT, VS Code, Cursor,/)
finds('a website stands at every well-known address', () => ({
  [RESOURCE]: page, [INSERTED]: page, [INSERTED_OPENID]: page, [APPENDED]: page
}), ['oauth resource', /an HTML page/, /page of a website/], /not found by Claude\.ai/)
finds('the metadata follows the Host header', (base) => ({
  [INSERTED]: json({
    issuer: `${base}/oauth/mcp`,
    authorization_endpoint: 'http://internal:8080/oauth/mcp/authorize',
    token_endpoint: 'http://internal:8080/oauth/mcp/token',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256']
  })
}), ['oauth metadata', /authorization_endpoint is http:\/\/internal:8080/, /PUBLIC_URL.*Host header/], /not found by Claude Code/)
finds('requests by POST do not get through', () => ({ '/oauth/mcp/token': page }),
  ['oauth sign-in', /token answers a POST with 200/, /POST/])
finds('the page of the sign-in does not get through', () => ({ '/oauth/mcp/authorize': notFound }),
  ['oauth sign-in', /authorize answers with 404/, /pages of the web application/])
finds('metadata at the root takes the key from clients of /mcp', (base) => ({
  '/.well-known/oauth-protected-resource': json({ resource: base, authorization_servers: [base] })
}), ['oauth root', /\/\.well-known\/oauth-protected-resource answers with the document/, /404/])

t.test('https ends at the proxy, and the server speaks of http', async (t) => {
  const url = await served(t, () => ({}), (base) => base.replace('127.0.0.1', 'plans.example'))
  const checks = await checksOf(url)
  t.match(faults(checks)[0], { name: 'oauth endpoint', detail: /the 401 leads to http:\/\/plans\.example/, remedy: /PUBLIC_URL/ })
  t.match(checks[1], { status: 'failed', detail: /it is about http:\/\/plans\.example/ }, 'nothing was asked of that other host')
})

t.test('the issuer is on another host: nothing is asked of it', async (t) => {
  const url = await served(t, (base) => ({
    [RESOURCE]: json({ resource: `${base}/oauth/mcp`, authorization_servers: ['https://platform.example/oauth/mcp'] })
  }))
  t.match((await checksOf(url))[1], { status: 'warning', detail: /platform\.example/, remedy: /--oauth-url/ })
})

t.test('the address beside an endpoint', async (t) => {
  t.equal(oauthAddressOf('https://example.org/mcp'), 'https://example.org/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/plans/mcp/'), 'https://example.org/plans/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/oauth/mcp'), 'https://example.org/oauth/mcp')
  t.equal(oauthAddressOf('https://example.org/'), undefined)
})
