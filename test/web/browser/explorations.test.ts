import type { Page } from 'playwright-core'
import t from 'tap'
import { axeViolations, browser, listeningServer, noBrowser, showTheme, signedInWindow, type Visit } from '../../helpers/browser.js'
import { HOSTILE, HOSTILE_TEXTS, importWebRecords, LARGE } from '../../helpers/web-records.js'

t.test('explorations and plans in a browser', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  await importWebRecords(server.db)
  const chromium = await browser(t)
  const open = async (path: string, options: { colorScheme?: 'light' | 'dark', viewport?: { width: number, height: number } } = {}): Promise<Visit> =>
    // Colours that still move to those of the other theme are no colours to judge.
    signedInWindow(chromium, server, server.wide.email, { reducedMotion: 'reduce', ...options }, path)
  const pwned = (page: Page): Promise<unknown> => page.evaluate('window.pwned')

  await t.test('search while typing, filters in the address, back and reload', async (t) => {
    const { page, errors, context } = await open('/')
    await page.getByRole('list', { name: 'Explorations' }).getByRole('listitem').nth(5).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('chargeback evidence')
    await page.waitForURL(/q=chargeback.evidence/)
    await page.locator('.results:not(.results-stale) mark').first().waitFor()
    t.match(new URL(page.url()).search, /q=chargeback/, 'the address holds what is searched')
    t.match(await page.locator('.result').first().textContent(), /chargeback|dispute/i)
    await page.getByLabel('Status').selectOption('delivered')
    await page.waitForURL(/status=delivered/)
    await page.reload()
    await page.getByLabel('Search explorations').waitFor()
    t.equal(await page.getByLabel('Search explorations').inputValue(), 'chargeback evidence', 'a reload keeps the search')
    await page.getByLabel('Search explorations').fill('zzzzqqqq xxxyyy')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByRole('link', { name: 'The largest plan', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The largest plan' }).waitFor()
    await page.goBack()
    await page.getByLabel('Search explorations').waitFor()
    t.strictSame(errors, [])
    await context.close()
  })

  await t.test('an exploration: open questions first, a package with its contents and raw text, what the agent sees', async (t) => {
    const { page, errors, context } = await open('/')
    await page.getByRole('list', { name: 'Explorations' }).waitFor()
    const id = await page.evaluate(`fetch('/web/v1/explorations?limit=50').then((reply) => reply.json()).then(({ explorations }) =>
      explorations.find(({ artifact_types: types, has_plan: plan, id }) => types.length > 1 && plan && !id.startsWith('6006006a')).id)`)
    await page.goto(`/explorations/${String(id)}`)
    await page.getByRole('heading', { name: 'Questions' }).waitFor()
    const states = await page.locator('.question-state').allTextContents()
    t.strictSame(states, [...states].sort((one, other) => other.localeCompare(one)), 'open ones come first')
    await page.locator('.package-text .markdown').waitFor()
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    t.match(await page.getByRole('region', { name: 'Markdown' }).textContent(), /^#|\n#/m, 'the raw text')
    await page.locator('#agent-view').getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.agent-tool').first().locator('summary').click()
    t.ok((await page.locator('.agent-tool-name').allTextContents()).includes('get_exploration'))
    for (const scheme of ['light', 'dark'] as const) {
      await showTheme(page, scheme)
      t.strictSame(await axeViolations(page), [], `axe, ${scheme}`)
    }
    t.strictSame(errors, [])
    await context.close()
  })

  await t.test('the plan of 600 items: closed groups, keyboard, details, list, files', async (t) => {
    const { page, errors, context } = await open(`/explorations/${LARGE}`)
    await page.getByRole('link', { name: 'Open the plan' }).first().click()
    const picture = page.getByRole('listbox', { name: /^Plan of The largest plan/ })
    await picture.waitFor()
    t.ok(await page.locator('.plan-card').count() < 120, 'most groups are closed')
    await picture.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    t.match(await picture.getAttribute('aria-activedescendant'), /group-0$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    const active = await picture.getAttribute('aria-activedescendant')
    t.match(active, /item-\d+$/, 'Enter opened the group')
    t.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
    t.ok(await page.getByRole('region', { name: 'Details' }).isVisible(), 'details of the active item')
    await page.keyboard.press('Escape')
    t.equal(await page.getByRole('region', { name: 'Details' }).count(), 0)
    await page.getByRole('button', { name: /^Longest chain/ }).click()
    t.ok(await page.locator('.plan-card-chain, .plan-edge-chain').count() > 0)
    await page.getByRole('button', { name: 'Open all' }).click()
    await page.locator('.plan-card').nth(20).waitFor()
    t.ok(await page.locator('.plan-card').count() < 400, 'what is not on the screen is not in the document')
    for (const format of ['SVG', 'PNG']) {
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click()])
      t.equal(download.suggestedFilename(), `the-largest-plan.${format.toLowerCase()}`)
      t.equal(await download.failure(), null)
    }
    for (const scheme of ['light', 'dark'] as const) {
      await showTheme(page, scheme)
      t.strictSame(await axeViolations(page), [], `axe, ${scheme}`)
    }
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const listed = page.locator('.plan-list-items > li')
    t.equal(await listed.count(), 18, 'the list has what the picture brings forward')
    await page.getByRole('button', { name: /^Longest chain/ }).click()
    await listed.nth(599).waitFor()
    t.equal(await listed.count(), 600, 'the list has every item')
    await page.getByRole('button', { name: 'Close all' }).click()
    await listed.first().waitFor({ state: 'detached' })
    t.strictSame(errors, [])
    await context.close()
  })

  await t.test('an exploration that has no plan says so, and leads back', async (t) => {
    const unplanned = await server.db.query<{ id: string, title: string }>(
      'select id, title from explorations where id not in (select exploration_id from execution_plans) order by id limit 1')
    const { id, title } = unplanned[0]!
    const { page, context } = await open(`/explorations/${id}/plan`)
    await page.getByText('No plan yet').waitFor()
    t.equal(await page.title(), `Plan of ${title} · Exploration`)
    t.equal(await page.getByRole('alert').count(), 0, 'this is no failure')
    t.same(await axeViolations(page), [])
    await page.getByRole('link', { name: 'Open the exploration' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.goto('/explorations/00000000-0000-4000-8000-000000000000/plan')
    await page.getByRole('alert').getByText('This cannot be shown').waitFor()
    await context.close()
  })

  await t.test('on a phone the plan is one column as wide as the window', async (t) => {
    const { page, context } = await open(`/explorations/${LARGE}/plan`, { viewport: { width: 375, height: 700 } })
    await page.locator('.plan[data-plan=rails] .plan-svg').waitFor()
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is wider than the window')
    await context.close()
  })

  await t.test('texts of records are text: scripts, directions, invisible letters, huge words', async (t) => {
    for (const path of [`/explorations/${HOSTILE}`, `/explorations/${HOSTILE}/plan`, '/?q=script+hostile']) {
      const { page, errors, context } = await open(path, { viewport: { width: 900, height: 900 } })
      await page.locator('.package-text .markdown, .plan-svg, .results:not(.results-stale) > .result').first().waitFor()
      if (path.endsWith(HOSTILE)) {
        t.match(await page.locator('#summaries').textContent(), HOSTILE_TEXTS[0], 'the text is drawn as it is')
        t.equal(await page.locator('a[href^="javascript:" i], iframe, #main img, #main script').count(), 0)
        t.notMatch(await page.locator('#main').textContent(), /[\u202e\u2066]/, 'direction characters are marked')
      }
      t.equal(await pwned(page), undefined, path)
      for (const width of [900, 375]) {
        await page.setViewportSize({ width, height: 900 })
        t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path}: nothing is wider than ${width} px`)
      }
      t.strictSame(errors, [], path)
      await context.close()
    }
  })
})
