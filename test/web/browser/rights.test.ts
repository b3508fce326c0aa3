// People without a right get a page that says whom to ask, and nothing that would be refused.
import t from 'tap'
import { axeViolations, browser, listeningServer, loaded, noBrowser, showTheme, signedInWindow } from '../../helpers/browser.js'
import { PAGE_PATHS, type PagePath } from '../../../src/web/page-paths.js'

const INSTALMENTS = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'

t.test('pages for administrators, and an exploration of others', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
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
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme)
    t.same(await axeViolations(page), [], theme)
  }

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
})

t.test('an admin of a workspace opens the page of workspaces alone', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  await server.backend.directory.addMember({ user: server.narrow.id, workspace: 'harbour-clinic', role: 'admin' })
  const { page } = await signedInWindow(await browser(t), server, server.narrow.email, {}, '/admin/workspaces')
  await page.getByRole('row', { name: /Harbour/ }).waitFor()
  t.equal(await page.getByText('not a member of').count(), 0)
  t.equal((await page.goto('/admin/status'))?.status(), 403)
})
