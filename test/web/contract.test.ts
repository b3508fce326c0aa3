// What is promised to anyone who checks from outside: the addresses, and that guesses and refusals tell nothing.
import t from 'tap'
import { PAGE_PATHS } from '../../src/web/page-paths.js'
import { build } from '../helpers/build.js'
import { webServer } from '../helpers/web.js'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const ROUTES = [
  '/', '/explorations/:id', '/explorations/:id/plan', '/integrations/developer', '/integrations/connect', '/settings/tokens', '/settings/account', '/device', '/usage', '/audit',
  '/admin/people', '/admin/workspaces', '/admin/credentials', '/admin/status', '/sign-in'
]
const server = await webServer(t)
const { backend, db, wide, narrow } = server

t.test('each promised page is there for anyone who is signed in', async (t) => {
  const { id } = await backend.directory.createUser({ email: 'first@example.com', name: 'First', kind: 'person', serverAdmin: true })
  await backend.directory.addMember({ user: id, workspace: 'tillpoint', role: 'viewer' })
  const browser = await server.signIn(id)
  await backend.directory.addMember({ user: narrow.id, workspace: 'harbour-clinic', role: 'viewer' })
  const viewer = await server.signIn(narrow.id)
  const paths: readonly string[] = PAGE_PATHS.map(({ path }) => path)
  for (const path of ROUTES) {
    t.ok(paths.includes(path), path)
    const { status, headers } = await browser.open(path.replace(':id', 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'), { accept: HTML })
    t.match([status, headers['content-type']], [200, /html/], path)
    const refused = path.startsWith('/admin/') ? 403 : 200
    t.match(await viewer.open(path, { accept: HTML }), { status: refused, headers: { 'content-type': /html/ } }, `${path} for a person who is no admin`)
  }
})

t.test('a server without the web application, such as a front, answers each page as JSON', async (t) => {
  const { app } = await build(t)
  for (const path of ROUTES.filter((path) => path !== '/device')) {
    const reply = await app.inject({ url: path, headers: { host: 'localhost', accept: HTML } })
    t.match(reply, { statusCode: 404, headers: { 'content-type': /json/ } }, path)
  }
})

t.test('no address leads a browser to another host', async (t) => {
  for (const url of ['//evil.example', '//evil.example/usage', '/%2f/evil.example', '/\\evil.example', '/.//evil.example', '/usage?return=//evil.example', '/sign-in?return=//evil.example']) {
    const { status, headers } = await server.browser().open(url, { accept: HTML })
    const { location } = headers
    t.ok(location === undefined || /^\/sign-in(?:\?|$)/.test(String(location)), `${url}: ${status} ${String(location)}`)
  }
})

t.test('a link, an invitation and a passkey that do not work are all refused alike', async (t) => {
  await backend.directory.changeUser({ user: wide.id, serverAdmin: true })
  const admin = await server.signIn(wide.id)
  const ask = async (path: string, body: object) => {
    const { status, body: { detail, title } } = await server.browser().call('POST', path, body)
    return JSON.stringify({ status, title, detail })
  }
  const used = (await backend.signInLinks.create(narrow.id)).token
  await ask('/sign-in/link', { token: used })
  const expired = (await backend.signInLinks.create(narrow.id)).token
  await db.query("update sign_in_links set expires_at = now() - interval '1 second'")
  const deactivated = await backend.directory.createUser({ email: 'gone@example.com', name: 'Gone', kind: 'person' })
  const ofDeactivated = (await backend.signInLinks.create(deactivated.id)).token
  await backend.directory.changeUser({ user: deactivated.id, active: false })
  const links = await Promise.all([used, expired, ofDeactivated, `svc_link_${'A'.repeat(52)}`, 'x'].flatMap((token) =>
    ['/sign-in/link', '/sign-in/link/lookup'].map((path) => ask(path, { token }))))
  t.equal(new Set(links).size, 1, links.join('\n'))
  t.match(links[0], '"status":401')

  const invite = async (email: string) => {
    const { body } = await admin.call<{ id: string, url: string }>('POST', '/invitations', { email, memberships: [] })
    return { id: body.id, token: body.url.split('invitation=')[1] ?? '' }
  }
  const revoked = await invite('revoked@example.com')
  await admin.call('DELETE', `/invitations/${revoked.id}`)
  const late = await invite('late@example.com')
  await db.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [late.id])
  const tokens = [revoked.token, late.token, `svc_invite_${'A'.repeat(52)}`, 'x']
  for (const path of ['/invitations/lookup', '/sign-in/invitation']) {
    const answers = await Promise.all(tokens.map((token) => ask(path, { token, ...path === '/sign-in/invitation' && { name: 'N' } })))
    t.equal(new Set(answers).size, 1, answers.join('\n'))
    t.match(answers[0], '"status":401')
  }
})

t.test('codes of devices are not guessed: 30 a minute for one person, whatever is done with them', async (t) => {
  const browser = await server.signIn(narrow.id)
  const statuses: number[] = []
  for (let guess = 0; guess < 31; guess++) {
    const code = `BCDF-${'GHJKLMNPQRSTVWXZ'[guess % 16]}HJK`
    statuses.push((await (guess % 2 === 0 ? browser.call('GET', `/devices/${code}`) : browser.call('POST', `/devices/${code}/denial`))).status)
  }
  t.ok(statuses.slice(0, 30).every((status) => status === 404), statuses.join())
  t.equal(statuses[30], 429)
  const other = await server.signIn(wide.id)
  t.equal((await other.call('GET', '/devices/BCDF-GHJK')).status, 404, 'others are not kept out')
})
