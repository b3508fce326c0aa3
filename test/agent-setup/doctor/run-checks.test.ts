import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { runChecks } from '../../../src/agent-setup/doctor/run-checks.js'
import type { NamedCheck } from '../../../src/agent-setup/doctor/finding.js'
import type { Timeouts } from '../../../src/agent-setup/doctor/probe.js'
import type { Flags } from '../../../src/config/config.js'
import type { Database } from '../../../src/db/sql/database.js'
import { handshake } from '../../../src/agent-setup/doctor/handshake.js'
import { build } from '../../helpers/build.js'
import { some } from '../../helpers/fuzzing.js'
import { listeningPort } from '../../helpers/listening-port.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'
import { EXPIRED, KEY, NOT_YET_VALID, OF_ANOTHER_HOST, SELF_SIGNED } from '../certificates.js'
import { proxy, type Manners } from '../misbehaving.js'

const WAY = ['dns', 'tcp', 'tls', 'redirect', 'path']
const ALL = [
  ...WAY, 'accept', 'modern era', 'legacy era', 'authentication', 'workspaces', 'limits', 'clock', 'stream', 'session', 'version'
]

const listening = async (t: Test, flags: Flags = {}, shared?: Database) => {
  const server = await build(t, flags, [], shared)
  return { ...server, url: `${await server.app.listen({ host: '127.0.0.1', port: 0 })}/mcp` }
}

// However busy this machine is, no check fails for it.
const LONG_TIMEOUTS: Timeouts = { connectMs: 120_000, answerMs: 120_000, firstEventMs: 120_000, nextEventMs: 120_000, slowMs: 120_000 }

const checksOf = (url: string, token?: string, timeouts: Partial<Timeouts> = {}): Promise<NamedCheck[]> =>
  Readable.from(runChecks({ url: new URL(url), token }, { timeouts: { ...LONG_TIMEOUTS, ...timeouts } })).toArray()

/** What is not as it should be, and is not merely left out for that. */
const faults = (checks: readonly NamedCheck[]) =>
  checks.filter(({ status }) => status === 'failed' || status === 'warning')

const { app, url, key, credentials, people, db, log } = await listening(t, { rateLimitReadPerMinute: '1000' })

t.test('a sound server', async (t) => {
  const checks = await checksOf(url, key)
  t.strictSame(checks.map(({ name }) => name), ALL)
  t.strictSame(faults(checks), [])
  t.strictSame(checks.filter(({ status }) => status === 'skipped').map(({ name }) => name), ['dns', 'tls'])
  t.match(Object.fromEntries(checks.map(({ name, detail }) => [name, detail])), {
    'modern era': 'served: 2026-07-28',
    'legacy era': 'served: 2025-11-25',
    workspaces: '3 visible',
    limits: /^\d+ of 1000 a minute, \d+ of 10000 a day are left/,
    version: /^exploration-mcp \d/,
    stream: /first event came after \d+ ms/
  })
})

t.test('through a proxy that is no trouble; the session is ended, no stream is left', async (t) => {
  const { url: through, asked } = await proxy(t, url)
  t.strictSame(faults(await checksOf(through, key)), [])
  t.match(asked.at(-1), 'DELETE /mcp')
  t.ok(asked.length < 20, `${asked.length} requests`)
  const connections = promisify(app.server.getConnections.bind(app.server))
  while (await connections() > 0) await new Promise((resolve) => { setImmediate(resolve) })
})

const answers = (status: number, headers: Record<string, string>, body?: string): Manners =>
  ({ instead: (_, reply) => Boolean(reply.writeHead(status, headers).end(body)) })

/** Through a proxy that behaves like this, exactly one check fails: that one, for this reason, with this remedy. */
const FOUND: Array<[what: string, Manners, found: [name: string, detail: RegExp, remedy: RegExp], timeouts?: Partial<Timeouts>]> = [
  ['a proxy that keeps events back', { rewrite () {} },
    ['stream', /^no event came in 300 ms/, /buffering off .*proxy_buffering off/], { firstEventMs: 300 }],
  ['a proxy that passes on the first event alone', {
    buffersTheRest: true, answer: (headers) => ({ ...headers, server: 'nginx' })
  },
  ['stream', /^nothing came in 300 ms after the first event/, /proxy_buffering off/], { nextEventMs: 300 }],
  ['a proxy that ends silent streams', { answer: (headers) => ({ ...headers, via: '1.1 x' }), cutsAfterMs: 100 }, ['stream', /^the first event came after \d+ ms, and then the stream ended|^the stream broke/, /proxy_read_timeout/]],
  ['a proxy that takes the credential off', { ask: ({ authorization, ...headers }) => headers },
    ['authentication', /saw no Authorization header/, /proxy_set_header Authorization/]],
  ['a proxy that wants a password', {
    instead: ({ headers }, reply) => {
      if (headers.authorization?.startsWith('Basic')) return false
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      return true
    }
  }, ['authentication', /wants a password/, /without the proxy's own login/]],
  ['a proxy that adds a credential', { ask: (headers) => ({ ...headers, authorization: `Bearer ${key}` }) },
    ['authentication', /answers without a credential/, /adds a credential of its own/]],
  ['a proxy that narrows Accept', { ask: (headers) => ({ ...headers, accept: 'application/json' }) },
    ['accept', /^HTTP 406/, /changes the Accept header/]],
  ['a proxy that takes headers off', {
    ask: (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-(?:method|protocol)/.test(name)))
  }, ['modern era', /^HTTP 400: .*MCP-Protocol-Version/, /Mcp- through/]],
  ['a server that is behind', { answer: (headers) => ({ ...headers, date: new Date(Date.now() - 300_000).toUTCString() }) },
    ['clock', /is (?:29\d|30\d|31\d) s behind/, /NTP/]],
  ['a server that is ahead', { answer: (headers) => ({ ...headers, date: new Date(Date.now() + 90_000).toUTCString() }) },
    ['clock', /s ahead of/, /NTP/]],
  ['a redirect', answers(308, { location: 'https://plans.example/mcp' }),
    ['redirect', /^HTTP 308 to https:\/\/plans\.example\/mcp/, /^Use https:\/\/plans\.example\/mcp instead of .*Authorization/]],
  ['a redirect to nowhere', answers(302, { location: 'http://:0' }),
    ['redirect', /^HTTP 302 to no address/, /without a redirect/]],
  ['a proxy whose server is gone', answers(502, {}, '<h1>Bad Gateway</h1>'),
    ['path', /^HTTP 502/, /start the server/]],
  ['a web site', answers(200, { 'content-type': 'text/html' }, '<html>'),
    ['path', /^HTTP 200 at \/mcp/, /It is \/mcp, unless/]],
  ['a name that the server does not know', { ask: (headers) => ({ ...headers, host: 'plans.example' }) },
    ['path', /^HTTP 403: .*loopback/, /PUBLIC_URL/]],
  ['a slow server', { delayMs: 60 }, ['path', /^the answer took \d+ ms/, /Agents give up/], { slowMs: 50 }],
  ['one that never answers', { instead: () => true }, ['path', /^no answer in time/, /does not answer/], { answerMs: 200 }],
  ['one that hangs up', { instead: ({ socket }) => { socket.destroy(); return true } }, ['path', /^no answer \(/, /does not speak HTTP/]],
  ['a certificate of no one that is known', { tls: { key: KEY, cert: SELF_SIGNED } }, ['tls', /DEPTH_ZERO_SELF_SIGNED_CERT/, /NODE_EXTRA_CA_CERTS/]],
  ['a certificate of another host', { tls: { key: KEY, cert: OF_ANOTHER_HOST } }, ['tls', /is not for 127\.0\.0\.1 but for elsewhere/, /name that/]],
  ['a certificate that is over', { tls: { key: KEY, cert: EXPIRED } }, ['tls', /expired on 2021-01-01/, /Renew/]],
  ['a certificate of the future', { tls: { key: KEY, cert: NOT_YET_VALID } }, ['tls', /not valid before 2049-01-01/, /clock of this machine/]],
  ['a replica that does not get the session', {
    ask: ({ 'mcp-session-id': id, ...headers }) => ({ ...headers, ...(id && { 'mcp-session-id': `${String(id).slice(0, -1)}x` }) })
  }, ['session', /^lost at call 1 of 3: HTTP 404/, /SESSION_SECRET/]]
]

for (const [what, manners, [name, detail, remedy], timeouts] of some(FOUND)) {
  t.test(what, async (t) => {
    const { url: through } = await proxy(t, url, manners)
    const checks = await checksOf(through, key, timeouts)
    t.strictSame(checks.map(({ name }) => name), ALL, 'every check has its line')
    const found = faults(checks)
    t.strictSame(found.map(({ name }) => name), [name])
    t.match(found[0], { detail, remedy })
    if (WAY.includes(name) && found[0]?.status === 'failed') {
      for (const { name: other, status, detail } of checks.slice(checks.findIndex((check) => check.name === name) + 1)) {
        t.match({ status, detail }, { status: 'skipped', detail: `needs ${name}` }, other)
      }
    }
  })
}

t.test('events that come through a proxy as they are said', async (t) => {
  const [user] = await people.listUsers()
  const [workspace] = await db.query<{ id: string }>('select id from workspaces where id not in (select workspace_id from memberships where user_id = $1)', [user!.id])
  const { url: through } = await proxy(t, url, {
    answer: (headers) => {
      // Something changes as soon as the stream is open.
      if (headers['content-type'] === 'text/event-stream') people.addMember({ user: user!.id, workspace: workspace!.id, role: 'viewer' }).catch(t.error)
      return { ...headers, server: 'nginx' }
    }
  })
  const { key } = await credentials.createKey({ user: user!.id, name: 'watcher', scope: 'read' })
  t.match((await checksOf(through, key)).find(({ name }) => name === 'stream'), {
    status: 'passed', detail: /the next sign of life \d+ ms later, through a proxy/
  })
})

t.test('a path where nothing is, and one below a proxy\'s folder', async (t) => {
  t.match(faults(await checksOf(url.replace('/mcp', '/api/'), key)), [{ detail: 'HTTP 404 at /api/', remedy: `Use ${url}: that is an MCP endpoint.` }])
  const { url: through } = await proxy(t, url, {
    instead: ({ url: path }, reply) => path !== '/plans/mcp' && Boolean(reply.writeHead(404).end()), upstream: () => url
  })
  const folder = through.replace('/mcp', '/plans')
  t.match(faults(await checksOf(folder, key)), [{ name: 'path', remedy: `Use ${folder}/mcp: that is an MCP endpoint.` }])
})

t.test('what does not speak HTTP, or TLS, is closed, or has no address', async (t) => {
  const smtp = createServer((socket) => { socket.on('error', () => {}).once('data', () => { socket.end('220 smtp ready\r\n') }) })
  const open = `127.0.0.1:${await listeningPort(t, smtp)}/mcp`
  const tls = await proxy(t, url, { tls: { key: KEY, cert: SELF_SIGNED } })
  for (const [address, fault] of [
    [`http://${open}`, { name: 'path', remedy: /does not speak HTTP/ }],
    [`https://${open}`, { name: 'tls', detail: /^no handshake of TLS/, remedy: /use the http address/ }],
    [tls.url.replace('https', 'http'), { name: 'path', remedy: /use the https address/ }],
    ['http://127.0.0.1:1/mcp', { name: 'tcp', detail: /ECONNREFUSED/, remedy: /Nothing listens there/ }],
    ['https://nowhere.invalid/mcp', { name: 'dns', detail: /nowhere\.invalid has no address/, remedy: /host name/ }]
  ] as const) t.match(faults(await checksOf(address, key)), [fault], address)
})

t.test('credentials', async (t) => {
  const [user] = await people.listUsers()
  const fault = async (token?: string) => {
    const found = faults(await checksOf(url, token))
    t.strictSame(found.map(({ name }) => name), ['authentication'])
    if (token !== undefined) t.notMatch(JSON.stringify(found), token)
    return found[0]
  }
  t.match(await fault(), { detail: /no credential/, remedy: /exploration-mcp init/ })
  t.match(await fault(key.slice(0, 30)), { detail: 'HTTP 401, mistyped', remedy: /its end is missing/ })
  t.match(await fault('$EXPLORATION_TOKEN'), { detail: 'HTTP 401, placeholder', remedy: /set the variable/ })
  const { id, key: revoked } = await credentials.createKey({ user: user!.id, name: 'r', scope: 'read' })
  await credentials.revoke('api_key', id)
  t.match(await fault(revoked), { detail: 'HTTP 401, invalid', remedy: /revoked/ })
  const { key: brief } = await credentials.createKey({ user: user!.id, name: 'b', scope: 'read', expiresIn: 3_600_000 })
  t.match(await fault(brief), { status: 'warning', detail: /accepted until .* GMT/, remedy: /--rotate/ })
  const { id: newcomer } = await people.createUser({ email: 'new@example.com', name: 'New', kind: 'person' })
  const { key: blind } = await credentials.createKey({ user: newcomer, name: 'b', scope: 'read' })
  t.match(faults(await checksOf(url, blind)), [{ name: 'workspaces', status: 'failed', remedy: /members add/ }])
})

t.test('limits', async (t) => {
  const few = await listening(t, { rateLimitReadPerDay: '14' }, db)
  t.strictSame(faults(await checksOf(few.url, few.key)), [])
  await checksOf(few.url, few.key)
  t.match(faults(await checksOf(few.url, few.key)), [{
    name: 'limits', status: 'failed', detail: /^HTTP 429/, remedy: /^Wait \d+ seconds/
  }])
  const little = await listening(t, { rateLimitReadPerMinute: '300', rateLimitReadPerDay: '6' }, db)
  t.match(faults(await checksOf(little.url, little.key))[0], {
    name: 'limits', status: 'warning', detail: /0 of 6 a day are left/
  })
})

t.test('eras that are switched off are left out, and nothing fails for it', async (t) => {
  const statuses = async (flags: Flags) => {
    const { url, key } = await listening(t, flags, db)
    const checks = await checksOf(url, key)
    t.strictSame(faults(checks), [])
    return Object.fromEntries(['modern era', 'legacy era', 'stream', 'session', 'version'].map((name) => [name, checks.find((check) => check.name === name)?.status]))
  }
  const all = { 'modern era': 'passed', 'legacy era': 'passed', stream: 'passed', session: 'passed', version: 'passed' }
  t.strictSame(await statuses({ revisions: '2026-07-28' }), { ...all, 'legacy era': 'skipped', session: 'skipped' })
  t.strictSame(await statuses({ revisions: '2025-06-18', sessions: 'off' }), {
    ...all, 'modern era': 'skipped', session: 'skipped', stream: 'skipped'
  })
  t.strictSame(await statuses({ replyMode: 'sse', acceptRule: 'negotiated' }), all)
})

t.test('the handshake of an entry: both eras, or why not, in the server\'s words', async (t) => {
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
  const ended = async () => (await db.query('select 1 from ended_sessions')).length
  const before = await ended()
  t.strictSame(await handshake(new URL(url), bearer(key)), { ok: true, eras: ['legacy', 'modern'], tools: tools.length })
  t.equal(await ended(), before + 1, 'the session that it opened is ended')
  for (const [headers, reason] of [
    [bearer('svc_pat_' + 'A'.repeat(32)), /revoked or expired/], [{ Authorization: `Bearer  ${key}` }, /more than one space/], [{}, /no Authorization header/]
  ] as const) t.match(await handshake(new URL(url), headers), { ok: false, reason })
  t.match(await handshake(new URL('/elsewhere', url), bearer(key)), { ok: false, reason: /check the URL/ })
  const answers = async (instead: Manners['instead']) => handshake(new URL((await proxy(t, url, { instead })).url), bearer(key))
  t.match(await answers((_, reply) => Boolean(reply.writeHead(308, { location: 'https://plans.example/mcp' }).end())), {
    ok: false, reason: /redirects to https:\/\/plans\.example\/mcp/
  })
  t.match(await answers((_, reply) => Boolean(reply.end('x'.repeat(2_000_000)))), { ok: false, reason: /too long/ })
  t.match(await handshake(new URL('http://127.0.0.1:1/mcp'), {}), { ok: false, unreachable: true, reason: /127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)/ })
})

t.test('the response is found in an event stream, however its lines end', async (t) => {
  const message = (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},\n"result":{"tools":[{}]}}`.split('\n')
  for (const [what, write] of [
    ['LF', ([one, two]) => `event: message\ndata: ${one}${two}\n\n`],
    ['CR LF, after a byte order mark', ([one, two]) => `\uFEFFevent: message\r\ndata: ${one}\r\ndata: ${two}\r\n\r\n`],
    ['CR', ([one, two]) => `data: ${one}\rdata:${two}\r\r`],
    ['comments, a priming event and a notification before it, and no blank line at the end', ([one, two]) =>
      `: keep-alive\n\nid: c-1:0\ndata: \n\nretry: 10\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\ndata: ${one}${two}`]
  ] as Array<[string, (lines: string[]) => string]>) {
    const server = createHttpServer((request, reply) => {
      json(request).then((body) => reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(write(message((body as { id: unknown }).id))), t.error)
    })
    t.match(await handshake(new URL(`http://127.0.0.1:${await listeningPort(t, server)}/mcp`), {}), { ok: true, tools: 1 }, what)
  }
})

t.test('nothing of all that was an error of the server', async (t) => {
  t.notMatch(log.join(''), /unexpected error/)
})
