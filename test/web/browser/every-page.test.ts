/** What holds on every page: axe in both themes and on a phone, nothing jumps, back and reload, no connection, a slow one. */
import t from 'tap'
import { createServer } from 'vite'
import type { Page } from 'playwright-core'
import { axeViolations, browser, checkAxe, DESK, listeningServer, loaded, noBrowser, openWindow, PHONE, signedInWindow, STILL } from '../../helpers/browser.js'
import { ROOT } from '../../helpers/root.js'
import { until } from '../../helpers/until.js'

/** Pages that the sidebar leads to, by the names of their links, with their headings. */
const LINKED: ReadonlyArray<readonly [link: string, heading: string]> = [
  ['Explorations', 'Explorations'], ['Connect', 'Connect an agent'], ['Access', 'API keys'], ['Usage', 'Usage'], ['Audit log', 'Audit log'], ['People', 'People'],
  ['Workspaces', 'Workspaces'], ['Access of everyone', 'Credentials'], ['Server', 'Server']
]

t.test('every page', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const chromium = await browser(t)
  const { wide, backend, db } = server
  await db.query('update users set server_admin = true where id = $1', [wide.id])
  await backend.credentials.createKey({ user: wide.id, name: 'claude-code', scope: 'read' })
  await backend.credentials.createToken({ user: wide.id, name: 'laptop' })
  const planned = await db.query<{ id: string }>(
    'select exploration_id as id from plan_items group by exploration_id order by count(*) desc, exploration_id limit 1')
  const exploration = `/explorations/${planned[0]?.id ?? ''}`
  const askForToken = async (): Promise<string> => {
    const reply = await fetch(`${server.url}/api/v1/device/authorization`, {
      method: 'POST', body: new URLSearchParams({ client_id: 'exploration-mcp', name: 'build-machine' })
    })
    return (await reply.json() as { user_code: string }).user_code
  }
  const { token: invitation } = await backend.web!.invitations.create({
    email: 'grace@example.com', invitedBy: wide.id, serverAdmin: false, memberships: []
  })

  await t.test('axe finds nothing, in either theme and on a phone; nothing is written to the console; nothing jumps', async (t) => {
    const { context, page, close } = await signedInWindow(chromium, server, wide.id, STILL, '/licenses.txt')
    // Answers arrive after the first picture, as they do from a server that is not on this machine. A route would switch the cache off.
    await context.addInitScript(`const send = fetch
      fetch = (...request) => new Promise((resolve) => { setTimeout(resolve, 60) }).then(() => send(...request))`)
    const pages = [
      '/', '/?q=chargeback', '/?q=zzzzqqqq', exploration, `${exploration}/plan`, '/integrations/developer', '/integrations/connect', '/settings/account',
      '/device', `/device?user_code=${await askForToken()}`, '/device?user_code=WRNG-CODE', '/usage', '/audit', '/admin/people',
      '/admin/people?view=invitations', '/admin/people?view=service-accounts', '/admin/workspaces', '/admin/credentials', '/admin/status',
      '/settings/connections', '/admin/connections', '/explorations/nothing'
    ]
    for (const path of pages) {
      await page.goto(path)
      await loaded(page)
      const shift = await page.evaluate(`new Promise((done) => {
        let sum = 0
        const add = (entries) => { for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value }
        const observer = new PerformanceObserver((list) => add(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => { add(observer.takeRecords()); done(sum) }))
      })`)
      t.ok(Number(shift) <= 0.02, `${path} shifts by ${String(shift)}`)
      await checkAxe(t, page, path)
    }

    await page.goto(`${exploration}/plan`)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await checkAxe(t, page, 'the plan as a list')
    await page.goto(exploration)
    await page.locator('#agent-view').getByRole('button', { name: 'Show', exact: true }).click()
    await loaded(page)
    await page.locator('.agent-tool').first().locator('summary').click()
    await checkAxe(t, page, 'what the agent sees')
    await page.goto('/audit')
    await page.locator('.row-unfolds').first().getByRole('button').click()
    await checkAxe(t, page, 'an unfolded row of the audit log')
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    t.same(await axeViolations(page), [], 'the sidebar on a phone')
    await close()
  })

  await t.test('axe finds nothing on what visitors see', async (t) => {
    const { page, close } = await openWindow(chromium, server, STILL)
    for (const path of ['/sign-in', '/sign-in?error=oidc_not_allowed', '/nothing/here', `/sign-in?a#invitation=${invitation}`, '/sign-in?b#token=wrong']) {
      await page.goto(path)
      await loaded(page)
      await checkAxe(t, page, path.replace(invitation, 'TOKEN'))
    }
    await close()
  })

  const { page, context, errors } = await signedInWindow(chromium, server, wide.id, { viewport: DESK }, '/licenses.txt')

  await t.test('back and forward, on every page; the tabs of an entry', async (t) => {
    await page.goto('/')
    const shows = (heading: string): Promise<void> => page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    for (const [link, heading] of LINKED) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link, exact: true }).click()
      await shows(heading)
    }
    for (const [, heading] of LINKED.toReversed().slice(1)) {
      await page.goBack()
      await shows(heading)
    }
    for (const [, heading] of LINKED.slice(1)) {
      await page.goForward()
      await shows(heading)
      // A frame later, on a busy machine.
      await until(async () => await page.title() === `${heading} · Exploration`)
      t.pass(`the window is named ${heading}`)
    }
    await page.reload()
    await shows('Server')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Access', exact: true }).click()
    for (const [tab, heading] of [['Tokens', 'Tokens'], ['Applications', 'Connected applications'], ['Devices', 'Approve a device'], ['API keys', 'API keys']] as const) {
      await page.getByRole('navigation', { name: 'Access' }).getByRole('link', { name: tab, exact: true }).click()
      await shows(heading)
    }
  })

  await t.test('filters, views, the agent and the range stand in the address; what is no choice is the usual one', async (t) => {
    const chosen: ReadonlyArray<readonly [path: string, is: (page: Page) => Promise<boolean>]> = [
      ['/?q=refund&status=delivered', async (page) => await page.getByLabel('Search explorations').inputValue() === 'refund'],
      ['/audit?outcome=error&action=tools', async (page) => await page.getByLabel('Action').inputValue() === 'tools'],
      ['/usage?range=30d&group=client', (page) => page.getByRole('button', { name: '30 days' }).evaluate((tab) => tab.ariaPressed === 'true')],
      ['/admin/people?q=exa', async (page) => await page.getByLabel('Search people').inputValue() === 'exa'],
      ['/admin/credentials?unused=30&revoked=revoked&kind=odd', async (page) => await page.getByLabel('Last use').inputValue() === '30' &&
        await page.getByLabel('State').inputValue() === 'exclude' && await page.getByLabel('Kind').inputValue() === ''],
      ['/?status=odd&sort=odd', async (page) => await page.getByLabel('Status').inputValue() === '' && await page.getByLabel('Order').inputValue() === ''],
      ['/usage?range=odd', (page) => page.getByRole('button', { name: '7 days' }).evaluate((tab) => tab.ariaPressed === 'true')],
      ['/integrations/connect?agent=cursor', (page) => page.getByRole('button', { name: 'Cursor', exact: true }).evaluate((agent) => agent.ariaPressed === 'true')]
    ]
    for (const [path, is] of chosen) {
      await page.goto(path)
      await loaded(page)
      t.equal(page.url(), server.url + path)
      t.ok(await is(page), path)
    }
  })

  await t.test('without a connection a page says so, and is there again with one', async (t) => {
    const { page, context, close } = await signedInWindow(chromium, server, wide.id, { viewport: DESK }, '/licenses.txt')
    for (const [link, heading] of LINKED.slice(0, 4)) {
      // Another page first: neither the code nor the answers of this one are there.
      await page.goto(link === 'Explorations' ? '/device' : '/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await loaded(page)
      await context.setOffline(true)
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link, exact: true }).click()
      await page.getByRole('alert').first().waitFor()
      t.match(await page.getByRole('alert').first().innerText(), /Check the connection/, link)
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await loaded(page)
      t.equal(await page.getByRole('alert').count(), 0, `${link} is there again`)
    }

    await page.goto('/integrations/developer')
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
    await close()
  })

  await t.test('while answers are slow every page shows that it waits; a failed list is loaded again', async (t) => {
    const { page, context } = await signedInWindow(chromium, server, wide.id, { viewport: DESK }, '/licenses.txt')
    let release = (): void => {}
    let held = Promise.resolve()
    let fail = false
    await context.route(/\/web\/v1\/(?!session$)/, async (route) => {
      await held
      if (fail) await route.abort()
      else await route.continue()
    })
    for (const path of ['/', exploration, `${exploration}/plan`, '/integrations/developer', '/integrations/connect', '/settings/account', '/usage', '/audit', '/admin/status']) {
      held = new Promise((resolve) => { release = resolve })
      await page.goto(path)
      await page.locator('.skeleton').first().waitFor()
      t.ok(await page.locator('[aria-busy=true], [role=status], [role=progressbar]').count() > 0, `${path} says that it waits`)
      release()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    }
    // Within a minute usage is asked for by the same address again.
    await page.clock.setFixedTime(new Date())
    await page.goto('/usage')
    await loaded(page)
    await page.getByRole('button', { name: '24 hours' }).click()
    await loaded(page)
    fail = true
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: '7 days' }).click()
    await failed
    t.ok(await page.locator('.totals').isVisible(), 'what was loaded stays when it cannot be loaded anew')
    await page.goto('/integrations/developer')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    fail = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('rowheader', { name: /claude-code/ }).waitFor()
    await context.close()
  })

  await t.test('on a slow network the way to a page is shown, and a key is made', async (t) => {
    await page.goto('/')
    await loaded(page)
    // As slow as this test: with a delay of its own a request would be over before anyone looks, on a busy machine.
    const hold = async (url: string): Promise<() => void> => {
      let release = (): void => {}
      const released = new Promise<void>((resolve) => { release = resolve })
      await context.route(url, (route) => released.then(() => route.continue()))
      return release
    }
    const showPage = await hold('**/assets/developer-*.js')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Access', exact: true }).click()
    await page.getByRole('progressbar', { name: 'Loading the page' }).waitFor()
    showPage()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('over a slow network')
    const makeKey = await hold('**/web/v1/keys')
    await dialog.getByRole('button', { name: 'Create key' }).dblclick()
    makeKey()
    await page.locator('[data-secret]').waitFor()
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('row', { name: /over a slow network/ }).waitFor()
    t.equal(await page.getByRole('row', { name: /over a slow network/ }).count(), 1, 'two presses make one key')
  })

  await t.test('pages from their sources, in development', async (t) => {
    const vite = await createServer({ configFile: `${ROOT}scripts/web/vite.config.mjs`, server: { port: 0, strictPort: false, hmr: false, ws: false } })
    t.teardown(() => vite.close())
    await vite.listen()
    const { context, page } = await openWindow(chromium, { url: vite.resolvedUrls?.local[0] ?? '' }, { reducedMotion: 'reduce' })
    await context.addInitScript("fetch = async () => new Response('{}', { status: 503 })")
    await page.goto('/nowhere')
    await page.getByText('There is nothing at this address').waitFor()
    await context.close()
  })
  t.same(errors, [])
})
