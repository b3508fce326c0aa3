/** What needs a person: decided by keys alone, as it happens, with what went wrong said; axe in both themes and on a phone. */
import t, { type Test } from 'tap'
import type { Locator, Page } from 'playwright-core'
import { agentsWriting, INSTALMENTS, WAITING_LIST } from '../../helpers/agents-writing.js'
import { browser, checkAxe, focusedName, listeningServer, noBrowser, signedInWindow, STILL, tabTo } from '../../helpers/browser.js'

const entries = (page: Page): Locator => page.locator('.inbox-entry')
const opened = (page: Page): Locator => page.locator('.inbox-entry:has(.inbox-open)')

const said = async (page: Page, text: string): Promise<void> => {
  const toast = page.locator('.toast').filter({ hasText: text }).first()
  await toast.waitFor()
  // The next one that says the same is another.
  await toast.getByRole('button', { name: 'Close' }).click()
}

/** Goes through the list by `key` until the entry that is open says so. */
const goTo = async (t: Test, page: Page, key: 'j' | 'k', text: RegExp): Promise<void> => {
  for (let left = await entries(page).count(); left > 0 && !text.test(await opened(page).innerText()); left--) {
    await page.keyboard.press(key)
  }
  t.match(await opened(page).innerText(), text)
}

t.test('what needs a person', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, wide } = server
  const chromium = await browser(t)
  await db.query("update questions set status = 'answered', answer = 'Yes.' where status = 'open'")
  const agents = await agentsWriting(server)
  const itemOf = async (id: string): Promise<Record<string, unknown> | undefined> =>
    (await db.query<Record<string, unknown>>('select status, title from plan_items where exploration_id = $1 and id = $2', [INSTALMENTS, id]))[0]
  const { page, errors } = await signedInWindow(chromium, server, wide.id, STILL, '/')

  await t.test('axe finds nothing, with the dialogs, in both themes', async (t) => {
    await page.getByRole('link', { name: 'Needs you 8' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await opened(page).waitFor()
    t.equal(await page.title(), '(8) Needs you · Exploration')
    t.equal(await entries(page).count(), 8)
    t.match(await opened(page).innerText(), /Finished[^]*Information sheet and consent[^]*not checked[^]*URL/)
    t.same(await opened(page).getByRole('region', { name: 'Evidence' }).getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ['https://git.example.com/tillpoint/checkout/pull/412'], 'an address that runs is no link')
    await checkAxe(t, page, 'a finished item')
    await goTo(t, page, 'j', /full refund has no schedule/)
    t.equal(await opened(page).locator('ins').first().textContent(), 'Added: and full ')
    for (const key of ['d', 'e']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await checkAxe(t, page, `the dialog of ${key}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  await t.test('by keys alone: accept, undo, edit, dismiss, open again', async (t) => {
    await goTo(t, page, 'k', /Information sheet and consent/)
    // As after the page was opened by keys.
    await page.getByRole('main').focus()
    await page.keyboard.press('a')
    await page.locator('.toast').filter({ hasText: 'Accepted.' }).waitFor()
    t.match(await itemOf('consent-page'), { status: 'done' })
    t.match(await focusedName(page), /^Proposal/, 'the focus is on what comes next')
    await page.keyboard.press('z')
    await said(page, 'Undone.')
    // It stands in the list again.
    await opened(page).getByText(/Information sheet and consent/).first().waitFor()
    t.match(await itemOf('consent-page'), { status: 'in_progress' })

    await goTo(t, page, 'j', /Adds “Refund by card when the plan has ended” to the group “[^”]+”, after “/)
    await page.keyboard.press('e')
    await page.getByRole('dialog').waitFor()
    if (!/^Title/.test(await focusedName(page))) await tabTo(page, /^Title/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Refund to the last card')
    await page.keyboard.press('Enter')
    await said(page, 'Accepted in your version.')
    t.equal((await db.query("select 1 from plan_items where title = 'Refund to the last card'")).length, 1)

    await goTo(t, page, 'j', /full refund has no schedule/)
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    if (!/^Reason/.test(await focusedName(page))) await tabTo(page, /^Reason/)
    await page.keyboard.type('Full refunds come later.')
    await page.keyboard.press('Enter')
    await said(page, 'Dismissed.')
    t.same(await db.query("select reason from proposals where state = 'dismissed'"), [{ reason: 'Full refunds come later.' }])

    await goTo(t, page, 'j', /Who keeps the slot/)
    await page.keyboard.press('a')
    t.equal(await focusedName(page), 'Answer')
    await page.keyboard.type('The next one keeps it.')
    await page.keyboard.press('Control+Enter')
    await said(page, 'Answered.')
    t.equal((await db.query("select 1 from questions where exploration_id = $1 and answer = 'The next one keeps it.'", [WAITING_LIST])).length, 1)

    await goTo(t, page, 'j', /Failed gate/)
    await page.keyboard.press('a')
    await said(page, 'Opened again.')
    t.same(await db.query("select status from plan_gates where exploration_id = $1 and id = 'gate2'", [WAITING_LIST]), [{ status: 'open' }])
  })

  await t.test('what is new waits above, and what another decides stays while it is read', async (t) => {
    await page.locator('.inbox-heading').last().click()
    const text = await opened(page).innerText()
    const id = await agents.propose(1)
    const fresh = page.getByRole('button', { name: '1 new', exact: true })
    await fresh.waitFor()
    t.equal(await opened(page).innerText(), text)
    t.equal(await entries(page).count(), 4)
    await fresh.click()
    await goTo(t, page, 'k', /Log each consent/)
    const other = await server.signIn(wide.id)
    t.equal((await other.call('POST', `/proposals/${id}/dismissal`, { reason: 'Not now.' })).status, 200)
    await opened(page).getByText('This waits no longer').waitFor()
    t.equal(await entries(page).count(), 5)
    await page.keyboard.press('a')
    await opened(page).getByRole('alert').getByText(/dismissed/).waitFor()
    await page.keyboard.press('j')
    await page.getByText('Log each consent').waitFor({ state: 'detached' })
  })

  await t.test('a proposal that no longer holds says what has happened, and overwrites nothing', async (t) => {
    await agents.use(agents.cursor, 'propose_change', {
      exploration_id: INSTALMENTS, rationale: 'Shorter.', changes: [{ kind: 'edit_item', item_id: 'measure', title: 'Compare completed baskets' }]
    })
    await page.getByRole('button', { name: '1 new', exact: true }).click()
    await goTo(t, page, 'k', /Compare completed baskets/)
    // No event tells the page of it.
    await db.query("update plan_items set title = 'Measure baskets', revision = revision + 1 where exploration_id = $1 and id = 'measure'", [INSTALMENTS])
    await page.keyboard.press('a')
    await opened(page).getByRole('alert').getByText(/changed since this was proposed/).waitFor()
    t.match(await opened(page).innerText(), /Compare completed baskets/)
    t.match(await itemOf('measure'), { title: 'Measure baskets' })
    await checkAxe(t, page, 'a refused decision')
  })
  t.same(errors, [])

  await t.test('a phone', async (t) => {
    const phone = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' } as const
    const { page, errors } = await signedInWindow(chromium, server, wide.id, phone, '/inbox')
    await opened(page).waitFor()
    for (const heading of await page.locator('.inbox-heading').all()) {
      await heading.click()
      await heading.and(page.locator('.inbox-open')).waitFor()
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= 375'), `nothing is wider than the window: ${await heading.innerText()}`)
    }
    t.notOk(await page.getByRole('button', { name: 'Keys' }).isVisible(), 'a phone has no keys')
    t.same(errors, [])
  })
})
