// How people and tools get in: by the provider of the organisation, by an invitation, `init` by a code, with keys and tokens.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { toolCall } from '../../helpers/build.js'
import { browser, listeningServer, noBrowser, openWindow, signedInWindow } from '../../helpers/browser.js'
import { commandLine } from '../../helpers/command-line.js'
import { CLIENT, openIdProvider } from '../../helpers/openid-provider.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'

t.test('getting in', { skip: noBrowser }, async (t) => {
  const addresses = { url: '' }
  const provider = await openIdProvider(t, () => ({ redirectUri: `${addresses.url}/auth/oidc/callback`, signedOutUri: `${addresses.url}/sign-in` }))
  const server = await listeningServer(t, {
    oidcIssuer: provider.issuer, oidcClientId: CLIENT.id, oidcClientSecret: CLIENT.secret, oidcAllowedDomains: 'example.com', oidcName: 'Example ID'
  })
  addresses.url = server.url
  const { db, backend, wide, narrow } = server
  await db.query('update users set server_admin = true where id = $1', [wide.id])
  const chromium = await browser(t)
  const callTool = (secret: string, name: string): Promise<Response> => {
    const { headers, body } = toolCall(secret, name)
    return fetch(`${server.url}/mcp`, { method: 'POST', headers, body })
  }

  await t.test('the provider: to the page that was asked for, and out again', async (t) => {
    provider.people.set('known', { email: narrow.email, email_verified: true })
    provider.subject = 'known'
    const { page, close } = await openWindow(chromium, server)
    await page.goto('/usage?range=30d')
    await page.waitForURL('**/sign-in?return=%2Fusage%3Frange%3D30d')
    await page.getByRole('link', { name: 'Continue with Example ID' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    t.equal(page.url(), `${server.url}/usage?range=30d`)
    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Sign out' }).last().click()
    // The provider asks whether to sign out there too.
    await page.waitForURL(`${provider.issuer}/**`)
    await page.getByRole('button', { name: /yes, sign me out/i }).click()
    await page.waitForURL(`${server.url}/sign-in**`)
    await page.getByRole('link', { name: 'Continue with Example ID' }).waitFor()
    provider.people.set('stranger', { email: 'eve@elsewhere.example', email_verified: true })
    provider.subject = 'stranger'
    await page.getByRole('link', { name: 'Continue with Example ID' }).click()
    await page.getByText(/This account may not sign in here/).waitFor()
    await close()
  })

  await t.test('an invitation: made by an administrator, accepted elsewhere; that workspace is seen', async (t) => {
    const admin = await signedInWindow(chromium, server, wide.id, {}, '/admin/people')
    await admin.page.getByRole('button', { name: 'Invite' }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByLabel('Workspace').selectOption({ index: 1 })
    const workspace = await dialog.getByLabel('Workspace').locator('option:checked').innerText()
    await dialog.getByLabel('Role').selectOption('editor')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const link = (await admin.page.locator('[data-secret] code').innerText()).trim()
    t.match(link, `${server.url}/sign-in#invitation=`)
    await dialog.getByRole('button', { name: 'I have sent it' }).click()

    const guest = await openWindow(chromium, server)
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'You are invited' }).waitFor()
    t.notMatch(guest.page.url(), /invitation=/, 'the token leaves the address')
    t.match(await guest.page.getByRole('list', { name: 'Workspaces' }).innerText(), workspace)
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await guest.page.getByText('Say how others see you').waitFor()
    await guest.page.getByLabel('Name').fill('Grace Hopper')
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await guest.page.getByRole('heading', { name: 'Sign in without a link next time' }).waitFor()
    const options = guest.page.getByLabel('Workspace', { exact: true }).getByRole('option')
    await options.nth(1).waitFor({ state: 'attached' })
    t.same(await options.allTextContents(), ['All workspaces', workspace])
    await admin.page.reload()
    await admin.page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
    for (const { close } of [admin, guest]) await close()
  })

  await t.test('init: its address opens the request; Approve ends it with a token in the file', async (t) => {
    const cli = commandLine(t, { data: join(t.testdir({}), 'data') })
    mkdirSync(join(cli.home, '.cursor'))
    const file = join(cli.home, '.cursor/mcp.json')
    const init = cli.begin(`init --yes --url ${server.url}/mcp`)
    const { page, close } = await openWindow(chromium, server)
    const code = await init.heard(/\n {2}([A-Z]{4}-[A-Z]{4})\n/)
    await page.goto(await init.heard(/in a browser[^]*?(http:\S+)/))
    // No one is signed in yet: the code stays in the address.
    await page.waitForURL('**/sign-in?return=**')
    provider.subject = 'known'
    await page.getByRole('link', { name: 'Continue with Example ID' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    t.equal(await page.getByRole('definition').first().innerText(), code)
    t.match(await page.getByRole('main').innerText(), /testhost[^]*exploration-mcp/)
    t.notOk(existsSync(file), 'nothing before there is a token')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved.').waitFor()

    const done = await init.ended
    t.match(done, { code: 0, out: new RegExp(`✔ Cursor: .*verified: ${tools.length} tools`) })
    const token = /Bearer (svc_pat_\w+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    t.notOk((done.out + done.err).includes(token))
    t.equal((await callTool(token, 'ping')).status, 200)
    await page.goto('/settings/tokens')
    await page.getByRole('row', { name: /testhost/ }).waitFor()
    t.match(await backend.credentials.verify(token), { principal: { user: { id: narrow.id } } }, 'it belongs to who approved')
    await page.goto(`/device?code=${(await backend.devices.request({ name: 'unasked', remote_address: '10.1.2.3' }))!.user_code}`)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('The tool gets no token.').waitFor()
    await close()
  })

  await t.test('rotate: the new key works beside the old one, until that is revoked', async (t) => {
    const old = await backend.credentials.createKey({ user: wide.id, name: 'nightly', scope: 'read' })
    const { page, close } = await signedInWindow(chromium, server, wide.id)
    await page.getByRole('button', { name: 'More for nightly' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Create the new key' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    t.equal((await callTool(old.key, 'ping')).status, 200)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The new key works.').waitFor()
    await page.getByRole('button', { name: 'Revoke the old key' }).click()
    await page.getByText('Key revoked.').waitFor()
    t.same(await Promise.all([old.key, secret].map(async (key) => (await callTool(key, 'ping')).status)), [401, 200])
    await close()
  })
})
