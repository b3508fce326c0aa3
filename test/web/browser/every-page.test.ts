/** What holds on every page: axe in both themes, the keyboard alone, back and reload, no connection, a slow one. */
import t from 'tap'
import { createServer } from 'vite'
import type { Page } from 'playwright-core'
import { axeViolations, browser, listeningServer, noBrowser, openWindow, signedInWindow } from '../../helpers/browser.js'

const PAGES = ['/integrations/developer', '/integrations/connect', '/settings/tokens', '/settings/account', '/device']

/** Presses Tab until the named element has the focus; at most as often as a page has elements. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate('(() => { const e = document.activeElement; return (e.getAttribute("aria-label") ?? e.labels?.[0]?.textContent ?? e.textContent ?? "").trim() })()')
    if (name.test(String(focused))) return
  }
  throw new Error(`Tab does not reach ${String(name)}`)
}

t.test('every page', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const { wide, backend } = server
  await backend.credentials.createKey({ user: wide.id, name: 'claude-code', scope: 'read' })

  await t.test('axe finds nothing, in either theme; nothing is written to the console; nothing jumps', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, page, errors } = await signedInWindow(chromium, server, wide.id, { colorScheme, reducedMotion: 'reduce' }, '/licenses.txt')
      for (const path of PAGES) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        t.same(await axeViolations(page), [], `${path} ${colorScheme}`)
        const shift = await page.evaluate(`new Promise((done) => new PerformanceObserver((list) => done(
          list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => done(0), 50))`)
        t.ok(Number(shift) <= 0.02, `${path} ${colorScheme} shifts by ${String(shift)}`)
      }
      await page.goto('/integrations/developer')
      await page.getByRole('button', { name: 'Create key' }).click()
      t.same(await axeViolations(page), [], `a dialog, ${colorScheme}`)
      t.same(errors, [])
      await context.close()
      const visitor = await openWindow(chromium, server, { colorScheme })
      for (const path of ['/sign-in', '/nothing/here']) {
        await visitor.page.goto(path)
        await visitor.page.waitForLoadState('networkidle')
        t.same(await axeViolations(visitor.page), [], `${path} ${colorScheme}`)
      }
      t.same(visitor.errors, [])
      await visitor.context.close()
    }
  })

  await t.test('a key by the keyboard alone', async (t) => {
    const { page, context } = await signedInWindow(chromium, server, wide.id)
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.keyboard.press('Enter')
    await tabTo(page, /^Create key$/)
    await page.keyboard.press('Enter')
    await page.locator('[data-autofocus]:focus').waitFor()
    await page.keyboard.type('by keyboard')
    await tabTo(page, /^Read/)
    await page.keyboard.press('ArrowDown')
    await tabTo(page, /^Create key$/)
    await page.keyboard.press('Enter')
    await page.locator('[data-secret]').waitFor()
    await tabTo(page, /^I have stored it$/)
    await page.keyboard.press('Enter')
    t.match(await page.getByRole('row', { name: /by keyboard/ }).innerText(), /Read and write/)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    t.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Filter')
    await context.close()
  })

  await t.test('back and reload', async (t) => {
    const { page, context, errors } = await signedInWindow(chromium, server, wide.id)
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()
    await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
    t.equal(await page.title(), 'Tokens · Exploration')
    await page.goBack()
    await page.getByRole('heading', { name: 'Developer' }).waitFor()
    await page.goForward()
    await page.reload()
    await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
    t.same(errors, [])
    await context.close()
  })

  await t.test('without a connection each deed says so, and works again afterwards', async () => {
    const { page, context } = await signedInWindow(chromium, server, wide.id)
    await page.getByRole('rowheader', { name: /claude-code/ }).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('offline')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('The server cannot be reached. Check the connection, then try again.').waitFor()
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.locator('[data-secret]').waitFor()
    await context.close()
  })

  await t.test('while answers are slow the page shows that it waits; a failed list is loaded again', async () => {
    const { page, context } = await signedInWindow(chromium, server, wide.id, {}, '/licenses.txt')
    let fail = true
    let release = (): void => {}
    const held = new Promise<void>((resolve) => { release = resolve })
    await context.route('**/web/v1/keys?*', async (route) => {
      await held
      if (fail) await route.abort()
      else await route.continue()
    })
    await page.goto('/integrations/developer')
    await page.locator('.table-wrap[aria-busy=true]').waitFor()
    release()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    fail = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('rowheader', { name: /claude-code/ }).waitFor()
    await context.close()
  })

  await t.test('a session that ended leads to the sign-in page, and from there back', async () => {
    const { page, context } = await signedInWindow(chromium, server, wide.id)
    await page.getByRole('rowheader', { name: /claude-code/ }).waitFor()
    await server.db.query('delete from web_sessions where user_id = $1', [wide.id])
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()
    await page.waitForURL('**/sign-in?return=%2Fsettings%2Ftokens')
    await context.close()
  })

  await t.test('the page of components, in development', async (t) => {
    const vite = await createServer({ configFile: 'scripts/web/vite.config.mjs', server: { port: 0, strictPort: false, hmr: false, ws: false } })
    t.teardown(() => vite.close())
    await vite.listen()
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, page } = await openWindow(chromium, { url: vite.resolvedUrls?.local[0] ?? '' }, { colorScheme, reducedMotion: 'reduce' })
      await context.route('**/web/v1/**', (route) => route.fulfill({ status: 503, json: {} }))
      await page.goto('/dev/components')
      await page.getByRole('heading', { name: 'Components' }).waitFor()
      t.same(await axeViolations(page), [], colorScheme)
      await context.close()
    }
  })
})
