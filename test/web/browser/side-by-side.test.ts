/**
 * Two people with different rights at the same time, and one person on two replicas: each request of a page goes to the other one, as
 * behind a load balancer without sticky sessions.
 */
import { createServer, request as forward } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { toolCall } from '../../helpers/build.js'
import { addAuthenticator, browser, listeningServer, loaded, noBrowser, openWindow, signedInWindow } from '../../helpers/browser.js'
import { sampleDatabase } from '../../helpers/database.js'
import { until } from '../../helpers/until.js'
import { webServer } from '../../helpers/web.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'

/** Sends one request after the other to the next server. The servers are given once the address is known. */
const balancer = async (t: Test) => {
  const ports: number[] = []
  const served: number[] = []
  let next = 0
  const proxy = createServer((request, response) => {
    const index = next++ % ports.length
    served[index] = (served[index] ?? 0) + 1
    const onward = forward({ port: ports[index], host: '127.0.0.1', method: request.method, path: request.url, headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    served,
    async add (app: FastifyInstance): Promise<void> {
      await app.listen({ host: '127.0.0.1', port: 0 })
      ports.push((app.server.address() as AddressInfo).port)
    }
  }
}

t.test('side by side', { skip: noBrowser }, async (t) => {
  const chromium = await browser(t)

  await t.test('two people: each sees what is theirs, and a change of rights works at the next request', async (t) => {
    const server = await listeningServer(t)
    const { db, wide, narrow } = server
    await db.query('update users set server_admin = true where id = $1', [wide.id])
    const admin = await signedInWindow(chromium, server, wide.id, { viewport: { width: 1280, height: 900 } }, '/')
    const other = await signedInWindow(chromium, server, narrow.id, { viewport: { width: 1280, height: 900 } }, '/')
    const pagesOf = ({ page }: typeof admin): Promise<string[]> => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    await loaded(admin.page)
    await loaded(other.page)
    t.ok((await pagesOf(admin)).includes('People'))
    t.notOk((await pagesOf(other)).some((name) => ['People', 'Workspaces', 'Credentials', 'Server'].includes(name)))
    const titlesOf = ({ page }: typeof admin): Promise<string[]> => page.locator('.result-title').allTextContents()
    const [all, some] = [await titlesOf(admin), await titlesOf(other)]
    t.ok(all.length > some.length && some.length > 0 && some.every((title) => all.includes(title)))
    const foreign = await db.query<{ id: string, title: string }>(
      'select e.id, e.title from explorations e where e.workspace_id not in (select workspace_id from memberships where user_id = $1) limit 1', [narrow.id])
    for (const path of [`/explorations/${foreign[0]?.id}`, `/explorations/${foreign[0]?.id}/plan`]) {
      await other.page.goto(path)
      await other.page.getByRole('alert').waitFor()
      t.notMatch(await other.page.locator('body').innerText(), String(foreign[0]?.title), path)
    }
    for (const path of ['/admin/people', '/admin/credentials', '/admin/status']) {
      await other.page.goto(path)
      await other.page.getByText('Only server administrators can open this page').waitFor()
      t.notMatch(await other.page.locator('#main').innerText(), wide.email, path)
    }
    await other.page.goto('/audit?user=' + wide.id)
    await loaded(other.page)
    t.equal(await other.page.locator('.row-unfolds').count(), 0, 'the audit log of others is empty')

    // The administrator makes the other one the admin of their workspace, while that one looks at the pages.
    await admin.page.goto('/admin/people')
    await admin.page.getByRole('row', { name: new RegExp(narrow.email) }).getByRole('button', { name: /^Actions for/ }).click()
    await admin.page.getByRole('menuitem', { name: 'Workspaces and roles' }).click()
    const saved = admin.page.waitForResponse((reply) => reply.request().method() === 'PUT')
    await admin.page.getByLabel(/^Role in/).selectOption('admin')
    t.equal((await saved).status(), 200)
    await other.page.goto('/admin/workspaces')
    await other.page.getByRole('button', { name: /^Actions for/ }).first().click()
    await other.page.getByRole('menuitem', { name: 'Members' }).waitFor()
    await admin.page.getByRole('button', { name: /^Remove from/ }).click()
    await admin.page.getByText('No workspaces yet.').waitFor()
    await other.page.goto('/')
    await loaded(other.page)
    t.equal((await titlesOf(other)).length, 0)
    await admin.page.getByRole('button', { name: 'Done' }).click()
    await admin.page.getByRole('row', { name: new RegExp(narrow.email) }).getByRole('button', { name: /^Actions for/ }).click()
    await admin.page.getByRole('menuitem', { name: 'Deactivate' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await admin.page.getByText('Deactivated.', { exact: true }).waitFor()
    await other.page.getByRole('link', { name: 'Access', exact: true }).click()
    await other.page.waitForURL('**/sign-in?return=%2Fintegrations%2Fdeveloper')
    for (const { errors, context } of [admin, other]) {
      t.same(errors, [])
      await context.close()
    }
  })

  await t.test('two replicas: link, passkey, key, test, device, revoke, sign out', async (t) => {
    const db = await sampleDatabase(t)
    const front = await balancer(t)
    const [one, two] = [await webServer(t, { publicUrl: front.url }, db), await webServer(t, { publicUrl: front.url }, db)]
    for (const { app } of [one, two]) await front.add(app)
    const { wide } = one
    const visit = await openWindow(chromium, front, { viewport: { width: 1280, height: 900 } })
    const { page, context, errors } = visit
    const passkeys = await addAuthenticator(visit)
    const { token } = await one.backend.signInLinks.create(wide.id)
    await page.goto(`${front.url}/sign-in?return=%2Fintegrations%2Fdeveloper#token=${token}`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Passkey added').waitFor()
    t.equal(await passkeys(), 1)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('on both')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = (await page.locator('[data-secret]').innerText()).trim()
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText(`Connected: ${tools.length} tools answer.`).waitFor()
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    const statuses = async (): Promise<number[]> => {
      const { headers, body } = toolCall(secret, 'ping')
      const found: number[] = []
      for (let call = 0; call < 4; call++) found.push((await fetch(`${front.url}/mcp`, { method: 'POST', headers, body })).status)
      return found
    }
    t.same(await statuses(), [200, 200, 200, 200])

    const reply = await fetch(`${front.url}/api/v1/device/authorization`, { method: 'POST', body: new URLSearchParams({ client_id: 'exploration-mcp', name: 'build-machine' }) })
    const { verification_uri_complete: address } = await reply.json() as { verification_uri_complete: string }
    t.match(address, `${front.url}/device?user_code=`)
    await page.goto(address)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved.').waitFor()

    await page.goto('/integrations/developer')
    await page.getByRole('row', { name: /on both/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked.').waitFor()
    t.same(await statuses(), [401, 401, 401, 401], 'revoked on both at once')

    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Sign out' }).last().click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${front.url}/`)
    await loaded(page)
    await one.backend.directory.changeUser({ user: wide.id, active: false })
    // The first request that is refused begins the navigation; the others are refused while it is under way.
    const navigations: string[] = []
    let asked = 0
    let refused = 0
    await page.route('**/*', async (route) => {
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
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.waitForURL('**/sign-in?return=%2Fusage')
    t.ok(asked > 1, `${asked} requests`)
    t.same(navigations, [`${front.url}/sign-in?return=%2Fusage`], 'however many of its requests were refused')
    t.ok((front.served[0] ?? 0) > 10 && (front.served[1] ?? 0) > 10, 'both replicas served the pages')
    t.same(errors, [])
    // One of those that were refused may still wait for the end of its response.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
})
