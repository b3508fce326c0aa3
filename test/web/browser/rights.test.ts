// People without a right get a page that says whom to ask, and nothing that would be refused; what they see follows their rights.
import t from 'tap'
import { browser, checkAxe, DESK, listeningServer, loaded, noBrowser, signedInWindow } from '../../helpers/browser.js'
import { until } from '../../helpers/until.js'
import { PAGE_PATHS, type PagePath } from '../../../src/web/page-paths.js'

const INSTALMENTS = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'

t.test('pages for administrators, and what others see', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const { wide, narrow } = server
  await server.db.query("update memberships set role = 'viewer' where user_id = $1", [server.narrow.id])
  const { page, errors } = await signedInWindow(chromium, server, server.narrow.email, { reducedMotion: 'reduce' }, '/inbox')
  const refused: string[] = []
  page.on('response', (response) => { if (response.status() >= 400) refused.push(response.url()) })
  await page.reload()
  await page.getByText(/^An editor or admin of a workspace decides/).waitFor()
  await page.goto('/')
  await loaded(page)
  t.same(refused, [], 'nothing is asked that is refused')
  t.equal(await page.getByRole('navigation', { name: 'Pages' }).getByText('Administration').count(), 0)

  for (const { path, right } of PAGE_PATHS as readonly PagePath[]) {
    if (right === undefined) continue
    const asked: string[] = []
    page.on('request', (request) => { asked.push(new URL(request.url()).pathname) })
    t.equal((await page.goto(path))?.status(), 403, path)
    await page.getByText(right === 'server_admin' ? /^Only server administrators can open/ : /^Only admins of a workspace can open/).waitFor()
    t.same(await page.getByRole('main').getByRole('button').allTextContents(), [], `${path}: nothing to press`)
    t.same(asked.filter((one) => one.startsWith('/web/v1/') && one !== '/web/v1/session'), [], `${path}: nothing is asked that would be refused`)
    page.removeAllListeners('request')
  }
  await checkAxe(t, page, 'a page without the right')

  for (const path of [`/explorations/${INSTALMENTS}`, `/explorations/${INSTALMENTS}/plan`]) {
    await page.goto(path)
    await page.getByText(/An admin of the workspace can add you/).waitFor()
    t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    t.equal(await page.getByRole('link', { name: 'Workspaces that you can join' }).count(), 0)
  }

  await page.route('**/web/v1/explorations/**', (route) => route.fulfill({ status: 500 }))
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  t.same(errors, [])
  const manager = await server.newPerson('manager', 'harbour-clinic', 'admin')
  const own = await signedInWindow(chromium, server, manager.email, {}, '/admin/workspaces')
  await own.page.getByRole('row', { name: /Harbour/ }).waitFor()
  t.equal(await own.page.getByText('not a member of').count(), 0)
  t.equal((await own.page.goto('/admin/status'))?.status(), 403, 'an admin of a workspace opens the page of workspaces alone')

  await t.test('who is deactivated is led away, once; an administrator lets them in again', async (t) => {
    await server.db.query('update users set server_admin = true where id = $1', [wide.id])
    const admin = await signedInWindow(chromium, server, wide.id, { viewport: DESK }, '/admin/people')
    const other = await signedInWindow(chromium, server, narrow.id, { viewport: DESK }, '/')
    await loaded(admin.page)
    await loaded(other.page)
    await server.backend.directory.changeUser({ user: narrow.id, active: false })
    // The first request that is refused begins the navigation; the others are refused while it is under way.
    const navigations: string[] = []
    let [asked, refused] = [0, 0]
    await other.page.route('**/*', async (route) => {
      const request = route.request()
      if (request.isNavigationRequest()) {
        navigations.push(request.url())
        await until(() => refused === asked)
      } else if (request.url().includes('/web/v1/')) {
        asked++
        if (asked > 1) await until(() => navigations.length > 0)
        await route.continue()
        await request.response()
        refused++
        return
      }
      await route.continue()
    })
    await other.page.getByRole('link', { name: 'Usage', exact: true }).click()
    await other.page.waitForURL('**/sign-in?return=%2Fusage')
    t.ok(asked > 1, `${asked} requests`)
    t.same(navigations, [`${server.url}/sign-in?return=%2Fusage`], 'however many of its requests were refused')
    await admin.page.reload()
    await admin.page.getByRole('row', { name: /Deactivated/ }).getByRole('button', { name: /^Actions for/ }).click()
    await admin.page.getByRole('menuitem', { name: 'Activate' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await admin.page.getByText('Activated.', { exact: true }).waitFor()
    // One of those that were refused may still wait for the end of its response.
    await other.page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const { close } of [admin, other]) await close()
  })
})
