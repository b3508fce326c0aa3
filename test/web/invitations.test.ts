// Invitations by server administrators: a link, once, within seven days; and what people set for themselves.
import t from 'tap'
import { webServer, type Browser } from '../helpers/web.js'
import { allPages } from './all-pages.js'

const server = await webServer(t)
const { db, backend, wide, narrow } = server
await backend.directory.changeUser({ user: wide.id, serverAdmin: true })
const admin = await server.signIn(wide.id)
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

t.test('invitations are listed page by page, newest first', async (t) => {
  const idsOf = ({ invitations }: { invitations: Array<{ id: string }> }) => invitations.map(({ id }) => id)
  const whole = await allPages(admin, '/invitations?limit=200', idsOf)
  t.same(await allPages(admin, '/invitations?limit=2', idsOf), whole)
  t.ok(whole.length >= 7)
  t.equal((await admin.call('GET', '/invitations?cursor=x')).status, 422)
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
