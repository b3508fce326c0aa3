/**
 * A newcomer's way in a real browser: the link of the first start, a passkey, a key, its test, and an agent that is refused once the key is
 * revoked.
 */
import t from 'tap'
import { toolCall, modernRequest } from '../../helpers/build.js'
import { addAuthenticator, browser, listeningServer, noBrowser, openWindow, signedInWindow } from '../../helpers/browser.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'

t.test('the pages', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const { backend, wide } = server
  const callTool = async (secret: string, name: string) => {
    const { headers, body } = toolCall(secret, name)
    return fetch(`${server.url}/mcp`, { method: 'POST', headers, body })
  }

  await t.test('link, passkey, key, test, both eras, revoke', async (t) => {
    const visit = await openWindow(chromium, server)
    const { page, errors } = visit
    const passkeys = await addAuthenticator(visit)

    await page.goto('/integrations/developer')
    t.equal(new URL(page.url()).pathname, '/sign-in', 'a page leads to the sign-in page')
    const { token } = await backend.signInLinks.create(wide.id)
    await page.goto(`/sign-in?return=${encodeURIComponent('/integrations/developer')}#token=${token}`)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    t.equal(page.url(), `${server.url}/integrations/developer`, 'and back; the token is gone from the address')
    t.notMatch(await page.evaluate('JSON.stringify(performance.getEntries().map(({ name }) => name))'), token, 'it was in no address that was asked for')

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Passkey added').waitFor()
    t.equal(await passkeys(), 1)
    t.equal(await page.getByRole('heading', { name: 'Sign in without a link' }).count(), 0, 'the offer is over')

    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${server.url}/`)

    await page.goto('/integrations/developer')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Give the key a name').waitFor()
    await dialog.getByLabel('Name').fill('laptop')
    await dialog.getByLabel('Expires').selectOption('In 30 days')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    t.match(secret, /^svc_key_/)
    await page.keyboard.press('Escape')
    t.equal(await page.locator('[data-secret]').count(), 1, 'Escape does not lose the secret')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText(`Connected: ${tools.length} tools answer.`).waitFor()
    t.equal(await dialog.getByRole('list', { name: 'Tools' }).getByRole('listitem').count(), tools.length)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    t.equal(await page.locator('[data-secret]').count(), 0)
    t.equal(await page.getByRole('rowheader', { name: 'laptop' }).count(), 1)

    // Both eras with that key.
    const { headers, body } = modernRequest(secret, 'server/discover')
    t.equal((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })).status, 200)
    t.equal((await callTool(secret, 'list_workspaces')).status, 200)
    const legacy = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      })
    })
    t.equal(legacy.status, 200)

    await page.reload()
    await page.getByRole('row', { name: /laptop/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked.').waitFor()
    t.equal((await callTool(secret, 'list_workspaces')).status, 401, 'refused at its next call')
    t.same(errors, [])
  })

  await t.test('rotate: the new key works beside the old one, until that is revoked', async (t) => {
    const { page, errors } = await signedInWindow(chromium, server, wide.id)
    const old = await backend.credentials.createKey({ user: wide.id, name: 'nightly', scope: 'read' })
    await page.reload()
    await page.getByRole('button', { name: 'More for nightly' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Create the new key' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    t.not(secret, old.key)
    t.equal((await callTool(old.key, 'ping')).status, 200)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The new key works.').waitFor()
    await page.getByRole('button', { name: 'Revoke the old key' }).click()
    await page.getByText('Key revoked.').waitFor()
    t.equal((await callTool(old.key, 'ping')).status, 401)
    t.equal((await callTool(secret, 'ping')).status, 200)
    t.same(errors, [])
  })

  await t.test('a token, for some workspaces, on a date', async (t) => {
    const { page, errors } = await signedInWindow(chromium, server, wide.id, {}, '/settings/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('my laptop')
    await dialog.getByRole('radio', { name: /^Read and write/ }).check()
    await dialog.getByLabel('Workspaces').selectOption('Only some')
    await dialog.getByRole('checkbox').first().check()
    await dialog.getByLabel('Expires').selectOption('On a date')
    await dialog.getByLabel('Last day').fill('2031-05-04')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    t.match(await page.locator('[data-secret]').innerText(), /^svc_pat_/)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    const row = page.getByRole('row', { name: /my laptop/ })
    t.match(await row.innerText(), /May 4, 2031|May 5, 2031/)
    t.same(errors, [])
  })

  await t.test('a device: the tool gets its token after Approve, none after Deny', async (t) => {
    const ask = async () => {
      const reply = await fetch(`${server.url}/api/v1/device/authorization`, {
        method: 'POST', body: new URLSearchParams({ client_id: 'exploration-mcp init', name: 'build-machine' })
      })
      return await reply.json() as { device_code: string, user_code: string, verification_uri: string }
    }
    const redeem = (code: string) => fetch(`${server.url}/api/v1/device/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, client_id: 'exploration-mcp init'
      })
    })
    const { page, errors } = await signedInWindow(chromium, server, wide.id, {}, '/device')
    const first = await ask()
    t.match(first.verification_uri, /\/device$/)
    await page.getByLabel('Code').fill(first.user_code.replace('-', '').toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('build-machine').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved.').waitFor()
    const { access_token: token } = await (await redeem(first.device_code)).json() as { access_token: string }
    t.equal((await callTool(token, 'ping')).status, 200)

    const second = await ask()
    await page.goto(`/device?code=${second.user_code}`)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Denied').waitFor()
    t.match(await (await redeem(second.device_code)).json(), { error: 'access_denied' })

    await page.goto('/device?code=WRNG-CODE')
    await page.getByRole('alert').waitFor()
    t.equal(await page.getByLabel('Code').inputValue(), 'WRNG-CODE')
    t.same(errors, [])
  })
})
