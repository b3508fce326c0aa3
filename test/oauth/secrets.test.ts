// No secret of OAuth is in the database, the log, the wire log, a span or a metric.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, CLAUDE, connect, decide, form, get, postForm, redeem, refresh, register, request, s256, type Tokens } from '../helpers/oauth.js'
import { collector } from '../helpers/telemetry.js'
import { webServer } from '../helpers/web.js'
import { redactText } from '../../src/lib/redact/redact.js'
import { startSdk } from '../../src/telemetry/sdk.js'

const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })
/** As it is, and as it would be encoded on its way into a log, a URL or a column. */
const spellings = (secret: string) => [
  secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2)
]

t.test('looked for everywhere', async (t) => {
  meets('oauth-token-storage')
  const { endpoint, sent } = await collector(t)
  const failures: string[] = []
  const sdk = await startSdk({ endpoint, failed: (reason) => { failures.push(reason) } })
  const wireLog = join(t.testdir({}), 'wire.ndjson')
  const { app, db, log, backend, browser: newBrowser, wide } = await webServer(t, { wireLog, logLevel: 'trace' } as Record<string, string>, undefined, {
    clientDocuments: { resolve: async () => [] }
  })
  const secrets: Record<string, string> = {}
  const addTokens = (name: string, { access_token: access, refresh_token: refreshing }: Tokens) => {
    secrets[`access token ${name}`] = access
    secrets[`refresh token ${name}`] = refreshing
  }

  const browser = newBrowser()
  const link = await backend.signInLinks.create(wide.id)
  secrets['sign-in link'] = link.token
  secrets['key'] = (await backend.credentials.createKey({ user: wide.id, name: 'k', scope: 'read' })).key
  t.equal((await browser.call('POST', '/sign-in/link', { token: link.token })).status, 200)
  Object.assign(secrets, browser.cookies)

  const asked = request()
  secrets['verifier'] = asked.verifier
  const { ticket } = await authorize(browser, asked.query)
  secrets['ticket'] = ticket!
  await browser.open(`/oauth/consent?ticket=${ticket}`)
  await browser.call('POST', '/oauth/consent/lookup', { ticket })
  const code = secrets['code'] = (await decide(browser, ticket)).searchParams.get('code')!
  const wrong = await authorize(browser, request({ prompt: 'none' }).query)
  secrets['error ticket'] = wrong.ticket!
  await browser.call('POST', '/oauth/consent/error', { ticket: wrong.ticket })
  const denied = await authorize(browser, request().query)
  secrets['denied ticket'] = denied.ticket!
  await decide(browser, denied.ticket, 'deny')

  await redeem(app, code, asked, { redirect_uri: 'https://claude.ai/other' })
  const first = (await redeem(app, code, asked)).body
  addTokens('first', first)
  const second = (await refresh(app, first.refresh_token)).body
  addTokens('second', second)

  const common = { name: 'c', redirectUris: ['https://a.example/cb'], refreshable: true }
  const closed = (await backend.oauthClients.create({ ...common, kind: 'preregistered', confidential: true }))!
  secrets['client secret'] = closed.secret!
  const own = request({ client_id: closed.id, redirect_uri: 'https://a.example/cb' })
  secrets['verifier of the client with a secret'] = own.verifier
  const ownTicket = secrets['ticket of the client with a secret'] = (await authorize(browser, own.query)).ticket!
  const ownCode = secrets['code of the client with a secret'] = (await decide(browser, ownTicket)).searchParams.get('code')!
  const third = (await redeem(app, ownCode, own, { client_secret: closed.secret })).body
  addTokens('of the client with a secret', third)
  const fourth = await postForm<Tokens>(app, 'token', { grant_type: 'refresh_token', refresh_token: third.refresh_token }, basic(closed.id, closed.secret!))
  t.equal(fourth.status, 200)
  addTokens('of the client with a secret, by header', fourth.body)
  await postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: second.refresh_token }, basic(closed.id, closed.secret!))

  const registered = await register(app, { client_name: 'R', redirect_uris: ['http://127.0.0.1/cb'], client_secret: closed.secret, grant_types: ['authorization_code', 'refresh_token'] })
  const byItself = request({ client_id: String(registered.body['client_id']), redirect_uri: 'http://127.0.0.1:1/cb' })
  addTokens('of the client that registered itself', await connect(app, browser, byItself))

  // Used as they are meant to be, and where clients have been seen to put them.
  for (const token of [first.access_token, second.refresh_token]) {
    await callMcp(app, token, 'tools/call', { name: 'find_explorations', arguments: { query: second.access_token } })
    await callMcp(app, undefined, 'tools/list', {}, `/oauth/mcp?access_token=${token}`)
    await callMcp(app, token, 'tools/list', {}, '/mcp')
    await callMcp(app, first.access_token, 'resources/read', { uri: `service://exploration/${token}` })
    await callMcp(app, first.access_token, `tools/${token}`, {}, '/oauth/mcp', { 'user-agent': token, 'x-request-id': token })
    await get(app, `/oauth/mcp/${token}`)
  }
  const misplaced = form({
    code, code_verifier: asked.verifier, client_secret: closed.secret, refresh_token: second.refresh_token, ticket: ticket!
  })
  for (const path of ['token', 'revoke', 'authorize', 'register', 'jwks']) await get(app, `/oauth/mcp/${path}?${misplaced}`)
  await postForm(app, `token?${misplaced}`, misplaced)
  await postForm(app, 'token', `${misplaced}&${misplaced}`)
  await postForm(app, 'token', misplaced, { 'content-type': 'application/json' })
  await postForm(app, 'revoke', { token: first.access_token, client_id: CLAUDE.client_id })
  await postForm(app, 'revoke', { token: third.refresh_token, client_id: closed.id, client_secret: closed.secret })
  await browser.call('DELETE', '/session')
  await app.close()
  await sdk.close()
  const [spans, metrics] = ['traces', 'metrics'].map((kind) => sent.filter(({ path }) => path === `/v1/${kind}`).map(({ body }) => body).join('\n')) as [string, string]
  t.same(failures, [])

  const tables = await db.query<{ name: string }>('select tablename as name from pg_tables where schemaname = current_schema()')
  const dump = (await Promise.all(tables.map(async ({ name }) => JSON.stringify(await db.query(`select row_to_json(r)::text from "${name}" r`))))).join('\n')
  const places = { database: dump, log: log.join('\n'), 'wire log': readFileSync(wireLog, 'utf8'), spans, metrics }
  t.match(places.database, String(registered.body['client_id']), 'what is no secret is found')
  t.match(places.database, s256(asked.verifier))
  t.match(places['wire log'], '/oauth/mcp')
  t.match(places.log, '/oauth/mcp/token')
  for (const name of ['GET /oauth/mcp/authorize', 'POST /oauth/mcp/token', 'POST /oauth/mcp/register', 'POST /oauth/mcp/revoke', 'tools/call find_explorations']) {
    t.ok(spans.includes(`"${name}"`), `a span of ${name}`)
  }
  t.match(metrics, 'mcp.server.operation.duration')
  t.equal(Object.values(secrets).filter((secret) => secret.length < 20).length, 0, 'each is long enough to be looked for')
  for (const [place, content] of Object.entries(places)) {
    const isIn = (secret: string) => spellings(secret).some((spelling) => content.includes(spelling))
    const found = Object.entries(secrets).filter(([, secret]) => isIn(secret))
    t.same(found.map(([name]) => name), [], `secrets in the ${place}`)
  }
})

t.test('each kind is recognised in texts', async (t) => {
  for (const prefix of ['at', 'rt', 'code', 'secret']) {
    const secret = `svc_${prefix}_${'A2'.repeat(26)}`
    for (const text of [secret, JSON.stringify({ a: secret }), encodeURIComponent(`x=${secret}&y`), Buffer.from(`client:${secret}`).toString('base64')]) {
      t.notMatch(redactText(text), /A2A2/, text.slice(0, 30))
    }
  }
})
