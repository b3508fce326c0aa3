// What programs do at the public listener without a credential, by the device authorization grant (RFC 8628), and with their own; no one
// can shut the grant for others: codes that wait are shared out over networks.
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { sqlDeviceGrants } from '../../../src/db/credentials/sql-device-grants.js'
import { build, modern } from '../../helpers/build.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const send = async (app: FastifyInstance, path: string, fields?: Record<string, string> | string, headers: Record<string, string> = {}) => {
  const form = fields !== undefined && {
    method: 'POST' as const, payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  }
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ url: `/api/v1/${path}`, headers: { host: 'localhost', ...type, ...headers }, ...form })
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}
const form = (on: FastifyInstance, path: string, fields: Record<string, string> | string, headers = {}) => send(on, `device/${path}`, fields, headers)

const { app, db, people, credentials, audit, key, narrowKey } = await build(t, { deviceAuthorizationsPerMinute: '5' })
const devices = sqlDeviceGrants(db)

const whoAmI = (token?: string, on = app) => send(on, 'token', undefined, token === undefined ? {} : { authorization: `Bearer ${token}` })
const revoke = (fields: Record<string, string>, headers = {}, on = app) => send(on, 'revoke', fields, headers)

t.test('a token tells whose it is, and ends itself; keys too, and what is none is answered alike', async (t) => {
  const [user] = await people.listUsers()
  const { id, token } = await credentials.createToken({ user: user!.id, name: 'laptop' })
  const known = await whoAmI(token)
  t.match(known, {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { id, kind: 'personal_access_token', name: 'laptop', user: { email: user!.email }, workspaces: Number, expires_at: /Z$/ }
  })
  t.notOk(JSON.stringify(known).includes(token))
  t.match(await revoke({ token, token_type_hint: 'access_token' }), { status: 200 })
  t.equal((await modern(app, token, 'tools/list')).status, 401, 'at once')
  t.match(await whoAmI(token), {
    status: 401, headers: { 'www-authenticate': /invalid_token/ }, body: { error: 'invalid_token', error_description: /revoked/ }
  })
  t.match(await revoke({ token }), { status: 200 }, 'again is no error')
  t.match(await audit.list({ credential: id, action: 'credential/revoked', limit: 5 }), [{ actor: /^its holder, from / }])

  t.match(await whoAmI(key), { body: { kind: 'api_key', scope: 'read' } })
  t.match(await revoke({ token: key }), { status: 200 })
  t.same([(await whoAmI(key)).status, (await whoAmI(narrowKey)).status], [401, 200], 'that one only')
  t.match(await revoke({ token: 'svc_pat_NOTHING' }), { status: 200 })
  t.match(await revoke({}), { status: 400, body: { error: 'invalid_request' } })
  t.match(await whoAmI(), { status: 401, body: { error_description: /no Authorization header/ } })
})

t.test('no page of elsewhere ends a credential, and no one guesses', async (t) => {
  const { app, key } = await build(t, { failedAuthPerMinute: '2' }, [], db)
  t.match(await revoke({ token: key }, { origin: 'https://evil.example' }, app), { status: 403 })
  t.same([(await whoAmI(key, app)).status, (await whoAmI('svc_pat_X', app)).status], [200, 401])
  t.match(await whoAmI(key, app), { status: 429, headers: { 'retry-after': /^\d+$/ } })
})

t.test('a tool asks, an administrator approves, the token comes once', async (t) => {
  const [user] = await people.listUsers()
  const asked = await form(app, 'authorization', { client_id: 'exploration-mcp', name: 'laptop' })
  t.equal(asked.status, 200)
  t.equal(asked.headers['cache-control'], 'no-store')
  const letters = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/
  t.match(asked.body, { user_code: letters, verification_uri: /\/device$/, expires_in: 600, interval: 5 })
  const poll = () =>
    form(app, 'token', { grant_type: GRANT, device_code: asked.body.device_code, client_id: 'exploration-mcp' })
  const waited = () => db.query("update device_grants set polled_at = now() - interval '1 hour'")

  t.match(await poll(), { status: 400, body: { error: 'authorization_pending' } })
  t.match(await poll(), { status: 400, body: { error: 'slow_down' } })
  t.same(await db.query('select interval_seconds from device_grants'), [{ interval_seconds: 10 }], 'slow_down makes it five seconds more')
  await waited()
  t.match(await poll(), { status: 400, body: { error: 'authorization_pending' } })
  t.match(await devices.list(), [{ name: 'laptop', state: 'pending', user: null }])
  await t.rejects(devices.approve('BBBB-BBBB', user!.email), /No one waits/)
  await t.rejects(devices.approve(asked.body.user_code), /--user/, 'the sample has several people')
  t.match(await devices.approve(asked.body.user_code.toLowerCase().replace('-', ' '), user!.email), {
    state: 'approved', user: user!.email
  })
  await t.rejects(devices.approve(asked.body.user_code, user!.email), /No one waits/, 'approved once')

  await waited()
  t.match(await form(app, 'token', { grant_type: GRANT, device_code: asked.body.device_code, client_id: 'other' }), {
    status: 400, body: { error: 'invalid_grant' }
  })
  const raced = await Promise.all([poll(), poll(), poll()])
  const [given, ...others] = raced.filter(({ status }) => status === 200)
  t.equal(others.length, 0, 'one of three at once')
  t.match(given!.body, { access_token: /^svc_pat_[A-Z2-7]{32}$/, token_type: 'Bearer', name: 'laptop' })
  t.equal((await modern(app, given!.body.access_token, 'tools/list')).status, 200)
  t.match(await poll(), { status: 400, body: { error: 'invalid_grant' } })
  t.same(await db.query('select 1 from device_grants'), [])
})

t.test('codes lie in the database as hashes, and the rest of the management API is not public', async (t) => {
  const { body } = await form(app, 'authorization', { client_id: 'x' })
  const rows = JSON.stringify(await db.query('select d::text, encode(device_hash, \'escape\') as hash from device_grants d'))
  t.notOk(rows.includes(body.device_code))
  t.notOk(rows.includes(body.user_code.replace('-', '')))
  for (const url of ['/api/v1/users', '/api/v1/device/approvals', '/api/v1/openapi.json']) {
    t.equal((await app.inject({ url, headers: { host: 'localhost' } })).statusCode, 404)
  }
})

t.test('denied, expired, malformed, too often', async (t) => {
  const token = (code: string) => form(app, 'token', { grant_type: GRANT, device_code: code })
  const { body: denied } = await form(app, 'authorization', {})
  await devices.deny(denied.user_code)
  t.match(await token(denied.device_code), { status: 400, body: { error: 'access_denied' } })

  const { body: late } = await form(app, 'authorization', JSON.stringify({ client_id: 'x' }), { 'content-type': 'application/json' })
  await db.query("update device_grants set expires_at = now() - interval '1 second' where client_id = 'x'")
  const lateToken = await form(app, 'token', { grant_type: GRANT, device_code: late.device_code, client_id: 'x' })
  t.match(lateToken, { status: 400, body: { error: 'expired_token' } })
  await t.rejects(devices.approve(late.user_code, 'x'), 'too late')

  t.match(await form(app, 'token', {}), { status: 400, body: { error: 'invalid_request' } })
  t.match(await form(app, 'token', { grant_type: 'password' }), {
    status: 400, body: { error: 'unsupported_grant_type' }
  })
  t.match(await form(app, 'token', { grant_type: GRANT }), { status: 400, body: { error: 'invalid_request' } })
  t.match(await token('made up'), { status: 400, body: { error: 'invalid_grant' } })
  t.match(await form(app, 'token', 'grant_type=a&grant_type=b'), { status: 400, body: { error: 'invalid_request' } })
  t.match(await form(app, 'token', '{', { 'content-type': 'application/json' }), {
    status: 400, body: { error: 'invalid_request' }
  })
  t.match(await form(app, 'token', `x=${'x'.repeat(5000)}`), { status: 413, body: { error: 'invalid_request' } })
  t.match(await form(app, 'authorization', {}, { origin: 'https://evil.example' }), {
    status: 403, body: { error: 'access_denied' }
  })
  t.equal((await form(app, 'authorization', {})).status, 200)
  t.equal((await form(app, 'authorization', {})).status, 429)
  t.match((await form(app, 'authorization', {})).headers['retry-after'], /^\d+$/)
})

const SHARES = { maxPerHost: 2, maxPerSite: 4, maxWaiting: 8 }

const shared = sqlDeviceGrants(db, SHARES)
const { app: proxied } = await build(t, { trustProxy: '1', deviceAuthorizationsPerMinute: '1000' }, [], db, undefined, { devices: shared })
const ask = (address: string) => form(proxied, 'authorization', { client_id: 'x' }, { 'x-forwarded-for': address })
const poll = async (code: string, address: string): Promise<string> =>
  (await form(proxied, 'token', { grant_type: GRANT, device_code: code, client_id: 'x' }, { 'x-forwarded-for': address })).body.error
const asked = async (address: string, polled = false): Promise<string> => {
  const { body: { device_code: code } } = await ask(address)
  if (polled) await poll(code, address)
  return code
}
t.beforeEach(async () => { await db.query('delete from device_grants') })
const WAITS = ['authorization_pending', 'slow_down']

t.test('a flood that never polls pushes out its own codes only', async (t) => {
  const mine = await asked('198.51.100.1', true)
  const other = await asked('2001:db8:ffff:1::1', true)
  for (let n = 0; n < 30; n++) {
    const { status } = await ask(n % 2 === 0 ? `203.0.113.${n}` : `2001:db8:1:${n}::${n}`)
    t.equal(status, 200)
  }
  t.ok(WAITS.includes(await poll(mine, '198.51.100.1')))
  t.ok(WAITS.includes(await poll(other, '2001:db8:ffff:1::1')))
  t.equal((await ask('192.0.2.1')).status, 200, 'and anyone who comes now gets a code')
  const [row] = await db.query<{ count: number }>('select count(*)::int from device_grants')
  t.ok(row!.count <= SHARES.maxWaiting, 'bounded')
})

t.test('one that polls shuts the grant for its own network, not for others', async (t) => {
  for (const site of ['203.0.113', '203.0.112']) {
    for (let n = 1; n <= 4; n++) t.ok(await asked(`${site}.${n}`, true))
    const { status, body, headers } = await ask(`${site}.9`)
    t.match({ status, body, headers }, {
      status: 503,
      body: { error: 'temporarily_unavailable', error_description: /of this network/ },
      headers: { 'retry-after': '1' }
    })
  }
  const mine = await asked('198.51.100.1')
  for (let n = 1; n <= 4; n++) await ask(`203.0.111.${n}`)
  t.ok(WAITS.includes(await poll(mine, '198.51.100.1')), 'of a network that has one code none is taken')
})

t.test('an address has its share of its network, an IPv6 /64 is one address', async (t) => {
  const first = await asked('2001:db8:1:1::1')
  const second = await asked('2001:db8:1:1::2', true)
  t.equal((await ask('2001:db8:1:1::3')).status, 200)
  t.equal(await poll(first, '2001:db8:1:1::1'), 'invalid_grant', 'the oldest that no one polls went')
  t.ok(WAITS.includes(await poll(second, '2001:db8:1:1::2')))
  t.equal((await ask('2001:db8:1:2::1')).status, 200, 'the next /64')
})

t.test('what an administrator decided is not given up', async (t) => {
  const { body } = await ask('203.0.113.1')
  await shared.deny(body.user_code)
  for (let n = 0; n < 20; n++) await ask(`203.0.113.${n % 3}`)
  t.equal(await poll(body.device_code, '203.0.113.1'), 'access_denied')
})
