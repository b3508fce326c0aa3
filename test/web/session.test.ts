// Sessions of the web application: started by a link, read at each request, ended at once everywhere; what is left goes by itself.
import t from 'tap'
import { deleteExpired } from '../../src/db/sql/delete-expired.js'
import { runFirstUpkeep } from '../helpers/first-upkeep.js'
import { webServer } from '../helpers/web.js'

const server = await webServer(t)
const { backend, db, wide, narrow } = server

t.test('a link signs its person in, once', async (t) => {
  const { token, expires_at: expires } = await backend.signInLinks.create(wide.email)
  t.match(token, /^svc_link_[A-Z2-7]{52}$/)
  t.ok(Date.parse(expires) - Date.now() <= 900_000)
  const browser = server.browser()
  t.match(await browser.call('GET', '/session'), { status: 401, body: { detail: 'Sign in to do this.' } })
  t.equal((await browser.call('GET', '/sign-in-options')).body['user'], undefined)
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

t.test('whose link it is can be asked, which does not use it up', async (t) => {
  const { token } = await backend.signInLinks.create(narrow.id)
  const browser = server.browser()
  for (let time = 0; time < 2; time++) {
    const reply = await browser.call('POST', '/sign-in/link/lookup', { token })
    t.match(reply, { status: 200, body: { user: { id: narrow.id, email: narrow.email, name: String } } })
    t.same(reply.cookies, {})
  }
  t.equal((await browser.call('POST', '/sign-in/link', { token })).status, 200)
  t.equal((await browser.call('POST', '/sign-in/link/lookup', { token })).status, 401)
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
  await t.rejects(backend.signInLinks.create('nobody@example.com'), /no user "nobody@example.com"/)
})

t.test('signing out ends the session on the server', async (t) => {
  const browser = await server.signIn(narrow.id)
  const stolen = { ...browser.cookies }
  t.match(await browser.call('DELETE', '/session'), { status: 200, body: {} })
  t.same(browser.cookies, {})
  Object.assign(browser.cookies, stolen)
  t.equal((await browser.call('GET', '/session')).status, 401)
  t.same(browser.cookies, {}, 'a cookie that no longer works is removed')
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

t.test('anyone who is deactivated has no session, no link and no credential, until they are active again', async (t) => {
  const browser = await server.signIn(narrow.id)
  const { token } = await backend.signInLinks.create(narrow.id)
  const { key } = await backend.credentials.createKey({ user: narrow.id, name: 'k', scope: 'read' })
  t.match(await backend.directory.changeUser({ user: narrow.email, active: false }), { id: narrow.id, deactivated_at: /^2/ })
  t.equal((await browser.call('GET', '/session')).status, 401)
  t.equal((await server.browser().call('POST', '/sign-in/link', { token })).status, 401)
  t.same(await backend.credentials.verify(key), { refused: 'unknown' })
  await t.rejects(backend.signInLinks.create(narrow.id), /deactivated/)
  t.match(await backend.directory.changeUser({ user: narrow.id, active: true }), { deactivated_at: null })
  t.ok('principal' in await backend.credentials.verify(key))
})

t.test('the rights of a server administrator end at the next request, but for those of the last one', async (t) => {
  const { directory } = backend
  t.match(await directory.changeUser({ user: wide.id, serverAdmin: true }), { server_admin: true })
  const browser = await server.signIn(wide.id)
  await t.rejects(directory.changeUser({ user: wide.id, active: false }), /last server administrator/)
  await directory.changeUser({ user: narrow.id, serverAdmin: true })
  t.match((await browser.call('GET', '/session')).body, { server_admin: true })
  await directory.changeUser({ user: wide.id, serverAdmin: false })
  t.match((await browser.call('GET', '/session')).body, { server_admin: false })
  const bot = await directory.createUser({ email: 'bot2@example.com', name: 'Bot', kind: 'service_account' })
  await t.rejects(directory.changeUser({ user: bot.id, serverAdmin: true }), /only a person/)
})

t.test('each sign-in and sign-out is on record, without a secret', async (t) => {
  const browser = await server.signIn(wide.id)
  const cookie = Object.values(browser.cookies)[0]!
  await browser.call('DELETE', '/session')
  const events = await backend.audit.list({ user: wide.id, action: 'session/', limit: 2 })
  t.match(events, [{ action: 'session/ended sign-out' }, { action: 'session/started link', remote_address: '127.0.0.1' }])
  const rows = await db.query('select row_to_json(a)::text as event from audit_events a')
  const written = JSON.stringify(rows) + server.log.join('')
  t.notMatch(written, cookie)
  t.notMatch(written, /svc_link_[A-Z2-7]/)
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

t.test('a lot of it goes in several statements', async (t) => {
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
})

t.test('a server does it soon after it has started', async (t) => {
  await db.query("insert into used_challenges (hash, expires_at) values ('\\x03', now() - interval '1 minute')")
  await runFirstUpkeep({ auditRetentionDays: undefined }, { ...backend, log: server.app.log })
  t.same(await db.query("select from used_challenges where hash = '\\x03'"), [])
})
