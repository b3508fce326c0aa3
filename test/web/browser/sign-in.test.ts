// In Chromium with a virtual authenticator: the link of the first start, a passkey, signing out, and in again with the passkey alone.
import t from 'tap'
import { addAuthenticator, browser, checkAxe, listeningServer, noBrowser, openWindow, signedInWindow } from '../../helpers/browser.js'

t.test('link, passkey, sign out, passkey', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const visit = await openWindow(chromium, server)
  const { page, context, errors } = visit
  const passkeys = await addAuthenticator(visit)
  const { token } = await server.backend.signInLinks.create(server.wide.id)

  await page.goto('/settings/account')
  await page.waitForURL('**/sign-in?return=%2Fsettings%2Faccount')
  await page.goto(`/sign-in?return=%2Fsettings%2Faccount#token=${token}`)
  await page.waitForURL('**/settings/account')
  t.notMatch(page.url(), /svc_link_/)
  const [cookie] = await context.cookies()
  t.match(cookie, { httpOnly: true, sameSite: 'Lax', secure: false, path: '/' })
  t.equal(await page.evaluate('document.cookie'), '', 'no script of a page reads the cookie')

  await page.getByRole('button', { name: 'Add a passkey' }).first().click()
  await page.getByRole('button', { name: 'More for Chrome on Linux' }).waitFor()
  t.equal(await passkeys(), 1)
  t.equal(await page.getByRole('heading', { name: 'Sign in without a link' }).count(), 0, 'the offer is over')

  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await page.waitForURL('**/sign-in**')
  t.same(await context.cookies(), [])
  const refused: string[] = []
  page.on('response', (reply) => { if (reply.status() >= 400) refused.push(reply.url()) })
  await page.reload()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await page.waitForLoadState('networkidle')
  t.same(refused, [], 'nothing is asked that needs a session')
  await page.goto('/settings/account')
  await page.waitForURL('**/sign-in**')

  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/settings/account')
  const [second] = await context.cookies()
  t.ok(second && second.value !== cookie?.value, 'a new session')
  const [shown] = (await server.backend.web!.sessions.list(server.wide.id))
  t.match(shown, { method: 'passkey' })

  // Its own person stays signed in, and is taken to the first page.
  await page.goto(`/sign-in#token=${token}`)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('about:blank')
  await context.clearCookies()
  await page.goto(`/sign-in#token=${token}`)
  await page.getByText(/This link does not work/).waitFor()
  t.notMatch(page.url(), /svc_link_/, 'the token leaves the address')
  await page.goto('/sign-in?error=oidc_not_allowed')
  await page.getByText(/may not sign in here/).waitFor()
  t.same(errors, [])

  await t.test('a link opened where someone is signed in', async (t) => {
    const { page, errors } = await signedInWindow(chromium, server, server.narrow.email, { reducedMotion: 'reduce' }, '/settings/account')
    const newLink = async (user: string) => `/sign-in?return=%2Fusage#token=${(await server.backend.signInLinks.create(user)).token}`
    const whoIsIn = () => page.evaluate("fetch('/web/v1/session').then((reply) => reply.json()).then(({ user }) => user.email)")

    const foreign = await newLink(server.wide.id)
    await page.goto(foreign)
    await page.getByRole('heading', { name: 'Sign in as Mira Okafor instead?' }).waitFor()
    t.notMatch(page.url(), /svc_link_/)
    t.match(await page.getByRole('main').textContent(), new RegExp(`You are signed in as.*${server.narrow.email}.*${server.wide.email}`))
    t.equal(await whoIsIn(), server.narrow.email, 'opening it changes nothing')
    await checkAxe(t, page, 'another account')
    await page.getByRole('button', { name: /^Stay/ }).click()
    await page.waitForURL('**/usage')
    t.equal(await whoIsIn(), server.narrow.email)

    await page.goto(foreign)
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click()
    await page.waitForURL('**/usage')
    t.equal(await whoIsIn(), server.wide.email)

    await page.goto('/settings/account')
    await page.goto(foreign)
    await page.waitForURL('**/usage')
    t.equal(await whoIsIn(), server.wide.email, 'a used link leads to where it wanted to go')

    await page.goto('/settings/account')
    const own = await newLink(server.wide.id)
    await page.goto(own)
    await page.waitForURL('**/usage')
    const { token = '' } = /#token=(?<token>.*)$/.exec(own)?.groups ?? {}
    t.equal(await server.backend.signInLinks.find(token), undefined, 'a link of the same person is used up without a question')
    t.same(errors, [])
  })
})
