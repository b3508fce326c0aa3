// Passkeys: added by anyone who is signed in, sign in without a name, work once per challenge, end with their removal.
import t from 'tap'
import { authenticator, type Authenticator, type Changes } from '../helpers/authenticator.js'
import { ORIGIN, webServer, type Browser } from '../helpers/web.js'

const server = await webServer(t)
const { db, backend, wide, narrow } = server

const add = async (browser: Browser, device: Authenticator, name = 'Laptop', changes: Changes = {}) => {
  const { body: options } = await browser.call('POST', '/passkeys/options')
  return browser.call<{ id: string, name: string, detail?: string }>('POST', '/passkeys', { name, response: device.create(options, changes) })
}

const signIn = async (device: Authenticator, changes: Parameters<Authenticator['get']>[1] = {}, browser = server.browser()) => {
  const { body: options } = await browser.call('POST', '/sign-in/passkey/options')
  return { browser, ...await browser.call('POST', '/sign-in/passkey', { response: device.get(options, changes) }) }
}

t.test('a passkey signs in without a name, again and again', async (t) => {
  const browser = await server.signIn(wide.id)
  const device = authenticator(ORIGIN)
  t.match(await server.browser().call('POST', '/passkeys/options'), { status: 401 })
  const { body: options } = await browser.call('POST', '/passkeys/options')
  t.match(options, {
    rp: { id: 'localhost', name: 'exploration-mcp' },
    user: { name: wide.email },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none'
  })
  const added = await browser.call<{ id: string }>('POST', '/passkeys', { name: ' Laptop ', response: device.create(options) })
  t.match(added, { status: 201, body: { name: 'Laptop', last_used_at: null } })
  t.match((await browser.call('GET', '/session')).body, { passkey_count: 1 })

  const first = await signIn(device)
  t.match(first, { status: 200, body: { user: { id: wide.id }, first: false } })
  t.match((await first.browser.call('GET', '/session')).body, { method: 'passkey' })
  t.equal((await signIn(device)).status, 200)
  t.match((await browser.call('GET', '/passkeys')).body, { passkeys: [{ id: added.body.id, last_used_at: /^2/ }] })
  const { body: more } = await browser.call('POST', '/passkeys/options')
  t.match(more['excludeCredentials'], [{ id: device.held[0]!.id.toString('base64url') }], 'no authenticator gets a second one')
  t.match(await backend.audit.list({ user: wide.id, action: 'web/createPasskey', limit: 9 }), [{ action: `web/createPasskey ${added.body.id}` }])
})

t.test('what was made for another origin, host, user, purpose or without a check of the person is refused', async (t) => {
  const browser = await server.signIn(narrow.id)
  const device = authenticator(ORIGIN)
  for (const changes of [
    { origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }, { type: 'webauthn.get' },
    { challenge: Buffer.alloc(54).toString('base64url') }, { challenge: 'x' }
  ]) {
    t.match(await add(browser, authenticator(ORIGIN), 'x', changes), { status: 422, body: { detail: /could not be added/ } }, JSON.stringify(changes))
  }
  const added = await add(browser, device)
  t.equal(added.status, 201)
  const wrong: Array<Parameters<Authenticator['get']>[1]> = [
    { origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }, { type: 'webauthn.create' },
    { challenge: Buffer.alloc(54).toString('base64url') }, { userHandle: Buffer.alloc(16).toString('base64url') }
  ]
  const details = new Set<unknown>()
  for (const changes of wrong) {
    const { status, body, cookies } = await signIn(device, changes)
    t.equal(status, 401, JSON.stringify(changes))
    t.same(cookies, {})
    details.add(body['detail'])
  }
  const stranger = authenticator(ORIGIN)
  stranger.create({ rp: { id: 'localhost' }, user: { id: 'AAAA' }, challenge: 'x' })
  details.add((await signIn(stranger)).body['detail'])
  t.equal(details.size, 1, 'one sentence for every reason, also for a passkey that no one has')
})

t.test('a challenge works once, for its purpose, in its session, on every replica', async (t) => {
  const replica = await webServer(t, {}, db)
  const browser = await server.signIn(narrow.id)
  const device = authenticator(ORIGIN)
  await add(browser, device)
  const { body: options } = await server.browser().call('POST', '/sign-in/passkey/options')
  const response = device.get(options)
  t.equal((await replica.browser().call('POST', '/sign-in/passkey', { response })).status, 200, 'asked here, used there')
  device.held[0]!.counter += 5
  t.equal((await server.browser().call('POST', '/sign-in/passkey', { response: device.get(options) })).status, 401)
  t.equal((await replica.browser().call('POST', '/sign-in/passkey', { response: device.get(options) })).status, 401)

  const { body: creation } = await browser.call('POST', '/passkeys/options')
  t.equal((await signIn(device, { challenge: String(creation['challenge']) })).status, 401, 'one for adding signs no one in')
  const elsewhere = await server.signIn(narrow.id)
  t.equal((await elsewhere.call('POST', '/passkeys', { name: 'x', response: authenticator(ORIGIN).create(creation) })).status, 422)
  t.equal((await browser.call('POST', '/passkeys', { name: 'x', response: authenticator(ORIGIN).create(creation) })).status, 201)
  t.equal((await browser.call('POST', '/passkeys', { name: 'x', response: authenticator(ORIGIN).create(creation) })).status, 422)
})

t.test('a counter that does not grow is a copy of the passkey', async (t) => {
  const device = authenticator(ORIGIN)
  await add(await server.signIn(wide.id), device)
  t.equal((await signIn(device, { counter: 7 })).status, 200)
  t.equal((await signIn(device, { counter: 7 })).status, 401)
  t.equal((await signIn(device, { counter: 3 })).status, 401)
  t.equal((await signIn(device, { counter: 8 })).status, 200)
  const synced = authenticator(ORIGIN)
  await add(await server.signIn(wide.id), synced)
  t.equal((await signIn(synced, { counter: 0 })).status, 200)
  t.equal((await signIn(synced, { counter: 0 })).status, 200, 'those that are synced do not count')
})

t.test('a removed passkey signs no one in, and the sessions that it opened end at once on each replica', async (t) => {
  const replica = await webServer(t, {}, db)
  const owner = await server.signIn(narrow.id)
  const device = authenticator(ORIGIN)
  const { body: { id } } = await add(owner, device)
  const opened = await signIn(device, {}, replica.browser())
  t.equal((await opened.browser.call('GET', '/session')).status, 200)
  const stranger = await server.signIn(wide.id)
  t.match(await stranger.call('DELETE', `/passkeys/${id}`), { status: 404, body: { detail: 'You have no such passkey.' } })
  t.equal((await stranger.call('PATCH', `/passkeys/${id}`, { name: 'Mine' })).status, 404)
  t.match(await owner.call('PATCH', `/passkeys/${id}`, { name: 'Phone' }), { status: 200, body: { name: 'Phone' } })
  t.match(await owner.call('DELETE', `/passkeys/${id}`), { status: 200, body: { signed_out: false } })
  t.equal((await opened.browser.call('GET', '/session')).status, 401)
  t.equal((await signIn(device)).status, 401)
  t.equal((await owner.call('GET', '/session')).status, 200)

  const other = authenticator(ORIGIN)
  const { body } = await add(owner, other)
  const own = await signIn(other)
  t.match(await own.browser.call('DELETE', `/passkeys/${body.id}`), { status: 200, body: { signed_out: true } })
  t.same(own.browser.cookies, {})
})

t.test('an administrator removes all passkeys and sessions of a person', async (t) => {
  const browser = await server.signIn(narrow.id)
  const device = authenticator(ORIGIN)
  await add(browser, device)
  const { token } = await backend.signInLinks.create(narrow.id)
  const removed = await backend.directory.signOut({ user: narrow.email, passkeys: true })
  t.ok(removed.passkeys >= 1 && removed.sessions >= 1)
  t.equal((await server.browser().call('POST', '/sign-in/link', { token })).status, 401)
  t.equal((await browser.call('GET', '/session')).status, 401)
  t.equal((await signIn(device)).status, 401)
})

t.test('passkeys are offered where browsers make them', async (t) => {
  const offered = async (publicUrl: string) => {
    const other = await webServer(t, { publicUrl }, db)
    return { other, passkeys: (await other.browser().call('GET', '/sign-in-options')).body['passkeys'] }
  }
  for (const url of ['https://10.0.0.7', 'https://[fd00::1]:8443']) t.equal((await offered(url)).passkeys, false, url)
  const { other: lan, passkeys } = await offered('http://plans.lan')
  t.equal(passkeys, false)
  t.match(await (await lan.signIn(wide.id)).call('POST', '/passkeys/options'), { status: 422, body: { detail: /https and for localhost only/ } })
  const { other: named, passkeys: isOffered } = await offered('https://plans.example')
  t.equal(isOffered, true)
  const browser = await named.signIn(wide.id)
  t.match(Object.keys(browser.cookies), ['__Host-exploration_session'])
  t.match((await browser.call('POST', '/passkeys/options')).body, { rp: { id: 'plans.example' }, excludeCredentials: [] })
})
