/**
 * Texts that try to be more than text, in everything that a record, a client or a person can name, on every page: they stay text. No script
 * runs, no dialog opens, nothing leaves the server, the policy has nothing to report, and the page is not wider than the window.
 */
import t from 'tap'
import { toolCall } from '../../helpers/build.js'
import { browser, listeningServer, loaded, noBrowser, openWindow, signedInWindow, type Visit } from '../../helpers/browser.js'
import { HOSTILE, HOSTILE_TEXTS, importWebRecords } from '../../helpers/web-records.js'

/** What a header or an address can hold of them. */
const ASCII_TEXTS = HOSTILE_TEXTS.filter((text) => /^[\x20-\x7e]{1,200}$/.test(text))
/** What is no text of this page: elements that none of the pages has below its main heading, and addresses that run. */
const FOREIGN = '#main :is(img, script, iframe, base, meta, math, object, embed, form[action]), a[href^="javascript:" i], a[href*="//evil.example" i], [onerror], [onload], [onfocus]'

t.test('hostile texts', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, backend, wide, narrow } = server
  await importWebRecords(db)
  await db.query('update users set server_admin = true, name = $2 where id = $1', [wide.id, HOSTILE_TEXTS[3]])
  await db.query('update users set name = $2 where id = $1', [narrow.id, HOSTILE_TEXTS[1]])
  await db.query('update workspaces set name = $1 where id = (select id from workspaces order by slug limit 1)', [HOSTILE_TEXTS[0]])
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const name = text.slice(0, 200)
    const { key } = await backend.credentials.createKey({ user: wide.id, name, scope: 'read' })
    await backend.credentials.createToken({ user: wide.id, name })
    await db.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, rp_id, name)
       values (gen_random_uuid(), $1, $2, '\\x00', 0, 'localhost', $3)`, [wide.id, Buffer.from(`hostile ${index}`), name])
    // What a client calls itself, a tool that it calls, and what it asks for.
    for (const tool of ['list_workspaces', text.slice(0, 100)]) {
      const { headers, body } = toolCall(key, tool, {}, { 'io.modelcontextprotocol/clientInfo': { name: text.slice(0, 100), version: text.slice(0, 50) } })
      const encoded = `=?base64?${Buffer.from(tool).toString('base64')}?=`
      await fetch(`${server.url}/mcp`, { method: 'POST', headers: { ...headers, 'mcp-name': /^[\x20-\x7e]+$/.test(tool) ? tool : encoded }, body })
    }
    await server.signIn(wide.id).then((other) => other.call('GET', '/session'))
  }
  await db.query('update web_sessions set user_agent = $1', [HOSTILE_TEXTS[1]])
  await db.query('insert into users (id, email, name, kind, owner_id) values (gen_random_uuid(), \'robot@example.com\', $1, \'service_account\', $2)',
    [HOSTILE_TEXTS[4], wide.id])
  const { token: invitation } = await backend.web!.invitations.create({
    email: 'grace@example.com', invitedBy: wide.id, serverAdmin: false, memberships: [{ workspace: 'tillpoint', role: 'viewer' }]
  })
  // Waits for what is still to be written.
  await backend.audit.list({ limit: 1 })
  const codes: string[] = []
  for (const text of [HOSTILE_TEXTS[1], HOSTILE_TEXTS[4], HOSTILE_TEXTS[7]]) {
    const reply = await fetch(`${server.url}/api/v1/device/authorization`, { method: 'POST', body: new URLSearchParams({ client_id: text, name: text }) })
    codes.push((await reply.json() as { user_code: string }).user_code)
  }

  const chromium = await browser(t)
  /** Watches a window for everything that must not happen. */
  const watched = async (visit: Visit) => {
    const wrong: string[] = []
    visit.page.on('dialog', (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); dialog.dismiss().catch(() => {}) })
    visit.page.on('request', (request) => { if (!request.url().startsWith(server.url)) wrong.push(`a request to ${request.url()}`) })
    visit.page.on('popup', (popup) => { wrong.push(`a window: ${popup.url()}`) })
    await visit.page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (window.violations ??= []).push(violatedDirective + ' ' + blockedURI) })`)
    return async (name: string): Promise<void> => {
      t.equal(await visit.page.evaluate('window.pwned'), undefined, `${name}: no script ran`)
      t.equal(await visit.page.evaluate('window.violations'), undefined, `${name}: the policy has nothing to report`)
      t.same(await visit.page.locator(FOREIGN).evaluateAll((elements) => elements.map((element) => element.outerHTML)), [], `${name}: no foreign elements`)
      t.ok(await visit.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name}: nothing is wider than the window`)
      t.same([...wrong.splice(0), ...visit.errors.splice(0)], [], name)
    }
  }

  await t.test('on every page, and in its dialogs', async (t) => {
    const visit = await signedInWindow(chromium, server, wide.id, { viewport: { width: 900, height: 900 } }, '/licenses.txt')
    const { page, context } = visit
    const check = await watched(visit)
    const visible = async (): Promise<string> => await page.locator('#main').innerText()
    const UNSEEN = /[\u202a-\u202e\u2066-\u2069\u200b]|\u{e0041}/u
    const open = async (path: string): Promise<void> => {
      await page.goto(path)
      await loaded(page)
      await check(path)
    }
    for (const path of ['/', '/?q=script+hostile', '/?tag=%3Cb%3Etag%3C/b%3E', `/explorations/${HOSTILE}`, `/explorations/${HOSTILE}/plan`, '/settings/tokens',
      '/settings/account', '/usage?owner=all&group=client', '/usage?owner=all&group=tool', '/usage?owner=all&group=credential', '/audit',
      '/integrations/connect', '/admin/people', '/admin/people?view=invitations', '/admin/people?view=service-accounts', '/admin/workspaces',
      '/admin/credentials', '/admin/status', '/integrations/developer', ...codes.map((code) => `/device?user_code=${code}`)]) {
      await open(path)
      if (/^\/(?:explorations|usage|audit|device|integrations|settings\/tokens|admin\/credentials)/.test(path)) t.notMatch(await visible(), UNSEEN, `${path}: direction and invisible characters are marked`)
    }
    t.ok(HOSTILE_TEXTS.length <= await page.goto('/integrations/developer').then(async () => {
      await loaded(page)
      return await page.getByRole('row').count() - 1
    }), 'each key is there')
    t.equal(await page.getByRole('row', { name: '<script>window.pwned = 1</script>' }).count(), 1, 'the text is drawn as it is')

    await page.goto(`/explorations/${HOSTILE}/plan`)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await check('the plan as a list')
    t.notMatch(await visible(), UNSEEN)
    await page.goto(`/explorations/${HOSTILE}`)
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    await page.locator('#agent-view').getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.agent-tool').first().waitFor()
    for (const tool of await page.locator('.agent-tool summary').all()) await tool.click()
    await check('the raw package, and what the agent sees')
    await page.goto('/audit')
    await loaded(page)
    for (const row of (await page.locator('.row-toggle').all()).slice(0, 8)) await row.click()
    await check('unfolded audit events')
    t.notMatch(await visible(), UNSEEN)

    await page.goto('/integrations/developer')
    const row = page.getByRole('row', { name: HOSTILE_TEXTS[7].slice(0, 200) })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor()
    await check('the dialog of Revoke')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row', { name: HOSTILE_TEXTS[1] }).getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('dialog').waitFor()
    await check('the dialog of Rotate')
    await page.goto('/admin/people')
    await page.getByRole('button', { name: `Actions for ${HOSTILE_TEXTS[1]}` }).click()
    await page.getByRole('menuitem', { name: 'Workspaces and roles' }).click()
    await page.getByRole('dialog').waitFor()
    await check('the dialog of roles')
    await context.close()
  })

  await t.test('in addresses', async () => {
    const visit = await signedInWindow(chromium, server, narrow.id, { viewport: { width: 900, height: 900 } }, '/licenses.txt')
    const check = await watched(visit)
    for (const [at, text] of ASCII_TEXTS.entries()) {
      const encoded = encodeURIComponent(text)
      const paths = [`/?q=${encoded}&workspace=${encoded}&status=${encoded}&tag=${encoded}`, `/audit?action=${encoded}&user=${encoded}&since=${encoded}`,
        `/usage?range=${encoded}&workspace=${encoded}`, `/device?user_code=${encoded}`, `/explorations/${encoded}`]
      const path = paths[at % 5]!
      await visit.page.goto(path)
      await visit.page.getByRole('heading', { level: 1 }).waitFor()
      await check(path)
    }
    await visit.context.close()
  })

  await t.test('on what visitors see', async (t) => {
    const visit = await openWindow(chromium, server, { viewport: { width: 900, height: 900 } })
    const check = await watched(visit)
    const { page } = visit
    await page.goto(`/sign-in#invitation=${invitation}`)
    await page.getByRole('button', { name: 'Accept the invitation' }).waitFor()
    await check('an invitation')
    t.match(await page.getByRole('main').innerText(), HOSTILE_TEXTS[3])
    for (const target of ['javascript:window.pwned=16', '//evil.example', '/\\evil.example', 'https://evil.example', 'data:text/html,x', '/%0d%0aset-cookie:a=b']) {
      await page.goto(`/sign-in?return=${encodeURIComponent(target)}&error=${encodeURIComponent(HOSTILE_TEXTS[1])}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await check(`return=${target}`)
    }
    const { token } = await backend.signInLinks.create(narrow.id)
    await page.goto(`/sign-in?return=${encodeURIComponent('javascript:window.pwned=17')}#token=${token}`)
    await page.waitForURL(`${server.url}/`)
    await check('signed in, and not led away')
    await visit.context.close()
  })
})
