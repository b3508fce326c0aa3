/**
 * An application that signs a person in, in a real browser: the question, the answer at the application, a call; and
 * what a stranger could try with the page.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { browser, checkAxe, DESK, focusedName, listeningServer, loaded, noBrowser, signedInWindow, tabTo } from '../../helpers/browser.js'
import { callMcp, form, redeem, register, request, type Request } from '../../helpers/oauth.js'

/** A program that waits on this computer for the answer, as editors do. */
const application = async (t: Test): Promise<{ redirectUri: string, answers: URL[] }> => {
  const answers: URL[] = []
  const server = createServer((incoming, reply) => {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/callback') answers.push(url)
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<title>Application</title><h1>Signed in</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, answers }
}

t.test('an application signs a person in', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const { app, wide, narrow } = server
  const { redirectUri, answers } = await application(t)
  const resource = `${server.url}/oauth/mcp`

  /** What an application asks that has registered itself under this name. */
  const requestOf = async (name: string, uri = redirectUri): Promise<Request> => {
    const { status, body } = await register(app, {
      client_name: name, redirect_uris: [uri], grant_types: ['authorization_code', 'refresh_token']
    })
    t.equal(status, 201)
    return request({ client_id: String(body['client_id']), redirect_uri: uri, resource })
  }
  const { page, errors, context } = await signedInWindow(chromium, server, wide.id, {}, '/licenses.txt')
  const open = ({ query }: Request) => page.goto(`/oauth/mcp/authorize?${form(query)}`)
  const signInAs = async (user: string): Promise<void> => {
    const { cookies } = await server.signIn(user)
    await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: server.url })))
  }
  const redeemed = async (asked: Request) => redeem(app, answers.at(-1)?.searchParams.get('code') ?? '', asked)

  await t.test('question, answer, token, call; then disconnected', async (t) => {
    const asked = await requestOf('Test application')
    await open(asked)
    await page.getByRole('heading', { name: 'An unknown application wants to read your plans' }).waitFor()
    const text = await page.locator('main').innerText()
    t.match(text, 'Test application')
    t.match(text, 'No one: it registered itself')
    t.match(text, `${new URL(redirectUri).host}, a program on this computer`)
    t.match(text, wide.email)
    t.match(text, /8 read-only tools. 120 calls a minute, 10,000 a day/)
    t.match(text, /90 days after its last use/)
    t.match(text, /Allow only what you have just started yourself, on this computer/)
    t.equal(await page.locator('iframe, nav').count(), 0, 'nothing else is on the page')
    await checkAxe(t, page, 'consent')

    t.equal(await page.getByRole('checkbox', { name: /^It may write too/ }).isChecked(), false, 'unless the person ticks it')

    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    t.match(answers.at(-1)?.searchParams.get('iss'), resource)
    const { body, status } = await redeemed(asked)
    t.equal(status, 200)
    t.equal((await callMcp(app, body.access_token, 'tools/call', { name: 'list_workspaces', arguments: {} })).status, 200)

    await page.goto('/settings/connections')
    const row = page.getByRole('row', { name: /Test application/ })
    t.match(await row.innerText(), /No one vouches[^]*All/)
    await row.getByRole('button', { name: /^Let it write/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Let it write' }).click()
    await page.getByText('It may write.').waitFor()
    await page.getByRole('row', { name: /Test application.*Read and write/ }).getByRole('button', { name: /^Only read/ }).waitFor()
    await row.getByRole('button', { name: /^Disconnect/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Disconnected.').waitFor()
    await page.getByText('No application is connected').waitFor()
    t.equal((await callMcp(app, body.access_token)).status, 401, 'refused at its next call')
  })

  await t.test('only some workspaces, by the keyboard alone', async (t) => {
    const asked = await requestOf('By keyboard')
    await open(asked)
    await page.getByRole('heading', { name: /wants to read your plans/ }).waitFor()
    t.notMatch(await focusedName(page), /^(?:Allow|Deny)$/, 'no key that was meant for another window decides')
    await tabTo(page, /^All that you see/)
    await page.keyboard.press('ArrowDown')
    await tabTo(page, /^Allow$/)
    await page.keyboard.press('Enter')
    await page.getByText('Choose at least one workspace.').waitFor()
    t.equal(answers.length, 1, 'nothing was answered')
    await checkAxe(t, page, 'consent without a workspace')
    await page.getByRole('checkbox').first().focus()
    await page.keyboard.press('Space')
    await tabTo(page, /^Allow$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    const { body } = await redeemed(asked)
    const { text } = await callMcp(app, body.access_token, 'tools/call', { name: 'list_workspaces', arguments: {} })
    const { result } = JSON.parse(text) as { result: { structuredContent: { workspaces: unknown[] } } }
    t.equal(result.structuredContent.workspaces.length, 1, 'it sees the chosen one')
  })

  await t.test('someone else signs in, is asked the same, and denies', async (t) => {
    await open(await requestOf('Switched'))
    await page.getByText(wide.email).waitFor()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.waitForURL('**/sign-in?return=**')
    // It asks who is signed in, and leads on by itself then.
    await loaded(page)
    await signInAs(narrow.id)
    await page.reload()
    await page.getByText(narrow.email).waitFor()
    t.match(await page.locator('main').innerText(), 'Switched')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    const { searchParams } = answers.at(-1)!
    t.same([searchParams.get('error'), searchParams.get('iss'), searchParams.has('code')], ['access_denied', resource, false])
    await page.goto('/settings/connections')
    await page.getByText('No application is connected').waitFor()
    await signInAs(wide.id)
  })

  await t.test('a hostile name is text, its invisible characters are marked, and it is cut', async (t) => {
    await page.setViewportSize({ width: 375, height: 700 })
    const asked = await requestOf(`<img src=x onerror=alert(1)>claude\u202e.ai\u200b${'W'.repeat(100)}`)
    await open(asked)
    await page.getByText('<img src=x onerror=alert(1)>claude').waitFor()
    t.equal(await page.locator('main img').count(), 0)
    t.strictSame(await page.locator('.unseen').allInnerTexts(), ['\\u202e', '\\u200b'])
    t.match(await page.getByRole('heading').first().innerText(), /^An unknown application/, 'its name does not lead')
    t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 375, 'nothing reaches beyond the window')
    await page.setViewportSize(DESK)
  })

  await t.test('a document vouches: its host leads, and every page names the connection alike', async (t) => {
    const asked = request({ resource })
    await open(asked)
    await page.getByRole('heading', { name: 'claude.ai wants to read your plans' }).waitFor()
    t.match(await page.locator('main').innerText(), /It calls itself “Claude/)
    t.equal(await page.getByText('a program on this computer').count(), 0)
    await page.route('https://claude.ai/**', async (route) => {
      answers.push(new URL(route.request().url()))
      await route.fulfill({ contentType: 'text/html', body: '<title>Application</title><h1>Connected</h1>' })
    })
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    const { body } = await redeemed(asked)
    // Into the audit log and the usage.
    await callMcp(app, body.access_token, 'tools/call', { name: 'list_workspaces', arguments: {} })

    await page.goto('/settings/connections')
    const row = page.getByRole('row', { name: /claude\.ai \(Claude\)/ })
    await row.getByRole('button', { name: 'Disconnect claude.ai (Claude)' }).click()
    await page.getByRole('dialog', { name: 'Disconnect claude.ai (Claude)?' }).waitFor()
    await page.goto('/audit')
    await page.getByText('claude.ai (Claude) · application').first().waitFor()
    await page.goto('/usage?group=credential')
    await page.getByRole('row', { name: /^claude\.ai \(Claude\) · application/ }).waitFor()
    t.equal(await page.locator('.limit-name').getByText('claude.ai (Claude) · application').count(), 1)
  })

  await t.test('a wrong request is a page, and leads no one away', async (t) => {
    const { query } = await requestOf('Wrong')
    const before = answers.length
    await page.goto(`/oauth/mcp/authorize?${form({ ...query, redirect_uri: 'https://evil.example/cb' })}`)
    await page.getByRole('heading', { name: 'Nothing was allowed' }).waitFor()
    t.match(await page.getByRole('alert').innerText(), /an address that the application has not named/)
    t.equal(await page.getByRole('link', { name: /^Tell/ }).count(), 0)
    await page.goto(`/oauth/mcp/authorize?${form({ ...query, code_challenge_method: 'plain' })}`)
    await page.getByRole('link', { name: `Tell ${new URL(redirectUri).host}` }).waitFor()
    t.equal(answers.length, before, 'nothing was sent by itself')
    await page.goto('/oauth/consent?ticket=forged')
    await page.getByRole('heading', { name: 'Nothing was allowed' }).waitFor()
    await checkAxe(t, page, 'a consent that is refused')
    await page.goto('/oauth/consent')
    await page.getByText('The address of this page is incomplete.').waitFor()
  })
  t.same(errors, [])
})
