/** Axe on dialogs, menus and messages. `editing.test.ts` checks the forms of plans, `oauth.test.ts` the consent. */
import t from 'tap'
import { agentsWriting, INSTALMENTS, WAITING_LIST } from '../../helpers/agents-writing.js'
import { addAuthenticator, axeViolations, browser, checkAxe, DESK, listeningServer, loaded, noBrowser, signedInWindow, STILL } from '../../helpers/browser.js'
import { connect, request } from '../../helpers/oauth.js'

t.test('dialogs', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, backend, wide, narrow, app } = server
  await db.query('update users set server_admin = true where id = $1', [wide.id])
  const agents = await agentsWriting(server)
  await agents.use(agents.cursor, 'claim_item', { exploration_id: INSTALMENTS, item_id: 'decision-call', lease_minutes: 200 })
  await backend.credentials.createToken({ user: wide.id, name: 'laptop' })
  await backend.directory.removeMember({ user: wide.id, workspace: 'kiln' })
  await backend.web!.invitations.create({ email: 'grace@example.com', invitedBy: wide.id, serverAdmin: false, memberships: [] })
  await connect(app, await server.signIn(wide.id), request({ resource: `${server.url}/oauth/mcp` }))
  const chromium = await browser(t)
  const visit = await signedInWindow(chromium, server, wide.id, STILL, '/settings/account')
  const { page, errors } = visit
  const dialog = page.getByRole('dialog')
  const press = (name: string | RegExp): Promise<void> => page.getByRole('button', { name, exact: true }).first().click()
  const choose = async (menu: string | RegExp, name: string): Promise<void> => {
    await press(menu)
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  await addAuthenticator(visit)
  await page.getByRole('main').getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added').first().waitFor()

  const opened: ReadonlyArray<readonly [path: string, name: string, open: () => Promise<unknown>]> = [
    ['/settings/account', 'Rename a passkey', () => choose(/^More for /, 'Rename')],
    ['/settings/account', 'Remove a passkey', () => choose(/^More for /, 'Remove')],
    ['/settings/connections', 'Let it write', () => press(/^Let it write/)],
    ['/settings/connections', 'Disconnect', () => press(/^Disconnect/)],
    ['/admin/connections', 'Disconnect for another', () => press(/^Disconnect/)],
    ['/integrations/developer', 'Revoke a key', () => press('Revoke')],
    ['/integrations/developer', 'the keys of the keyboard', () => page.keyboard.press('?')],
    ['/integrations/developer', 'what a new key misses', async () => {
      await press('Create key')
      await dialog.getByLabel('Workspaces').selectOption('Only some')
      await dialog.getByLabel('Expires').selectOption('On a date')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByText('Choose a date.').waitFor()
    }],
    ['/integrations/developer', 'a rotated key', async () => {
      await choose(/^More for /, 'Rotate')
      await dialog.getByRole('button', { name: 'Create the new key' }).click()
      await page.locator('[data-secret]').waitFor()
    }],
    ['/settings/tokens', 'a new token', async () => {
      await press('Create token')
      await dialog.getByLabel('Name').fill('phone')
      await dialog.getByLabel('Workspaces').selectOption('Only some')
      await dialog.getByRole('checkbox').first().check()
      await dialog.getByLabel('Expires').selectOption('On a date')
      await dialog.getByLabel('Last day').fill('2031-05-04')
      await dialog.getByRole('button', { name: 'Create token' }).click()
      await dialog.getByRole('button', { name: 'Test connection' }).click()
      await dialog.getByText(/^Connected: /).waitFor()
    }],
    ['/admin/people', 'a role', () => choose(/^Actions for/, 'Workspaces and roles')],
    ['/admin/people', 'Remove', () => choose(/^Actions for/, 'Remove')],
    ['/admin/people', 'an invitation', async () => {
      await press('Invite')
      await dialog.getByLabel('E-mail').fill('alan@example.com')
      await dialog.getByRole('button', { name: 'Create invitation' }).click()
      await page.locator('[data-secret]').waitFor()
    }],
    ['/admin/people?view=invitations', 'Revoke an invitation', () => press('Revoke')],
    ['/admin/people', 'Make server admin', () => choose(`Actions for ${nameOfNarrow}`, 'Make server admin')],
    ['/admin/people?view=service-accounts', 'Change a service account', () => choose('Actions for Nightly', 'Rename or change owner')],
    ['/admin/people?view=service-accounts', 'Deactivate a service account', () => choose('Actions for Nightly', 'Deactivate')],
    ['/admin/credentials', 'Revoke any credential', () => press(/^Revoke /)],
    ['/admin/workspaces', 'Create workspace', () => press('Create workspace')],
    ['/admin/workspaces', 'Members', () => choose(/^Actions for/, 'Members')],
    ['/admin/workspaces', 'Agents', async () => {
      await choose('Actions for Tillpoint Payments', 'Agents')
      await dialog.getByText('Report', { exact: true }).click()
      await dialog.getByText(/count at once|gains by it/).first().waitFor()
    }],
    ['/admin/workspaces', 'Rename a workspace', () => choose('Actions for Tillpoint Payments', 'Rename')],
    ['/admin/workspaces', 'Archive', () => choose('Actions for Tillpoint Payments', 'Archive')],
    ['/admin/workspaces', 'Join', () => press(/^Join /)],
    [`/explorations/${INSTALMENTS}`, 'the only version of a package', () => press('Versions')]
  ]
  const [{ name: nameOfNarrow }] = await db.query<{ name: string }>('select name from users where id = $1', [narrow.id]) as [{ name: string }]

  await t.test('dialogs of settings and administration', async (t) => {
    await page.goto('/admin/people?view=service-accounts')
    await press('Create service account')
    await dialog.getByLabel('Name').fill('Nightly')
    await dialog.getByLabel('E-mail').fill('nightly@example.com')
    await dialog.getByRole('button', { name: 'Create service account' }).click()
    await dialog.waitFor({ state: 'detached' })
    let questions = 0
    for (const [path, name, open] of opened) {
      // A secret is not closed by a key.
      await page.keyboard.press('Escape')
      if (page.url() !== server.url + path || await dialog.isVisible()) await page.goto(path)
      await loaded(page)
      await open()
      await dialog.waitFor()
      await loaded(page)
      // Questions are one component: the first of them is looked at in both themes and on a phone.
      if (await dialog.locator('input, select, textarea, ul, [data-secret]').count() > 0 || questions++ === 0) await checkAxe(t, page, name)
      else t.same(await axeViolations(page), [], name)
    }
    t.match(await dialog.innerText(), /There is one version so far/)
    t.equal(await dialog.locator('.skeleton, ins, del').count(), 0, 'it is not compared with itself')
  })

  await t.test('the inbox: reasons, several at once, answers', async (t) => {
    await page.goto('/inbox')
    await page.locator('.inbox-open').waitFor()
    const open = async (text: RegExp): Promise<void> => {
      await page.locator('.inbox-heading').filter({ hasText: text }).first().click()
      await page.locator('.inbox-open').filter({ hasText: text }).waitFor()
    }
    await open(/full refund has no schedule|Shorten the schedule/)
    await page.keyboard.press('x')
    await checkAxe(t, page, 'the bar of what is selected')
    await press('Dismiss all')
    await dialog.waitFor()
    await checkAxe(t, page, 'a reason for several')
    await page.keyboard.press('Escape')
    await open(/Who keeps the slot/)
    await checkAxe(t, page, 'a question')
    await page.keyboard.press('?')
    await dialog.waitFor()
    await checkAxe(t, page, 'the keys of the inbox')
    const names = await dialog.locator('dt').allInnerTexts()
    t.same(names.filter((name, at) => names.indexOf(name) < at), [], 'no two keys have the same name')
  })

  await t.test('the plan: its menus, a gate, a conflict; and the history', async (t) => {
    await page.goto(`/explorations/${WAITING_LIST}/plan?item=chains`)
    await loaded(page)
    await press('More for this item')
    await page.getByRole('menuitem', { name: 'Move' }).waitFor()
    await checkAxe(t, page, 'the menu of an item')
    await page.keyboard.press('Escape')
    const picture = page.getByRole('listbox')
    t.ok(await page.locator('.plan-scroller').evaluate((frame) => frame.scrollWidth <= frame.clientWidth), 'the whole plan is in sight at 1280 px')
    await picture.focus()
    await page.keyboard.press('Home')
    for (let presses = 0; presses < 60 && !/gate-\d+$/.test(await picture.getAttribute('aria-activedescendant') ?? ''); presses++) await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Mark as passed' }).waitFor()
    await checkAxe(t, page, 'a gate')
    await press('Download')
    await page.getByRole('menuitem').first().waitFor()
    await page.setViewportSize(DESK)
    t.same(await axeViolations(page), [], 'the files of a plan')
    await page.goto(`/explorations/${WAITING_LIST}/history`)
    await loaded(page)
    await checkAxe(t, page, 'history')
    const rows = await page.locator('.history-head').allInnerTexts()
    t.match(rows.find((row) => /proposal/.test(row)), /made a proposal: resolve conflict/)
    await page.goto(`/explorations/${INSTALMENTS}/history`)
    await page.getByText('made a proposal: add item “Refund by card when the plan has ended”').waitFor()
    await page.getByText(/made a proposal: edit item “.+”, and 2 more/).waitFor()
    t.equal(await page.getByText('renewed the claim of the item “').count(), 1)
    t.match(await page.locator('.exploration-facts').innerText(), /updated (?:just now|\d+ \w+ ago)/, 'a change of the plan is one of the exploration')
  })
  t.same(errors, [])
})
