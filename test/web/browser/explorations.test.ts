/** Explorations are searched and read; a plan keeps what is looked at in its place and its address; the first steps. */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import t from 'tap'
import type { Page } from 'playwright-core'
import { PlanImport } from '../../../src/importers/plan-import.js'
import { toolCall } from '../../helpers/build.js'
import { axeViolations, browser, checkAxe, listeningServer, loaded, noBrowser, signedInWindow } from '../../helpers/browser.js'
import { importWebRecords, LARGE } from '../../helpers/web-records.js'

/** The name of what is nearest to the centre of the picture, and where it is. */
const CENTRE = `(() => {
  const { left, right, top, bottom } = document.querySelector('.plan-scroller').getBoundingClientRect()
  const places = [...document.querySelectorAll('.plan-scroller [role=option]')].map((option) => {
    const box = option.getBoundingClientRect()
    return { id: option.id, x: box.left + Math.min(box.width, 60) / 2, y: box.top + box.height / 2 }
  })
  const distance = ({ x, y }) => Math.hypot(x - (left + right) / 2, y - (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2)
  return places.sort((one, other) => distance(one) - distance(other))[0]
})()`
const placeOf = (page: Page, id: string) => page.evaluate(`(() => {
  const box = document.getElementById(${JSON.stringify(id)})?.getBoundingClientRect()
  return box && { x: box.left + Math.min(box.width, 60) / 2, y: box.top + box.height / 2 }
})()`) as Promise<{ x: number, y: number } | undefined>

t.test('explorations and plans', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, wide, narrow, backend, url } = server
  await importWebRecords(db)
  const chromium = await browser(t)
  const path = `/explorations/${LARGE}/plan`
  const desk = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const
  const { page, errors } = await signedInWindow(chromium, server, wide.id, desk, path)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await t.test('what is at the centre stays through layouts and zooms', async (t) => {
    await page.locator('.plan-card').nth(5).waitFor()
    await page.evaluate('document.querySelector(".plan-scroller").scrollLeft += 300')
    for (const name of ['Open all', 'Zoom out', 'Zoom in', 'Zoom in', 'Open all', 'Close all']) {
      if (name === 'Open all' && await page.getByRole('button', { name: 'Close all' }).isVisible()) continue
      const before = await page.evaluate(CENTRE) as { id: string, x: number, y: number }
      await press(name)
      await page.waitForFunction('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))')
      const after = await placeOf(page, before.id)
      // The group stands for an item of it that is closed.
      if (name === 'Close all' && after === undefined) continue
      t.ok(after && Math.abs(after.x - before.x) < 90, `${name}: ${before.id} from ${before.x} to ${after?.x ?? 'nowhere'}`)
    }
    await press('Fit')
    t.equal(await page.evaluate('document.querySelector(".plan-scroller").scrollWidth <= document.querySelector(".plan-scroller").clientWidth'), true, 'Fit shows all of it')
  })

  await t.test('item, list, filter and search stand in the address; the list folds', async (t) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: 'The largest plan' }).waitFor()
    t.equal(await page.title(), 'Plan of The largest plan · Exploration')
    await page.getByLabel('Find in plan').fill('cold start')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(/^1 of \d+$/).waitFor()
    await page.waitForURL(/find=cold\+start.*item=|item=.*find=cold\+start/)
    const title = await page.locator('.plan-details-title').innerText()
    await press('List')
    await page.getByRole('button', { name: /^Ready/ }).click()
    await page.waitForURL(/view=list/)
    await page.waitForURL(/show=ready/)
    await page.reload()
    await page.locator('.plan-list').waitFor()
    t.equal(await page.locator('.plan-details-title').innerText(), title, 'a reload shows the same item')
    t.equal(await page.getByLabel('Find in plan').inputValue(), 'cold start')
    t.equal(await page.getByRole('button', { name: /^Ready/ }).getAttribute('aria-pressed'), 'true')
    for (const text of await page.locator('.plan-list-items > li').allInnerTexts()) t.match(text, /ready to start/)
    await page.getByLabel('Find in plan').fill('')
    await page.getByRole('button', { name: /^Ready/ }).click()
    const group = page.locator('.plan-list-group').nth(1).getByRole('button').first()
    t.equal(await group.getAttribute('aria-expanded'), 'false', 'groups that are done are folded')
    const folded = await page.locator('.plan-list-items > li').count()
    await group.click()
    t.ok(await page.locator('.plan-list-items > li').count() > folded)
  })

  await t.test('a phone of 375 × 667: two rows of tools, and the card that was tapped is seen', async (t) => {
    await page.setViewportSize({ width: 375, height: 667 })
    await page.goto(path)
    const cards = page.locator('.plan-card')
    await cards.nth(4).waitFor()
    const heights = await page.evaluate("[...document.querySelectorAll('.plan-tools')].map((row) => row.getBoundingClientRect().height)") as number[]
    t.ok(heights.length <= 2 && heights.every((height) => height < 60), 'two rows of one line')
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is wider than the window')
    for (const at of [0, 3, 7]) {
      await cards.nth(at).click()
      await page.getByRole('region', { name: 'Details' }).waitFor()
      const [card, details] = [await cards.nth(at).boundingBox(), await page.locator('.plan-details').boundingBox()]
      t.ok(card && details && card.y >= 50 && card.y + card.height <= details.y + 1, `card ${at} at ${card?.y ?? 0}, its details from ${details?.y ?? 0}`)
    }
    t.same(await axeViolations(page), [])
    await page.setViewportSize(desk.viewport)
  })

  await t.test('the first steps, until the first call of an agent', async (t) => {
    const { page, close } = await signedInWindow(chromium, server, narrow.id, desk, '/')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('link', { name: 'Connect an agent' }).waitFor()
    t.match(await steps.innerText(), /Planning data is here[^]*You are a member/)
    const { key: secret } = await backend.credentials.createKey({ user: narrow.id, name: 'agent', scope: 'read' })
    await steps.getByText(/Waiting for your agent’s first call/).waitFor()
    await loaded(page)
    await checkAxe(t, page, 'first steps')
    const { headers, body } = toolCall(secret, 'list_workspaces', {}, { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '1' } })
    t.equal((await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status, 200)
    await page.getByText(/Your agent found this server: claude-code called list_workspaces/).waitFor()
    t.equal(await steps.count(), 0, 'they are gone')
    await page.goto('/')
    await loaded(page)
    t.equal(await page.getByText(/Your agent found|First steps/).count(), 0, 'for good')
    await close()
  })

  await t.test('search while typing, filters in the address', async (t) => {
    await page.goto('/')
    await page.getByRole('list', { name: 'Explorations' }).getByRole('listitem').nth(5).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('chargeback evidenc')
    // A busy machine: the letters before it have rested before a further one is drawn.
    await page.evaluate(`requestAnimationFrame(() => setTimeout((field, from = performance.now()) => {
      field.value += 'e'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      while (performance.now() - from < 400);
    }, 50, document.activeElement))`)
    await page.waitForURL(/q=chargeback.evidence/)
    await page.locator('.results:not(.results-stale) mark').first().waitFor()
    t.match(new URL(page.url()).search, /q=chargeback/, 'the address holds what is searched')
    t.match(await page.locator('.result').first().textContent(), /chargeback|dispute/i)
    await page.getByLabel('Status').selectOption('delivered')
    await page.waitForURL(/status=delivered/)
    await page.getByLabel('Search explorations').fill('zzzzqqqq xxxyyy')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByRole('link', { name: 'The largest plan', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The largest plan' }).waitFor()
  })

  await t.test('the plan of 600 items: closed groups, keyboard, details, list, files', async (t) => {
    await page.goto(`/explorations/${LARGE}`)
    await page.getByRole('link', { name: 'Open the plan' }).first().click()
    const picture = page.getByRole('listbox', { name: /^Plan of The largest plan/ })
    await picture.waitFor()
    t.ok(await page.locator('.plan-card').count() < 120, 'most groups are closed')
    await picture.focus()
    for (const key of ['End', 'Home', 'Enter', 'ArrowDown']) await page.keyboard.press(key)
    t.match(await picture.getAttribute('aria-activedescendant'), /item-\d+$/, 'Enter opened the group')
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
    await page.evaluate('HTMLCanvasElement.prototype.toBlob = (done) => done(null)')
    await press('Download')
    await page.getByRole('menuitem', { name: /^PNG/ }).click()
    await page.locator('.toast-bad').getByText(/could not draw this plan as PNG/).waitFor()
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const listed = page.locator('.plan-list-items > li')
    t.equal(await listed.count(), 18, 'the list has what the picture brings forward')
    await page.getByRole('button', { name: /^Longest chain/ }).click()
    await listed.nth(599).waitFor()
    t.equal(await listed.count(), 600, 'the list has every item')
    await page.getByRole('button', { name: 'Close all' }).click()
    await listed.first().waitFor({ state: 'detached' })
  })

  await t.test('an exploration that has no plan says so, and leads back', async (t) => {
    const unplanned = await db.query<{ id: string, title: string }>(
      'select id, title from explorations where id not in (select exploration_id from execution_plans) order by id limit 1')
    const { id, title } = unplanned[0]!
    await page.goto(`/explorations/${id}/plan`)
    await page.getByText('No plan yet').waitFor()
    t.equal(await page.title(), `Plan of ${title} · Exploration`)
    t.equal(await page.getByRole('alert').count(), 0, 'this is no failure')
    await checkAxe(t, page, 'no plan')
    await page.getByRole('link', { name: 'Open the exploration' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.goto('/explorations/00000000-0000-4000-8000-000000000000/plan')
    await page.getByRole('alert').getByText('This cannot be shown').waitFor()
  })

  await t.test('the patch of a plan is downloaded, or a sentence says why there is none', async (t) => {
    const folder = t.testdir({ 'PLAN.md': '# Ship the shop\n\n## Now\n\n- [ ] First\n- [ ] Second\n' })
    const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'files' })
    await backend.syncPlans(Readable.from(plans.lines(await plans.convert())))
    await backend.directory.addMember({ user: wide.id, workspace: 'files', role: 'editor' })
    await page.goto('/')
    await page.getByRole('link', { name: 'Ship the shop', exact: true }).click()
    const button = page.getByRole('button', { name: 'Patch for the files' })
    await button.click()
    await page.getByText(/This server does not follow the files\. Run .* in their repository\./).waitFor()

    backend.planFiles.follow({ plans, writes: false, onLeft: () => {} })
    const [{ id }] = await db.query<{ id: string }>("select id::text as id from explorations where title = 'Ship the shop'") as [{ id: string }]
    await db.query("update plan_items set status = 'done', changed_here = '{status,description}' where exploration_id = $1 and id = 'g1-1'", [id])
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    t.equal(download.suggestedFilename(), 'plan.patch')
    t.match(readFileSync(await download.path(), 'utf8'), /^diff --git a\/PLAN\.md b\/PLAN\.md\n[^]*\n-- \[ \] First\n\+- \[x\] First\n/)
    await page.getByText('Downloaded: run git apply plan.patch in the repository. Kept here: PLAN.md, g1-1: description.').waitFor()
  })
  t.same(errors, [])
})
