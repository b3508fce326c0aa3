// What attackers try against the web application: from other sites, by guessing, with cookies of their choice, with hostile bodies.
import t from 'tap'
import { until } from '../helpers/until.js'
import { ORIGIN, webServer, type Browser } from '../helpers/web.js'

const server = await webServer(t, { trustProxy: '1' })
const { app, db, backend, wide, narrow } = server
await backend.directory.changeUser({ user: wide.id, serverAdmin: true })

interface Described { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, id: string }

const openapi = await server.browser().call<{ paths: Record<string, Record<string, { operationId: string }>> }>('GET', '/openapi.json')
const operations = Object.entries(openapi.body.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]): Described => ({
    method: method.toUpperCase() as Described['method'],
    path: path.replace(/^\/web\/v1/, '').replaceAll(/\{\w+\}/g, 'x'),
    id: operationId
  })))
/** An answer may neither be stored, embedded, sniffed nor referred to. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': /frame-ancestors 'none'/,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}
/** What someone may ask who is not signed in. */
const PUBLIC = [
  'getSignInOptions', 'signOut', 'lookUpSignInLink', 'signInByLink', 'getPasskeySignInOptions', 'signInByPasskey', 'lookUpInvitation', 'acceptInvitation'
]

t.test('no change is taken from another site, no answer read by one, and nothing but signing in is answered to no one', async (t) => {
  const browser = await server.signIn(wide.id)
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-exploration-mcp': undefined }
  const attempts: Array<Record<string, string | undefined>> = [
    { origin: undefined }, { origin: 'null' }, { origin: 'https://evil.example' }, { origin: 'http://localhost:9999' }, { origin: `${ORIGIN}.evil.example` },
    { 'x-exploration-mcp': undefined }, { 'x-exploration-mcp': 'other' }, form
  ]
  t.ok(operations.filter(({ method }) => method !== 'GET').length > 12)
  for (const [at, { method, path, id }] of operations.entries()) {
    // Each attempt at one change at least, and a few at each.
    const tried = method === 'GET' ? [{ origin: 'https://evil.example' }] : [attempts[at % attempts.length]!, form]
    for (const headers of tried) {
      const { status, body, headers: sent } = await browser.call(method, path, method === 'GET' ? undefined : 'token=x', headers)
      t.equal(status, 403, `${id} ${JSON.stringify(headers)}`)
      t.type(body['detail'], 'string')
      t.notOk(sent['access-control-allow-origin'])
    }
    if (PUBLIC.includes(id)) continue
    const { status, headers, cookies } = await server.browser().call(method, path, method === 'GET' ? undefined : {})
    t.equal(status, 401, id)
    t.match(headers, { ...HEADERS, 'content-type': /^application\/problem\+json/ }, id)
    t.same(cookies, {}, id)
  }
  for (const headers of attempts) t.equal((await browser.call('PATCH', '/account', { name: 'x' }, headers)).status, 403)
  for (const id of PUBLIC) t.ok(operations.some((operation) => operation.id === id), id)
  t.equal((await browser.call('GET', '/session')).status, 200, 'still signed in')
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/web/v1/session',
    headers: { host: 'localhost:8080', origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
  })
  t.notOk(preflight.headers['access-control-allow-origin'])
  t.ok(preflight.statusCode >= 400)
})

/** Of an answer that does not end. */
const headersOfStream = async ({ cookie }: Browser, path: string) => {
  const reply = await app.inject({ url: `/web/v1${path}`, headers: { host: 'localhost:8080', cookie }, payloadAsStream: true })
  reply.stream().destroy()
  return reply
}

t.test('each answer has the headers that keep it here', async (t) => {
  const browser = await server.signIn(wide.id)
  for (const { path } of [...operations.filter(({ method }) => method === 'GET'), { path: '/nothing-here' }]) {
    t.match((path === '/events' ? await headersOfStream(browser, path) : await browser.call('GET', path)).headers, HEADERS, path)
  }
})

t.test('a session id of an attacker\'s choice becomes no one\'s', async (t) => {
  const name = 'exploration_session_8080'
  const chosen = 'A'.repeat(43)
  const victim = server.browser()
  victim.cookies[name] = chosen
  const { token } = await backend.signInLinks.create(narrow.id)
  t.equal((await victim.call('POST', '/sign-in/link', { token })).status, 200)
  t.not(victim.cookies[name], chosen)
  const attacker = server.browser()
  attacker.cookies[name] = chosen
  t.equal((await attacker.call('GET', '/session')).status, 401)

  const before = victim.cookies[name]!
  const second = await backend.signInLinks.create(wide.id)
  t.equal((await victim.call('POST', '/sign-in/link', { token: second.token })).status, 200)
  t.not(victim.cookies[name], before, 'new at each sign-in')
  attacker.cookies[name] = before
  t.equal((await attacker.call('GET', '/session')).status, 401, 'and the one of before is over')
})

t.test('the cookie opens the web application only, and a bearer opens all but that', async (t) => {
  const browser = await server.signIn(wide.id)
  const { cookie } = browser
  const { key } = await backend.credentials.createKey({ user: wide.id, name: 'k', scope: 'admin' })
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = (headers: Record<string, string>) => app.inject({
    method: 'POST', url: '/mcp', headers: { host: 'localhost:8080', accept: 'application/json, text/event-stream', ...headers }, payload: body
  })
  t.equal((await post({ cookie })).statusCode, 401)
  t.equal((await app.inject({ url: '/api/v1/token', headers: { host: 'localhost:8080', cookie } })).statusCode, 401)
  t.equal((await app.inject({ url: '/web/v1/session', headers: { host: 'localhost:8080', authorization: `Bearer ${key}` } })).statusCode, 401)
  const secret = Object.values(browser.cookies)[0]!
  t.equal((await app.inject({ url: '/web/v1/session', headers: { host: 'localhost:8080', authorization: `Bearer ${secret}` } })).statusCode, 401)
  t.equal((await app.inject({ url: `/web/v1/session?exploration_session_8080=${secret}`, headers: { host: 'localhost:8080' } })).statusCode, 401)
  for (const url of ['/mcp', '/livez', '/readyz', '/api/v1/token', '/.well-known/oauth-protected-resource', '/device', '/nothing']) {
    const { headers } = await app.inject({ url, headers: { host: 'localhost:8080', cookie } })
    t.notOk(headers['set-cookie'], url)
  }
})

t.test('a cookie that is no session is no one, whatever it is', async (t) => {
  const valid = Object.values((await server.signIn(wide.id)).cookies)[0]!
  for (const value of ['', 'x', 'A'.repeat(43), 'A'.repeat(8000), '%00', '"', `${valid}x`, valid.toLowerCase(), ` ${valid.slice(1)}`, '__proto__', `${valid}%00`]) {
    const { statusCode } = await app.inject({ url: '/web/v1/session', headers: { host: 'localhost:8080', cookie: `exploration_session_8080=${value}` } })
    t.equal(statusCode, 401, value.slice(0, 60))
  }
  for (const name of ['__Host-exploration_session', 'exploration_session', 'exploration_session_80', 'Exploration_session_8080']) {
    t.equal((await app.inject({ url: '/web/v1/session', headers: { host: 'localhost:8080', cookie: `${name}=${valid}` } })).statusCode, 401, name)
  }
})

t.test('a host name that leads here by another\'s DNS is refused', async (t) => {
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8080']) {
    t.equal((await app.inject({ url: '/web/v1/session', headers: { host } })).statusCode, 403, host)
  }
  const published = await webServer(t, { publicUrl: 'https://plans.example' }, db)
  const { token } = await backend.signInLinks.create(narrow.id)
  const elsewhere = await published.browser().call('POST', '/sign-in/link', { token }, { host: 'localhost:8080', origin: ORIGIN })
  t.match(elsewhere, { status: 403, body: { detail: 'Changes are only taken from the pages of this server: open https://plans.example.' } })
  const right = await published.browser().call('POST', '/sign-in/link', { token })
  t.match(right.headers['set-cookie'], /^__Host-exploration_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

t.test('guesses are few, of one address and network, however they are made, and are on record', async (t) => {
  const limited = await webServer(t, { trustProxy: '1', signInsPerMinute: '3' }, db)
  const guess = (path: string, body: unknown, address: string, browser: Browser = limited.browser()) =>
    browser.call('POST', path, body, { 'x-forwarded-for': address })
  const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }
  t.equal((await guess('/sign-in/link', { token: `svc_link_${'A'.repeat(52)}` }, '192.0.2.1')).status, 401)
  t.equal((await guess('/sign-in/passkey', { response }, '192.0.2.1')).status, 401)
  t.equal((await guess('/invitations/lookup', { token: `svc_invite_${'A'.repeat(52)}` }, '192.0.2.1')).status, 401)
  for (const [path, body] of [
    ['/sign-in/link', { token: 'x' }], ['/sign-in/passkey/options', undefined], ['/sign-in/passkey', { response }], ['/invitations/lookup', { token: 'x' }],
    ['/sign-in/invitation', { token: 'x', name: 'x' }]
  ] as const) {
    const reply = await guess(path, body, '192.0.2.1')
    t.match(reply, { status: 429, body: { detail: /Too many attempts to sign in from this address\. Try again in \d+ seconds\./ }, headers: { 'retry-after': /^\d+$/ } }, path)
  }
  t.equal((await guess('/sign-in/link', { token: 'x' }, '192.0.2.2')).status, 401, 'others are not kept out')
  for (let host = 0; host < 3; host++) await guess('/sign-in/link', { token: 'x' }, `2001:db8::${host}`)
  t.equal((await guess('/sign-in/link', { token: 'x' }, '2001:db8::ffff')).status, 429, 'one host has a whole /64')
  const { token } = await backend.signInLinks.create(narrow.id)
  t.equal((await guess('/sign-in/link', { token }, '192.0.2.1')).status, 429)
  t.equal((await guess('/sign-in/link', { token }, '192.0.2.3')).status, 200, 'an attempt too many uses no link up')
  await limited.app.close()
  const refused = await backend.audit.list({ action: 'refused POST /web/v1', limit: 100 })
  const of = (route: string, outcome: string) => refused.filter((event) =>
    event.action === `refused POST /web/v1${route}` && event.outcome === outcome && event.remote_address === '192.0.2.1')
  t.equal(of('/sign-in/link', 'unauthorized').length, 1)
  t.equal(of('/sign-in/passkey', 'unauthorized').length, 1)
  t.equal(of('/invitations/lookup', 'unauthorized').length, 1)
  t.ok(of('/sign-in/link', 'rate_limited').length >= 1)
})

t.test('so many requests of one person are worked on at a time, some wait, more are refused; others are not delayed', async (t) => {
  const server = await webServer(t, { concurrentCalls: '2' }, db)
  const { search } = server.backend.web!.store
  const begun: string[] = []
  const waiting: Array<() => void> = []
  search.find = async ({ query }) => {
    begun.push(query)
    await new Promise<void>((resolve) => { waiting.push(resolve) })
    return { items: [] }
  }
  const browser = await server.signIn(server.wide.id)
  const statuses: number[] = []
  const replies = Array.from({ length: 2 + 8 + 5 }, async (_, n) => {
    const { status, body } = await browser.call('GET', `/explorations?q=question${n}`)
    statuses.push(status)
    if (status === 429) t.match(body, { detail: /^You have 2 requests under way/ })
  })
  await until(() => begun.length >= 2 && (statuses.length === 5 || begun.length > 2))
  t.ok(statuses.every((status) => status === 429))
  t.equal(begun.length, 2)
  t.equal((await (await server.signIn(server.narrow.id)).call('GET', '/explorations')).status, 200, 'another person has places of their own')
  await until(() => {
    t.ok(waiting.length <= 2, 'never more than two')
    waiting.shift()?.()
    return statuses.length === replies.length
  })
  await Promise.all(replies)
  t.equal(statuses.filter((status) => status === 200).length, 10)
  t.equal((await browser.call('GET', '/explorations')).status, 200, 'and all places are free again')
})

t.test('hostile bodies are refused with a sentence', async (t) => {
  const browser = await server.signIn(narrow.id)
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  const bodies: unknown[] = [
    'x', '[]', 'null', '"x"', deep, { token: 1 }, { token: ['a'] }, { token: 'x'.repeat(300) }, { token: 'x', more: 1 }, '{"token":"x","__proto__":{"a":1}}',
    { token: '\u0000' }, { token: '\ud800' }
  ]
  for (const body of bodies) {
    const { status, body: problem } = await browser.call('POST', '/sign-in/link', body)
    t.ok([400, 401, 415, 422].includes(status), `${JSON.stringify(body).slice(0, 60)}: ${status}`)
    t.type(problem['detail'], 'string')
  }
  for (const name of ['\u0000', '\ud800x', 'x'.repeat(201), ' ', 7]) {
    const { status } = await browser.call('PATCH', '/account', { name })
    t.equal(status, 400, JSON.stringify(name).slice(0, 40))
  }
  const shown = '<img src=x onerror=alert(1)>\u202e'
  t.equal((await browser.call('PATCH', '/account', { name: shown })).status, 200)
  const { headers, body } = await browser.call<{ user: { name: string } }>('GET', '/session')
  t.match(headers['content-type'], /^application\/json/)
  t.equal(body.user.name, shown, 'kept as it is, and never sent as a page')
  t.equal((await browser.call('POST', '/sign-in/link', `{"token":"${'x'.repeat(200_000)}"}`)).status, 413)
  t.notMatch(server.log.join(''), /"level":50/, 'nothing failed inside')
})

t.test('who is known here is not to be learned', async (t) => {
  const { body } = await server.browser().call('GET', '/sign-in-options')
  t.same(body, { passkeys: true, oidc: null, link_command: 'exploration-mcp sign-in-link' })
  const options = await server.browser().call('POST', '/sign-in/passkey/options')
  t.same(Object.keys(options.body).sort(), ['challenge', 'rpId', 'timeout', 'userVerification'])
})
