// Keys and tokens in the web application: made, listed with the use of their limits, tried, rotated and revoked.
import t from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'
import { modern } from '../../helpers/build.js'
import { webServer } from '../../helpers/web.js'

type Created = ResponseOf<Operations['POST /keys']>
type Keys = ResponseOf<Operations['GET /keys']>
type Checked = ResponseOf<Operations['POST /keys/test']>
interface Problem { detail: string }

const TILLPOINT = '9cbfccdf-b653-8b0c-a4c9-b4f479f9f87c'
const DAY_MS = 86_400_000

const server = await webServer(t, { rateLimitReadPerMinute: '50', rateLimitReadPerDay: '500' })
const { backend, app } = server
const wide = await server.signIn(server.wide.id)
const narrow = await server.signIn(server.narrow.id)

const listed = async (browser: typeof wide, query = ''): Promise<Keys['keys']> =>
  (await browser.call<Keys>('GET', `/keys${query}`)).body.keys

t.test('a key is shown once, works, and is listed with who made it and where it was used from', async (t) => {
  const { status, body, headers } = await wide.call<Created>('POST', '/keys', { name: ' My laptop ', scope: 'read', workspaces: ['tillpoint'], expires_in_days: 7 })
  t.equal(status, 201)
  t.equal(headers['cache-control'], 'no-store')
  t.match(body, {
    kind: 'api_key',
    name: 'My laptop',
    scope: 'read',
    user: { email: server.wide.email },
    created_by: server.wide.email,
    workspace_ids: [TILLPOINT],
    workspaces: [{ slug: 'tillpoint' }],
    state: 'active',
    last_used_at: null,
    secret: /^svc_key_/
  })
  t.ok(Math.abs(Date.parse(body.expires_at ?? '') - Date.now() - 7 * DAY_MS) < 60_000)
  t.equal((await modern(app, body.secret, 'tools/list')).status, 200)
  await (backend.credentials as unknown as { flush (): Promise<void> }).flush()
  // Looking counts nothing.
  await listed(wide)
  const [key] = await listed(wide)
  t.match(key, { id: body.id, last_used_at: String, last_used_from: '127.0.0.1', limits: { minute: { used: 1, cap: 50 }, day: { used: 1, cap: 500 } } })
  t.ok(Date.parse(key?.limits?.minute.resets_at ?? '') > Date.now())
  t.notMatch(JSON.stringify(key), body.secret)
  t.same(await server.db.query("select action, actor, user_id, outcome from audit_events where credential_id = $1 and action in ('web/createKey', 'credential/created') order by action", [body.id]), [
    { action: 'credential/created', actor: server.wide.email, user_id: server.wide.id, outcome: 'ok' },
    { action: 'web/createKey', actor: server.wide.email, user_id: server.wide.id, outcome: 'ok' }
  ])
})

t.test('when it ends: 90 days unless it is said, never only when asked for', async (t) => {
  const ends = async (more: object) => {
    const reply = await narrow.call<Created & Problem>('POST', '/keys', { name: 'k', scope: 'read', ...more })
    const { expires_at: at, detail } = reply.body
    return reply.status === 201 ? at && Math.round((Date.parse(at) - Date.now()) / DAY_MS) : detail
  }
  t.equal(await ends({}), 90)
  t.equal(await ends({ expires_in_days: 30 }), 30)
  t.equal(await ends({ expires_at: new Date(Date.now() + 3 * DAY_MS).toISOString() }), 3)
  t.equal(await ends({ never: true }), null)
  t.match(await ends({ never: true, expires_in_days: 1 }), /one of expires_at/)
  t.match(await ends({ expires_at: '2020-01-01T00:00:00Z' }), /has passed/)
  t.match(await ends({ workspaces: ['tillpoint'] }), /"tillpoint", or jonas.* is not a member of it/, 'no key for a workspace of others')
  const token = await narrow.call<Created>('POST', '/tokens', { name: 'pat' })
  t.match(token.body, { kind: 'personal_access_token', scope: 'admin', secret: /^svc_pat_/ })
  t.equal(Math.round((Date.parse(token.body.expires_at ?? '') - Date.now()) / DAY_MS), 365)
  t.match((await narrow.call<Created>('POST', '/tokens', { name: 'small', scope: 'read', workspaces: ['harbour-clinic'] })).body, { scope: 'read', workspaces: [{ slug: 'harbour-clinic' }] })
})

t.test('a test makes both handshakes and lists the tools; a wrong secret says why', async (t) => {
  const { body: { secret } } = await wide.call<Created>('POST', '/tokens', { name: 'tried' })
  const good = await wide.call<Checked>('POST', '/tokens/test', { secret })
  t.match(good, { status: 200, body: { ok: true } })
  t.same(good.body.steps.map(({ name, ok }) => [name, ok]), [
    ['Handshake (2026-07-28)', true], ['List tools (2026-07-28)', true], ['Read workspaces (2026-07-28)', true],
    ['Handshake (2025-11-25)', true], ['List tools (2025-11-25)', true]
  ])
  t.equal(good.body.tools.length, tools.length)
  t.match(good.body.reads, { workspaces: 3, explorations: 11 })
  const limited = await wide.call<Created>('POST', '/keys', { name: 'one', scope: 'read', workspaces: ['kiln'] })
  t.match((await wide.call<Checked>('POST', '/keys/test', { secret: limited.body.secret })).body, { ok: true, reads: { workspaces: 1 } })
  const { id: nobody } = await backend.directory.createUser({ email: 'alone@example.com', name: 'Alone', kind: 'person' })
  const { key } = await backend.credentials.createKey({ user: nobody, name: 'k', scope: 'read' })
  t.match((await wide.call<Checked>('POST', '/keys/test', { secret: key })).body, { ok: true, reads: { workspaces: 0, explorations: 0 } })
  const bad = await wide.call<Checked>('POST', '/keys/test', { secret: secret.slice(0, 20) + (secret[20] === 'A' ? 'B' : 'A') + secret.slice(21) })
  t.match(bad.body, { ok: false, tools: [] })
  t.match(bad.body.steps.at(-1), { ok: false, detail: /mistyped|wrong, revoked/ })
  t.notMatch(JSON.stringify(bad.body), secret.slice(0, 30))
  t.notMatch(server.log.join(''), secret)
})

t.test('rotation: a new secret with the same limits beside the old one, which works until it is revoked', async (t) => {
  const { body: old } = await wide.call<Created>('POST', '/keys', { name: 'ci', scope: 'read_write', workspaces: ['kiln'], expires_in_days: 30 })
  const { status, body: fresh } = await wide.call<Created>('POST', `/keys/${old.id}/rotation`)
  t.equal(status, 201)
  t.match(fresh, { name: 'ci', scope: 'read_write', workspaces: [{ slug: 'kiln' }] })
  t.not(fresh.id, old.id)
  t.ok(Math.abs(Date.parse(fresh.expires_at ?? '') - Date.parse(old.expires_at ?? '')) < 60_000)
  for (const { secret } of [old, fresh]) t.equal((await modern(app, secret, 'tools/list')).status, 200)
  t.match((await wide.call<Created>('DELETE', `/keys/${old.id}`)).body, { id: old.id, state: 'revoked', revoked_at: String })
  t.equal((await modern(app, old.secret, 'tools/list')).status, 401, 'at the next call')
  t.match(await wide.call('POST', `/keys/${old.id}/rotation`), { status: 409, body: { detail: /revoked/ } })
  t.notOk((await listed(wide)).some(({ id }) => id === old.id))
  t.ok((await listed(wide, '?revoked=include')).some(({ id }) => id === old.id))
  t.match(await wide.call('DELETE', `/tokens/${fresh.id}`), { status: 404 }, 'a key is no token')
})

t.test('keys of others: unseen, except for the admin of a workspace that they are limited to', async (t) => {
  await backend.directory.addMember({ user: server.narrow.id, workspace: 'tillpoint', role: 'viewer' })
  const inside = await narrow.call<Created>('POST', '/keys', { name: 'inside', scope: 'read', workspaces: ['tillpoint'] })
  const outside = await narrow.call<Created>('POST', '/keys', { name: 'outside', scope: 'read' })
  const both = await narrow.call<Created>('POST', '/keys', { name: 'both', scope: 'read', workspaces: ['tillpoint', 'harbour-clinic'] })
  const seen = (await listed(wide, '?owner=all')).map(({ id }) => id)
  t.ok(seen.includes(inside.body.id))
  t.notOk(seen.includes(outside.body.id))
  t.notOk(seen.includes(both.body.id), 'it reaches beyond the workspaces of that admin')
  t.notOk((await listed(wide)).some(({ user }) => user.id === server.narrow.id), 'own ones are the default')
  t.match(await wide.call('POST', `/keys/${inside.body.id}/rotation`), { status: 403, body: { detail: /Only its owner/ } })
  t.match(await wide.call('POST', `/keys/${outside.body.id}/rotation`), { status: 404 })
  t.match(await wide.call('DELETE', `/keys/${outside.body.id}`), { status: 404 })
  t.match(await wide.call('DELETE', `/keys/${inside.body.id}`), { status: 200, body: { state: 'revoked' } })
  t.same(await server.db.query("select actor, outcome from audit_events where action like 'web/revokeKey%' and credential_id = $1", [inside.body.id]), [{ actor: server.wide.email, outcome: 'ok' }])
})
