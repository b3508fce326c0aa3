// The web application on three replicas with one PostgreSQL and one Valkey: what ends on one ends on all.
import { randomInt } from 'node:crypto'
import t from 'tap'
import { authenticator } from '../helpers/authenticator.js'
import { NO_SERVICES, replicas } from '../helpers/replicas.js'
import { createBrowser, ORIGIN, type Browser } from '../helpers/web.js'

t.test('three replicas', { skip: NO_SERVICES }, async (t) => {
  const { all, apps, backend, narrow } = await replicas(t, { signInsPerMinute: '1000' })
  const signedIn = async (): Promise<[Browser, Browser, Browser]> => {
    const cookies: Record<string, string> = {}
    const browserOf = (app: typeof apps[0]): Browser => createBrowser(app, ORIGIN, cookies)
    const three: [Browser, Browser, Browser] = [browserOf(apps[0]), browserOf(apps[1]), browserOf(apps[2])]
    const { token } = await backend.signInLinks.create(narrow.user)
    t.equal((await three[1].call('POST', '/sign-in/link', { token })).status, 200)
    return three
  }
  /** Each keeps its cookies, although a reply removes those that no longer work. */
  const statuses = async (three: readonly Browser[]): Promise<number[]> =>
    await Promise.all(three.map(async ({ cookies }, index) => (await createBrowser(apps[index]!, ORIGIN, { ...cookies }).call('GET', '/session')).status))

  await t.test('a session of one is a session of all, and so is its end', async (t) => {
    const three = await signedIn()
    t.same(await statuses(three), [200, 200, 200])
    t.equal((await three[0].call('DELETE', '/session')).status, 200)
    t.same(await statuses(three), [401, 401, 401])
  })

  await t.test('a link works on one of them, once', async (t) => {
    const { token } = await backend.signInLinks.create(narrow.user)
    const replies = await Promise.all([...apps, ...apps, ...apps].map((app) => createBrowser(app, ORIGIN).call('POST', '/sign-in/link', { token })))
    t.equal(replies.filter(({ status }) => status === 200).length, 1)
    t.equal(replies.filter(({ status }) => status === 401).length, 8)
  })

  await t.test('a passkey that was added on one signs in on another, with a challenge of the third, once', async (t) => {
    const [one, two, three] = await signedIn()
    const device = authenticator(ORIGIN)
    const { body: creation } = await one.call('POST', '/passkeys/options')
    t.equal((await two.call('POST', '/passkeys', { name: 'Key', response: device.create(creation) })).status, 201)
    const { body: options } = await three.call('POST', '/sign-in/passkey/options')
    const response = device.get(options)
    const replies = await Promise.all([...apps, ...apps].map((app) => createBrowser(app, ORIGIN).call('POST', '/sign-in/passkey', { response })))
    t.equal(replies.filter(({ status }) => status === 200).length, 1)
  })

  await t.test('two administrators who remove each other on two replicas leave one', async (t) => {
    const { directory } = backend
    const other = await directory.createUser({ email: 'other@example.com', name: 'Other', kind: 'person', serverAdmin: true })
    for (let round = 0; round < 5; round++) {
      for (const user of [narrow.user, other.id]) await directory.changeUser({ user, serverAdmin: true })
      const outcomes = await Promise.allSettled([narrow.user, other.id].map((user, index) =>
        all[index]!.backend.directory.changeUser({ user, serverAdmin: false })))
      t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    }
  })

  await t.test('anyone who is deactivated is out everywhere, at the next request, with their keys', async (t) => {
    await backend.directory.createUser({ email: 'boss@example.com', name: 'Boss', kind: 'person', serverAdmin: true })
    const three = await signedIn()
    await all[2]!.backend.directory.changeUser({ user: narrow.user, active: false })
    t.same(await statuses(three), [401, 401, 401])
    t.same(await Promise.all(all.map(({ backend: { credentials } }) => credentials.verify(narrow.key))), Array(3).fill({ refused: 'unknown' }))
    await all[1]!.backend.directory.changeUser({ user: narrow.user, active: true })
  })

  await t.test('guesses on all of them are counted together', async (t) => {
    const limited = await replicas(t, { signInsPerMinute: '4', trustProxy: '1' })
    // An address of its own: the counts outlive a test.
    const address = `10.${[0, 0, 0].map(() => randomInt(256)).join('.')}`
    const found: number[] = []
    for (let guess = 0; guess < 9; guess++) {
      const browser = createBrowser(limited.apps[guess % 3]!, ORIGIN)
      found.push((await browser.call('POST', '/sign-in/link', { token: 'x' }, { 'x-forwarded-for': address })).status)
    }
    t.same(found, [401, 401, 401, 401, 429, 429, 429, 429, 429])
  })
})
