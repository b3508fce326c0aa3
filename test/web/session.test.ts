// Sessions of the web application: started by a link or an invitation, read at each request, ended at once everywhere; what is left goes by
// itself.
import t from 'tap'
import { deleteExpired } from '../../src/db/sql/delete-expired.js'
import { runFirstUpkeep } from '../helpers/first-upkeep.js'
import { webServer, type Browser } from '../helpers/web.js'

const server = await webServer(t)
const { backend, db, wide, narrow } = server

t.test('a link signs its person in, once; whose it is can be asked before, which does not use it up', async (t) => {
  const { token, expires_at: expires } = await backend.signInLinks.create(wide.email)
  t.match(token, /^svc_link_[A-Z2-7]{52}$/)
  t.ok(Date.parse(expires) - Date.now() <= 900_000)
  const browser = server.browser()
  t.match(await browser.call('GET', '/session'), { status: 401, body: { detail: 'Sign in to do this.' } })
  t.equal((await browser.call('GET', '/sign-in-options')).body['user'], undefined)
  for (let time = 0; time < 2; time++) {
    const lookup = await browser.call('POST', '/sign-in/link/lookup', { token })
    t.match(lookup, { status: 200, body: { user: { id: wide.id, email: wide.email, name: String } } })
    t.same(lookup.cookies, {})
  }
  const reply = await browser.call('POST', '/sign-in/link', { token })
  t.match(reply, { status: 200, body: { user: { id: wide.id, email: wide.email }, first: true } })
  t.match(reply.headers['set-cookie'], /^exploration_session_8080=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  t.match((await browser.call('GET', '/session')).body, {
    user: { id: wide.id },
    server_admin: false,
    method: 'link',
    passkey_count: 0,
    memberships: [{ workspace: { id: String, slug: String, name: String }, role: String }, {}, {}],
    preferences: { theme: 'system', time_zone: null },
    server: { name: 'exploration-mcp', endpoint: /\/mcp$/, public_url: 'http://localhost:8080' }
  })
  t.match((await browser.call('GET', '/sign-in-options')).body['user'], { id: wide.id, email: wide.email })
  const again = await server.browser().call('POST', '/sign-in/link', { token })
  t.match(again, { status: 401, body: { detail: /was used, is older than 15 minutes/ } })
  t.same(again.cookies, {})
  t.match(await server.browser().call('POST', '/sign-in/link', { token: 'svc_link_WRONG' }), { status: 401, body: { detail: again.body['detail'] } })
  const second = await backend.signInLinks.create(wide.id)
  t.match((await server.browser().call('POST', '/sign-in/link', { token: second.token })).body, { first: false })
})

t.test('a link that was used, has expired or is of someone who was deactivated is refused as one that never was', async (t) => {
  const tokenOf = async (id: string) => (await backend.signInLinks.create(id)).token
  const [used, expired] = [await tokenOf(wide.id), await tokenOf(wide.id)]
  await server.browser().call('POST', '/sign-in/link', { token: used })
  await db.query("update sign_in_links set expires_at = now() - interval '1 second'")
  const gone = await backend.directory.createUser({ email: 'gone@example.com', name: 'Gone', kind: 'person' })
  const ofDeactivated = await tokenOf(gone.id)
  await backend.directory.changeUser({ user: gone.id, active: false })
  const answers = await Promise.all([used, expired, ofDeactivated, `svc_link_${'A'.repeat(52)}`, 'x'].flatMap((token) =>
    ['/sign-in/link', '/sign-in/link/lookup'].map(async (path) => {
      const { status, body } = await server.browser().call('POST', path, { token })
      return JSON.stringify([status, body['title'], body['detail']])
    })))
  t.same([...new Set(answers)].map((answer) => answer.slice(0, 5)), ['[401,'], answers.join('\n'))
  const bot = await backend.directory.createUser({ email: 'bot@example.com', name: 'Bot', kind: 'service_account' })
  await t.rejects(backend.signInLinks.create(bot.id), /service account cannot sign in/)
  await t.rejects(backend.signInLinks.create(gone.id), /deactivated/)
  await t.rejects(backend.directory.changeUser({ user: bot.id, serverAdmin: true }), /only a person/)
  await t.rejects(backend.signInLinks.create('nobody@example.com'), /no user "nobody@example.com"/)
})

t.test('signing out ends the session on the server; it and the sign-in are on record, without a secret', async (t) => {
  const browser = await server.signIn(narrow.id)
  const stolen = { ...browser.cookies }
  t.match(await browser.call('DELETE', '/session'), { status: 200, body: {} })
  t.same(browser.cookies, {})
  Object.assign(browser.cookies, stolen)
  t.equal((await browser.call('GET', '/session')).status, 401)
  t.same(browser.cookies, {}, 'a cookie that no longer works is removed')
  t.match(await backend.audit.list({ user: narrow.id, action: 'session/', limit: 2 }), [{ action: 'session/ended sign-out' }, { action: 'session/started link', remote_address: '127.0.0.1' }])
  const rows = await db.query('select row_to_json(a)::text as event from audit_events a')
  const written = JSON.stringify(rows) + server.log.join('')
  t.notMatch(written, Object.values(stolen)[0]!)
  t.notMatch(written, /svc_link_[A-Z2-7]/)
})

t.test('a session ends after 12 idle hours and after 30 days', async (t) => {
  for (const change of ["last_seen_at = now() - interval '12 hours'", 'expires_at = now()']) {
    const browser = await server.signIn(narrow.id)
    await db.query(`update web_sessions set ${change} where user_id = $1`, [narrow.id])
    t.equal((await browser.call('GET', '/session')).status, 401, change)
  }
  const browser = await server.signIn(narrow.id)
  await db.query("update web_sessions set last_seen_at = now() - interval '11 hours' where user_id = $1", [narrow.id])
  t.equal((await browser.call('GET', '/session')).status, 200)
  await backend.web!.sessions.flush()
  t.same(await db.query("select last_seen_at > now() - interval '1 minute' as seen from web_sessions where user_id = $1", [narrow.id]), [{ seen: true }])
  t.same(await db.query("select expires_at between now() + interval '29 days' and now() + interval '30 days' as bounded from web_sessions where user_id = $1", [narrow.id]), [{ bounded: true }])
})

const counts = async () => (await db.query(`
  select (select count(*)::int from web_sessions) as sessions, (select count(*)::int from sign_in_links) as links,
    (select count(*)::int from used_challenges) as challenges, (select count(*)::int from invitations) as invitations`))[0]

t.test('what has expired is deleted, what works stays', async (t) => {
  for (const table of ['web_sessions', 'sign_in_links']) await db.query(`delete from ${table}`)
  await backend.directory.changeUser({ user: wide.id, serverAdmin: true })
  const [idle, old, works] = [await server.signIn(narrow.id), await server.signIn(narrow.id), await server.signIn(wide.id)]
  const idOf = async (browser: typeof idle) => (await browser.call<{ sessions: Array<{ id: string, current: boolean }> }>('GET', '/sessions'))
    .body.sessions.find(({ current }) => current)?.id
  const [idleId, oldId] = [await idOf(idle), await idOf(old)]
  for (const email of ['one@example.com', 'two@example.com']) await works.call('POST', '/invitations', { email, memberships: [] })
  await backend.signInLinks.create(narrow.id)
  const open = await backend.signInLinks.create(wide.id)
  await db.query("update web_sessions set last_seen_at = now() - interval '13 hours' where id = $1", [idleId])
  await db.query('update web_sessions set expires_at = now() where id = $1', [oldId])
  await db.query("update sign_in_links set expires_at = now() - interval '1 second' where user_id = $1", [narrow.id])
  await db.query("insert into used_challenges (hash, expires_at) values ('\\x01', now()), ('\\x02', now() + interval '1 minute')")
  await db.query("update invitations set expires_at = now() - interval '31 days' where email = 'one@example.com'")
  await db.query("update invitations set expires_at = now() - interval '29 days' where email = 'two@example.com'")
  // Two replicas at once.
  await Promise.all([backend.web!.deleteExpired(), backend.web!.deleteExpired()])
  t.same(await counts(), { sessions: 1, links: 1, challenges: 1, invitations: 1 })
  t.equal((await works.call('GET', '/session')).status, 200)
  t.equal((await server.browser().call('POST', '/sign-in/link', { token: open.token })).status, 200)
})

t.test('a lot of it goes in several statements, and soon after a server has started', async (t) => {
  await db.query("insert into used_challenges (hash, expires_at) select decode(md5(n::text), 'hex'), now() - interval '1 minute' from generate_series(1, 2500) n")
  const sizes: number[] = []
  await deleteExpired({
    query: async (text, values) => {
      const rows = await db.query<never>(text, values)
      if (text.includes('used_challenges')) sizes.push(rows.length)
      return rows
    }
  })
  t.same(sizes, [1000, 1000, 500])
  await db.query("insert into used_challenges (hash, expires_at) values ('\\x03', now() - interval '1 minute')")
  await runFirstUpkeep({ auditRetentionDays: undefined }, { ...backend, log: server.app.log })
  t.same(await db.query("select from used_challenges where hash = '\\x03'"), [])
})

/** The administrator who invites; signed in by the first test of invitations. */
let admin: Browser
const workspaces = (await db.query<{ id: string, slug: string, name: string }>('select id, slug, name from workspaces order by slug'))
const [one, two] = workspaces as [typeof workspaces[0], typeof workspaces[0]]

interface Created { id: string, url: string, state: string, detail?: string }

const invite = (email: string, more: object = {}, browser: Browser = admin) => browser.call<Created>('POST', '/invitations', {
  email, memberships: [{ workspace: one.slug, role: 'editor' }, { workspace: two.id, role: 'viewer' }], ...more
})
const tokenIn = (url: string): string => {
  const [, token] = /^http:\/\/localhost:8080\/sign-in#invitation=(svc_invite_[A-Z2-7]{52})$/.exec(url) ?? []
  if (token === undefined) throw new Error(`no invitation in ${url}`)
  return token
}

t.test('an invitation makes a person with their roles, once', async (t) => {
  await backend.directory.changeUser({ user: wide.id, serverAdmin: true })
  await backend.directory.changeUser({ user: narrow.id, serverAdmin: false })
  admin = await server.signIn(wide.id)
  const created = await invite('new@example.com')
  t.match(created, {
    status: 201,
    body: { email: 'new@example.com', server_admin: false, state: 'open', invited_by: { id: wide.id }, memberships: [{ role: 'editor' }, { role: 'viewer' }] }
  })
  const token = tokenIn(created.body.url)
  const browser = server.browser()
  t.match(await browser.call('POST', '/invitations/lookup', { token }), {
    status: 200, body: { email: 'new@example.com', invited_by: String, expires_at: String, workspaces: [{ name: one.name, role: 'editor' }, { name: two.name, role: 'viewer' }] }
  })
  const accepted = await browser.call<{ user: { id: string } }>('POST', '/sign-in/invitation', { token, name: ' New Person ' })
  t.match(accepted, { status: 200, body: { first: true, user: { email: 'new@example.com', name: 'New Person' } } })
  t.match((await browser.call('GET', '/session')).body, {
    method: 'invitation', server_admin: false, memberships: [{ workspace: { id: one.id }, role: 'editor' }, { workspace: { id: two.id }, role: 'viewer' }]
  })
  const again = await server.browser().call('POST', '/sign-in/invitation', { token, name: 'Another' })
  t.match(again, { status: 401, body: { detail: /was accepted or revoked/ } })
  t.match(await server.browser().call('POST', '/invitations/lookup', { token }), { status: 401, body: { detail: again.body['detail'] } })
  t.match(await server.browser().call('POST', '/sign-in/invitation', { token: 'svc_invite_X', name: 'x' }), { status: 401, body: { detail: again.body['detail'] } })
  t.match((await admin.call('GET', '/invitations')).body, { invitations: [{ id: created.body.id, state: 'accepted' }] })
  t.notMatch(JSON.stringify((await admin.call('GET', '/invitations')).body), /svc_invite_/)
  t.match(await backend.audit.list({ user: accepted.body.user.id, limit: 9 }), [{ action: 'session/started invitation' }, { action: 'invitation/accepted' }])
  t.match(await backend.audit.list({ user: wide.id, action: 'web/createInvitation', limit: 1 }), [{ action: `web/createInvitation ${created.body.id} new@example.com` }])
})

t.test('two that accept at the same time make one person', async (t) => {
  const token = tokenIn((await invite('race@example.com')).body.url)
  const replies = await Promise.all(['A', 'B', 'C'].map((name) => server.browser().call('POST', '/sign-in/invitation', { token, name })))
  t.equal(replies.filter(({ status }) => status === 200).length, 1)
  t.same(await db.query("select count(*)::int as n from users where email = 'race@example.com'"), [{ n: 1 }])
})

t.test('one that was revoked, is too old, replaced, or whose inviter lost the right is worth nothing', async (t) => {
  const details = new Set<unknown>()
  const use = async (token: string) => {
    const [{ status, body }, lookup] = [await server.browser().call('POST', '/sign-in/invitation', { token, name: 'x' }), await server.browser().call('POST', '/invitations/lookup', { token })]
    if (status === 401) details.add(body['detail']).add(lookup.body['detail'])
    return status
  }
  const revoked = (await invite('a@example.com')).body
  t.match(await admin.call('DELETE', `/invitations/${revoked.id}`), { status: 200, body: { state: 'revoked' } })
  t.equal((await admin.call('DELETE', `/invitations/${revoked.id}`)).status, 404)
  t.equal(await use(tokenIn(revoked.url)), 401)
  const old = (await invite('b@example.com')).body
  t.same(await db.query("select expires_at - created_at = interval '7 days' as week from invitations where id = $1", [old.id]), [{ week: true }])
  await db.query('update invitations set expires_at = now() where id = $1', [old.id])
  t.equal(await use(tokenIn(old.url)), 401)
  const first = (await invite('c@example.com')).body
  const second = (await invite('C@example.com')).body
  t.equal(await use(tokenIn(first.url)), 401, 'replaced')
  t.equal(await use(tokenIn(second.url)), 200)
  await backend.directory.changeUser({ user: narrow.id, serverAdmin: true })
  const byNarrow = (await invite('d@example.com', { server_admin: true }, await server.signIn(narrow.id))).body
  await backend.directory.changeUser({ user: narrow.id, serverAdmin: false })
  t.equal(await use(tokenIn(byNarrow.url)), 401)
  t.equal(await use('x'), 401)
  t.equal(details.size, 1, 'one sentence for every reason')
  const taken = (await invite('e@example.com')).body
  await backend.directory.createUser({ email: 'E@example.com', name: 'E', kind: 'person' })
  t.match(await server.browser().call('POST', '/sign-in/invitation', { token: tokenIn(taken.url), name: 'x' }), { status: 409, body: { detail: /has this address already/ } })
})

t.test('only a server administrator invites, and no one twice', async (t) => {
  t.match(await (await server.signIn(narrow.id)).call('GET', '/invitations'), { status: 403, body: { detail: 'Only a server administrator may do this. Ask a server administrator.' } })
  t.match(await invite(narrow.email), { status: 409, body: { detail: /has this address already/ } })
  t.match(await invite('no address'), { status: 400 })
  t.match(await invite('f@example.com', { memberships: [{ workspace: 'nowhere', role: 'viewer' }] }), { status: 404, body: { detail: /no workspace "nowhere"/ } })
  t.match(await invite('f@example.com', { memberships: [{ workspace: one.id, role: 'viewer' }, { workspace: one.slug, role: 'admin' }] }), { status: 422 })
  t.match(await invite('f@example.com', { memberships: [], server_admin: true }), { status: 201, body: { server_admin: true } })
})

t.test('people name themselves and choose theme and time zone', async (t) => {
  const browser = await server.signIn(narrow.id)
  t.match(await browser.call('PATCH', '/account', { theme: 'dark', time_zone: 'Europe/Berlin' }), { status: 200, body: { theme: 'dark', time_zone: 'Europe/Berlin' } })
  t.match(await browser.call('PATCH', '/account', { name: ' Nia ' }), { body: { name: 'Nia', theme: 'dark', time_zone: 'Europe/Berlin' } })
  t.match((await browser.call('GET', '/session')).body, { user: { name: 'Nia' }, preferences: { theme: 'dark', time_zone: 'Europe/Berlin' } })
  t.match(await browser.call('PATCH', '/account', { time_zone: null }), { body: { time_zone: null } })
  t.match(await browser.call('PATCH', '/account', { time_zone: 'Mars/Olympus' }), { status: 422, body: { detail: /time zone is not known/ } })
  for (const wrong of [{}, { name: ' ' }, { theme: 'pink' }, { email: 'x@example.com' }, { server_admin: true }]) {
    t.equal((await browser.call('PATCH', '/account', wrong)).status, 400, JSON.stringify(wrong))
  }
})

t.test('sessions are listed and ended by their owner', async (t) => {
  interface List { sessions: Array<{ id: string, current: boolean, remote_address: string, user_agent: string | null, method: string }> }
  await backend.directory.signOut({ user: narrow.id, passkeys: false })
  const here = await server.signIn(narrow.id)
  const there = await server.signIn(narrow.id)
  const third = await server.signIn(narrow.id)
  await there.call('GET', '/session', undefined, { 'user-agent': 'Elsewhere' })
  const { body } = await here.call<List>('GET', '/sessions')
  t.equal(body.sessions.length, 3)
  t.equal(body.sessions.filter(({ current }) => current).length, 1)
  t.match(body.sessions[0], { remote_address: '127.0.0.1', method: 'link' })
  const thereId = (await there.call<List>('GET', '/sessions')).body.sessions.find(({ current }) => current)!.id
  t.equal((await admin.call('DELETE', `/sessions/${thereId}`)).status, 404, 'not by another')
  t.match(await here.call('DELETE', `/sessions/${thereId}`), { status: 200, body: { ended: 1 } })
  t.equal((await there.call('GET', '/session')).status, 401)
  t.equal((await here.call('DELETE', '/sessions/x')).status, 404)
  t.match(await here.call('DELETE', '/sessions'), { status: 200, body: { ended: 1 } })
  t.equal((await third.call('GET', '/session')).status, 401)
  t.equal((await here.call('GET', '/session')).status, 200)
})
