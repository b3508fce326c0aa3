// Signing in with an OpenID provider (oidc-provider in this process): who gets in, with which roles, and what is refused.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Flags } from '../../src/config/config.js'
import { readOidcSettings } from '../../src/web/sign-in/oidc-settings.js'
import { meets } from '../conformance/requirements.js'
import { testConfig } from '../helpers/config.js'
import { sampleDatabase } from '../helpers/database.js'
import { authorize, decide, form, request } from '../helpers/oauth.js'
import { CLIENT, openIdProvider } from '../helpers/openid-provider.js'
import { ORIGIN, webServer, type Browser, type WebServer } from '../helpers/web.js'

const db = await sampleDatabase(t)
const provider = await openIdProvider(t, { redirectUri: `${ORIGIN}/auth/oidc/callback`, signedOutUri: `${ORIGIN}/sign-in` })
const SETTINGS: Flags = {
  oidcIssuer: provider.issuer, oidcClientId: CLIENT.id, oidcClientSecret: CLIENT.secret, oidcAllowedDomains: 'example.com,example.org', oidcName: 'Example ID'
}
const server = await webServer(t, SETTINGS, db)
const workspaces = await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug')
const [one, two, three] = workspaces.map(({ slug }) => slug) as [string, string, string]

interface Session {
  user: { id: string, email: string, name: string }
  server_admin: boolean
  method: string
  memberships: Array<{ workspace: { slug: string }, role: string }>
}

/** Goes to the provider and comes back. Resolves with where the server leads then. */
const signIn = async (
  subject: string, { browser = server.browser(), path = '/auth/oidc', change = (url: URL): URL => url, changeBack = (url: URL): URL => url } = {}
): Promise<{ browser: Browser, status: number, to: string }> => {
  provider.subject = subject
  const { headers: { location } } = await browser.open(path)
  const back = changeBack(await provider.signIn(change(new URL(String(location))).href))
  const reply = await browser.open(`${back.pathname}${back.search}`)
  return { browser, status: reply.status, to: String(reply.headers.location) }
}
const rolesOf = async (browser: Browser): Promise<Record<string, string>> =>
  Object.fromEntries((await browser.call<Session>('GET', '/session')).body.memberships.map(({ workspace: { slug }, role }) => [slug, role]))
const isRefused = async (t: Test, attempt: ReturnType<typeof signIn>, error: string): Promise<void> => {
  const { browser, status, to } = await attempt
  t.same({ status, to }, { status: 303, to: `${ORIGIN}/sign-in?error=${error}` })
  t.equal((await browser.call('GET', '/session')).status, 401)
  t.same(browser.cookies, {}, 'no cookie is left')
}

t.test('a person of an allowed domain signs in, is created without roles, and is found again by their subject', async (t) => {
  provider.people.set('s1', { email: 'Nora@example.com', email_verified: true, name: 'Nora' })
  t.match((await server.browser().call('GET', '/sign-in-options')).body, { oidc: { name: 'Example ID', start_url: '/auth/oidc' } })
  const start = await server.browser().open('/auth/oidc?return=/usage')
  t.match(start.headers['set-cookie'], /^exploration_oidc_8080=[\w.-]+; Max-Age=600; Path=\/auth\/oidc; HttpOnly; SameSite=Lax$/)
  const asked = new URL(String(start.headers.location)).searchParams
  t.match(Object.fromEntries(asked), { code_challenge_method: 'S256', code_challenge: String, state: String, nonce: String, scope: 'openid profile email', response_type: 'code' })

  const { browser, status, to } = await signIn('s1', { path: '/auth/oidc?return=/usage%3Fby%3Dday' })
  t.same({ status, to }, { status: 303, to: `${ORIGIN}/usage?by=day` })
  t.same(Object.keys(browser.cookies), ['exploration_session_8080'])
  const { body } = await browser.call<Session>('GET', '/session')
  t.match(body, { user: { email: 'Nora@example.com', name: 'Nora' }, method: 'oidc', server_admin: false, memberships: [] })
  t.match(await server.backend.audit.list({ user: body.user.id, limit: 9 }), [{ action: 'session/started oidc' }, { action: 'user/created by provider' }])
  provider.people.set('s1', { email: 'nora.new@example.com', email_verified: true, name: 'Nora' })
  const again = await signIn('s1')
  t.equal((await again.browser.call<Session>('GET', '/session')).body.user.id, body.user.id, 'whatever their address is now')
})

t.test('who is led to the sign-in by an application comes back to it, however long its request, and is asked', async (t) => {
  meets('oauth-consent-per-client')
  provider.people.set('long', { email: 'ola@example.com', email_verified: true, name: 'Ola' })
  // 4000 characters are what the authorization endpoint takes at most.
  for (const length of [700, 2600, 2900, 4000]) {
    const browser = server.browser()
    const begun = `${form(request().query)}&login_hint=`
    const query = begun.padEnd(length - (length - begun.length) % 3, '%7E').padEnd(length, 'x')
    const asked = `/oauth/mcp/authorize?${query}`
    const toSignIn = new URL(String((await browser.open(asked)).headers.location), ORIGIN)
    t.equal(toSignIn.pathname, '/sign-in')
    const { to } = await signIn('long', { browser, path: `/auth/oidc?return=${encodeURIComponent(toSignIn.searchParams.get('return') ?? '')}` })
    t.equal(to, `${ORIGIN}${asked}`, `${length} characters`)
    const { ticket, error } = await authorize(browser, query)
    t.equal(error, null)
    t.equal((await decide(browser, ticket)).hostname, 'claude.ai')
    t.same(Object.keys(browser.cookies), ['exploration_session_8080'], 'no cookie is left')
  }
  const browser = server.browser()
  await browser.open(`/auth/oidc?return=/usage%3F${'x'.repeat(4000)}`)
  t.equal(Object.keys(browser.cookies).length, 2)
  t.equal((await signIn('long', { browser, path: '/auth/oidc?return=/usage' })).to, `${ORIGIN}/usage`, 'a second attempt, after a long one was left')
  t.equal((await signIn('long', { path: `/auth/oidc?return=/usage%3F${'x'.repeat(5000)}` })).to, `${ORIGIN}/`, 'longer than any request')
  const torn = server.browser()
  const { headers: { location } } = await torn.open(`/auth/oidc?return=/usage%3F${'x'.repeat(4000)}`)
  delete torn.cookies['exploration_oidc_8080_2']
  const back = await provider.signIn(String(location))
  t.equal((await torn.open(`${back.pathname}${back.search}`)).headers.location, `${ORIGIN}/sign-in?error=oidc_expired`, 'half of it is none')
})

t.test('signing out leads to the provider and ends the session here', async (t) => {
  const { browser } = await signIn('s1')
  const { body } = await browser.call<{ redirect_to: string }>('DELETE', '/session')
  const url = new URL(body.redirect_to)
  t.equal(url.origin, provider.issuer)
  t.equal(url.searchParams.get('post_logout_redirect_uri'), `${ORIGIN}/sign-in`)
  t.match(url.searchParams.get('id_token_hint'), /^eyJ/)
  const stored = await db.query<{ n: number }>("select count(*)::int as n from web_sessions where encode(id_token, 'escape') like '%eyJ%'")
  t.same(stored, [{ n: 0 }], 'the ID token is stored encrypted')
  t.equal((await browser.call('GET', '/session')).status, 401)
  const other = await signIn('s1')
  provider.isUp = false
  t.teardown(() => { provider.isUp = true })
  t.equal((await other.browser.call('DELETE', '/session')).status, 200, 'also while the provider is away')
  t.equal((await other.browser.call('GET', '/session')).status, 401)
  provider.isUp = true
})

t.test('someone who is known signs in by their verified address, and no one else gets their account', async (t) => {
  const known = server.narrow
  provider.people.set('known', { email: known.email.toUpperCase(), email_verified: true })
  const { browser } = await signIn('known')
  t.match((await browser.call<Session>('GET', '/session')).body, { user: { id: known.id }, memberships: [{}] })
  provider.people.set('impostor', { email: known.email, email_verified: true })
  await isRefused(t, signIn('impostor'), 'oidc_not_allowed')
  await server.backend.directory.createUser({ email: 'robot@example.com', name: 'R', kind: 'service_account' })
  provider.people.set('robot', { email: 'robot@example.com', email_verified: true })
  await isRefused(t, signIn('robot'), 'oidc_not_allowed')
})

t.test('an address that is not verified, or of another domain, is refused', async (t) => {
  for (const [email, verified, error] of [
    ['eve@example.com', false, 'oidc_email'], ['eve@example.com', undefined, 'oidc_email'], ['eve@example.com', 'false', 'oidc_email'],
    [undefined, true, 'oidc_email'], ['a@b@example.com', true, 'oidc_email'], ['eve@evil.example', true, 'oidc_not_allowed'],
    ['eve@sub.example.com', true, 'oidc_not_allowed'], ['eve@example.com.evil.example', true, 'oidc_not_allowed'], ['eve@notexample.com', true, 'oidc_not_allowed']
  ] as const) {
    provider.people.set('s2', { ...email !== undefined && { email }, email_verified: verified })
    await isRefused(t, signIn('s2'), error)
  }
  t.same(await db.query("select id from users where email like '%eve@%'"), [])
})

t.test('without allowed domains only people who are known sign in', async (t) => {
  const { oidcAllowedDomains: _, ...rest } = SETTINGS
  const closed = await webServer(t, rest, db)
  provider.people.set('s3', { email: 'stranger@example.com', email_verified: true })
  await isRefused(t, signIn('s3', { browser: closed.browser() }), 'oidc_not_allowed')
  t.equal((await signIn('known', { browser: closed.browser() })).to, `${ORIGIN}/`)
})

t.test('anyone who was deactivated does not get in, and their session ends', async (t) => {
  const { browser } = await signIn('s1')
  const { body: { user } } = await browser.call<Session>('GET', '/session')
  await server.backend.directory.changeUser({ user: user.id, active: false })
  t.equal((await browser.call('GET', '/session')).status, 401)
  await isRefused(t, signIn('s1'), 'oidc_not_allowed')
  await server.backend.directory.changeUser({ user: user.id, active: true })
  t.equal((await signIn('s1')).to, `${ORIGIN}/`)
})

t.test('a callback with another state, nonce, issuer, code or browser is refused', async (t) => {
  const set = (name: string, value: string) => (url: URL): URL => { url.searchParams.set(name, value); return url }
  for (const change of [set('nonce', 'another'), set('code_challenge', 'A'.repeat(43))]) await isRefused(t, signIn('s1', { change }), 'oidc_failed')
  for (const [name, value] of [['state', 'another'], ['iss', 'https://evil.example'], ['code', 'another']] as const) {
    await isRefused(t, signIn('s1', { changeBack: set(name, value) }), 'oidc_failed')
  }
  await isRefused(t, signIn('s1', { changeBack: (url) => new URL(`${url.origin}${url.pathname}?error=access_denied&state=${url.searchParams.get('state')}&iss=${provider.issuer}`) }), 'oidc_denied')

  provider.subject = 's1'
  const { headers: { location } } = await server.browser().open('/auth/oidc')
  const back = await provider.signIn(String(location))
  const victim = await server.browser().open(`${back.pathname}${back.search}`)
  t.equal(victim.headers.location, `${ORIGIN}/sign-in?error=oidc_expired`, 'one that began in another browser')

  const browser = server.browser()
  const start = await browser.open('/auth/oidc')
  const [name, value] = Object.entries(start.cookies)[0]!
  browser.cookies[name] = value.replace(/^./, (first) => first === 'e' ? 'f' : 'e')
  const forged = await provider.signIn(String(start.headers.location))
  t.equal((await browser.open(`${forged.pathname}${forged.search}`)).headers.location, `${ORIGIN}/sign-in?error=oidc_expired`)
  const again = await signIn('s1')
  t.equal((await again.browser.open(`${back.pathname}${back.search}`)).headers.location, `${ORIGIN}/sign-in?error=oidc_expired`, 'a callback works once')
})

t.test('an ID token that is too old, from the future, for another client or of a false key is refused', async (t) => {
  const seconds = Math.floor(Date.now() / 1000)
  t.teardown(() => { provider.changeClaims = (claims) => claims })
  for (const change of [
    { exp: seconds - 120, iat: seconds - 400 }, { iat: seconds + 4000, nbf: seconds + 4000, exp: seconds + 9000 }, { aud: 'another' }, { iss: 'https://evil.example' },
    { nonce: 'another' }, { sub: 'another' }
  ]) {
    provider.changeClaims = (claims) => ({ ...claims, ...change })
    await isRefused(t, signIn('s1'), 'oidc_failed')
  }
  provider.changeClaims = (claims) => ({ ...claims, exp: seconds + 5, iat: seconds - 20 })
  t.equal((await signIn('s1')).to, `${ORIGIN}/`, 'clocks may differ a little')
  provider.changeClaims = (claims) => claims
  provider.forge()
  await isRefused(t, signIn('s1'), 'oidc_failed')
  provider.rotateKey()
  t.equal((await signIn('s1')).to, `${ORIGIN}/`, 'the provider changes its key')
  provider.rotateKey(true)
  t.equal((await signIn('s1')).to, `${ORIGIN}/`)
})

t.test('a provider that is away, or says that it is another, keeps no one from other ways in', async (t) => {
  const away = await webServer(t, { ...SETTINGS, oidcIssuer: 'http://localhost:9' }, db)
  const reply = await away.browser().open('/auth/oidc')
  t.same([reply.status, reply.headers.location], [303, `${ORIGIN}/sign-in?error=oidc_unavailable`])
  const other = await webServer(t, { ...SETTINGS, oidcIssuer: provider.issuer.replace('localhost', '127.0.0.1') }, db)
  t.equal((await other.browser().open('/auth/oidc')).headers.location, `${ORIGIN}/sign-in?error=oidc_unavailable`, 'wrong issuer')
  t.equal((await (await away.signIn(away.wide.id)).call('GET', '/session')).status, 200)
})

t.test('a person is led to a page of this server and nowhere else', async (t) => {
  for (const wanted of ['//evil.example', encodeURIComponent('/\\evil.example'), '/a&return=//evil.example']) {
    t.equal((await signIn('s1', { path: `/auth/oidc?return=${wanted}` })).to, `${ORIGIN}/`, wanted)
  }
})

t.test('new people get the default role in every workspace, once', async (t) => {
  const open = await webServer(t, { ...SETTINGS, oidcDefaultRole: 'viewer' }, db)
  provider.people.set('s4', { email: 'four@example.org', email_verified: true })
  const { browser } = await signIn('s4', { browser: open.browser() })
  t.same(await rolesOf(browser), { [one]: 'viewer', [two]: 'viewer', [three]: 'viewer' })
  await server.backend.directory.removeMember({ user: 'four@example.org', workspace: one })
  t.same(await rolesOf((await signIn('s4', { browser: open.browser() })).browser), { [two]: 'viewer', [three]: 'viewer' })
})

t.test('groups give roles at each sign-in, in the workspaces that the file names', async (t) => {
  const withGroups = async (groups: object, more: Flags = {}): Promise<WebServer> => {
    const file = join(t.testdir(), 'groups.json')
    writeFileSync(file, JSON.stringify(groups))
    return webServer(t, { ...SETTINGS, ...more, oidcGroupsFile: file, oidcScopes: 'profile,email,groups' }, db)
  }
  const some = await withGroups({
    groups: {
      'team-a': { workspaces: { [one]: 'editor' } },
      leads: { workspaces: { [one]: 'admin', [two]: 'viewer', nowhere: 'viewer' } },
      constructor: {},
      admins: { server_admin: true }
    }
  })
  const as = async (app: WebServer, groups: unknown): Promise<Browser> => {
    provider.people.set('g1', { email: 'gert@example.com', email_verified: true, groups })
    return (await signIn('g1', { browser: app.browser() })).browser
  }
  t.same(await rolesOf(await as(some, ['team-a', 'unknown'])), { [one]: 'editor' })
  await server.backend.directory.addMember({ user: 'gert@example.com', workspace: three, role: 'admin' })
  t.same(await rolesOf(await as(some, ['team-a', 'leads'])), { [one]: 'admin', [two]: 'viewer', [three]: 'admin' }, 'the highest counts')
  t.match(some.log.join(''), /"nowhere"/)
  t.same(await rolesOf(await as(some, ['team-a'])), { [one]: 'editor', [three]: 'admin' }, 'others are left to the administrators')
  t.same(await rolesOf(await as(some, undefined)), { [three]: 'admin' }, 'no groups, no roles')
  t.same(await rolesOf(await as(some, ['__proto__', 'constructor', { toString: 1 }])), { [three]: 'admin' })

  const admin = async (browser: Browser): Promise<boolean> => (await browser.call<Session>('GET', '/session')).body.server_admin
  await server.backend.directory.changeUser({ user: server.wide.id, serverAdmin: true })
  t.equal(await admin(await as(some, ['admins'])), true)
  const still = await as(some, ['admins'])
  t.equal(await admin(await as(some, [])), false)
  t.equal(await admin(still), false, 'in their other sessions too')
  await as(some, ['admins'])
  await server.backend.directory.changeUser({ user: server.wide.id, serverAdmin: false })
  t.equal(await admin(await as(some, [])), true, 'the last one stays')
  t.match(await server.backend.audit.list({ user: 'gert@example.com', action: 'user/roles by groups', limit: 9 }), [{}, {}, {}])

  const every = await withGroups({ claim: 'groups', groups: { all: { workspaces: { '*': 'viewer', [two]: 'editor' } } } })
  t.same(await rolesOf(await as(every, 'all')), { [one]: 'viewer', [two]: 'editor', [three]: 'viewer' })
  t.same(await rolesOf(await as(every, [])), {}, 'a star names each workspace')
})

t.test('settings that do not fit stop the start with a sentence', async (t) => {
  const folder = t.testdir()
  const file = (text: string): string => {
    const path = join(folder, `${text.length}.json`)
    writeFileSync(path, text)
    return path
  }
  const wrong: Array<readonly [Flags, RegExp]> = [
    [{ oidcClientId: 'x' }, /OIDC_ISSUER is not set/],
    [{ oidcIssuer: 'https://id.example' }, /OIDC_CLIENT_ID is not set/],
    [{ oidcIssuer: 'http://id.example', oidcClientId: 'x' }, /OIDC_ISSUER is plain http to another machine/],
    [{ ...SETTINGS, oidcGroupsFile: '/nowhere' }, /^There is no file \/nowhere \(OIDC_GROUPS_FILE\)\./],
    [{ ...SETTINGS, oidcGroupsFile: file('{') }, /OIDC_GROUPS_FILE is no JSON/],
    [{ ...SETTINGS, oidcGroupsFile: file('{"groups":{"a":{"workspaces":{"b":"owner"}}}}') }, /OIDC_GROUPS_FILE: groups\.a\.workspaces\.b must be one of/]
  ]
  // One start: it reads them as the others are read here.
  await t.rejects(webServer(t, wrong[0]![0], db), wrong[0]![1])
  for (const [flags, sentence] of wrong) t.throws(() => readOidcSettings(testConfig(flags)), { message: sentence })
})

t.test('no code, token or cookie of a sign-in is in the log', async (t) => {
  const { browser } = await signIn('s1')
  const text = server.log.join('')
  t.match(text, /"url":"\/auth\/oidc\/callback"/)
  t.notMatch(text, /code=|state=|eyJ/)
  for (const value of Object.values(browser.cookies)) t.notMatch(text, value)
  t.notMatch(text, CLIENT.secret)
})
