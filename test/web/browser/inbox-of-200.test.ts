/** An inbox of 200: counted, read in pages, all of it reached by keys, still while it grows; links to what is far down, or decided. */
import t from 'tap'
import type { Locator, Page } from 'playwright-core'
import { agentsWriting, WAITING_LIST } from '../../helpers/agents-writing.js'
import { browser, checkAxe, listeningServer, noBrowser, signedInWindow, STILL } from '../../helpers/browser.js'

const opened = (page: Page): Locator => page.locator('.inbox-entry:has(.inbox-open)')
const counted = (page: Page, count: number): Promise<void> => page.getByRole('link', { name: `Needs you ${count}`, exact: true }).waitFor()

t.test('an inbox of 200', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, wide } = server
  await db.query("update questions set status = 'answered', answer = 'Yes.' where status = 'open'")
  const agents = await agentsWriting(server, false)
  const here = await agents.propose(0)
  const { data: { proposal_id: there } } = await agents.use(agents.claude, 'propose_change', {
    exploration_id: WAITING_LIST, changes: [{ kind: 'edit_item', item_id: 'slot-lock', title: 'Lock slots in order' }], rationale: 'Clearer.'
  })
  // One after the other from two workspaces.
  await db.query(
    `insert into proposals (exploration_id, workspace_id, id, state, changes, base, rationale, proposed_by, credential_id, created_at)
     select exploration_id, workspace_id, gen_random_uuid(), state, jsonb_set(changes, '{0,title}', to_jsonb('Proposal ' || n)), base,
       rationale, proposed_by, null, now() - n * interval '1 minute' - case when id = $1 then interval '0' else interval '20 s' end
     from proposals, generate_series(2, 100) n where id in ($1, $2)`, [here, there])
  const oldest = (await db.query<{ id: string }>("select id from proposals where state = 'open' order by created_at limit 1"))[0]!.id
  const chromium = await browser(t)
  const { page, errors } = await signedInWindow(chromium, server, wide.id, STILL, '/licenses.txt')
  const asked: string[] = []
  page.on('request', (request) => { if (/\/inbox\?/.test(request.url())) asked.push(new URL(request.url()).search) })
  const entries = page.locator('.inbox-entry')

  await t.test('is counted, and read in pages of at most 50, all of it by keys', async (t) => {
    await page.goto('/inbox')
    await counted(page, 200)
    await opened(page).waitFor()
    t.equal(await page.title(), '(200) Needs you · Exploration')
    t.equal(await entries.count(), 50)
    t.notOk(asked.some((search) => search.includes('cursor')), 'the second page is not asked for before it is needed')
    await page.evaluate(`(() => {
      window.reached = new Set()
      const look = () => {
        const open = document.querySelector('.inbox-entry:has(.inbox-open)')
        if (open) window.reached.add(open.dataset.entry)
      }
      look()
      new MutationObserver(look).observe(document.querySelector('#main'), { subtree: true, childList: true, attributeFilter: ['class'] })
    })()`)
    const press = async (key: 'j' | 'k'): Promise<void> => { for (let presses = 0; presses < 20; presses++) await page.keyboard.press(key) }
    // Until it leads no further.
    for (let before = '', now = 'the first'; now !== before;) {
      before = now
      await press('j')
      await page.waitForLoadState('networkidle')
      now = await opened(page).getAttribute('data-entry') ?? ''
    }
    t.equal(await entries.count(), 200)
    // What was loaded late stands above what was reached.
    for (let rounds = 0; rounds === 0 || (rounds < 12 && await page.evaluate('window.reached.size') !== 200); rounds++) await press('k')
    t.equal(await page.evaluate('window.reached.size'), 200)
    t.same(asked.filter((search) => !/limit=(?:1|50)\b/.test(search)), [], asked.join(' '))
    t.same(asked.filter((search) => search.includes('proposal')), [], 'no entry was taken for decided')
  })

  await t.test('grows above what is read, which stays where it is: the last one, too', async (t) => {
    await page.locator('.inbox-heading').last().click()
    const place = () => opened(page).evaluate((entry) => ({ text: entry.textContent, top: entry.getBoundingClientRect().top }))
    const before = await place()
    await agents.propose(1)
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor()
    await counted(page, 201)
    const after = await place()
    t.equal(after.text, before.text)
    t.ok(Math.abs(after.top - before.top) < 1, `${before.top} px, ${after.top} px`)
    t.equal(await page.title(), '(201) Needs you · Exploration')
    t.equal(await opened(page).getByText('This waits no longer').count(), 0)
  })

  await t.test('thirty at once, undone together', async () => {
    await page.locator('.inbox-heading').first().click()
    for (let chosen = 0; chosen < 30; chosen++) {
      await page.keyboard.press('x')
      await page.keyboard.press('j')
    }
    await page.getByRole('region', { name: 'Selected' }).getByText('30 selected').waitFor()
    await page.getByRole('button', { name: 'Dismiss all' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Too many.')
    await page.getByRole('dialog').getByLabel('Reason').press('Enter')
    await page.locator('.toast').filter({ hasText: 'Dismissed: 30 of 30.' }).waitFor()
    await counted(page, 171)
    await page.keyboard.press('z')
    await page.locator('.toast').filter({ hasText: 'Undone.' }).waitFor()
    await counted(page, 201)
  })

  await t.test('a link leads to the oldest, and once it is decided says by whom', async (t) => {
    await page.goto(`/inbox?proposal=${oldest}`)
    await opened(page).getByText('Proposal 100').first().waitFor()
    t.equal(await page.locator('.inbox-entry').first().getAttribute('data-entry'), await opened(page).getAttribute('data-entry'), 'it stands first')
    t.equal(await entries.count(), 51)
    await page.keyboard.press('d')
    await page.getByRole('dialog').getByLabel('Reason').fill('Late.')
    await page.getByRole('dialog').getByLabel('Reason').press('Enter')
    await counted(page, 200)
    t.equal((await db.query("select 1 from proposals where id = $1 and state = 'dismissed'", [oldest])).length, 1)
    await page.goto(`/inbox?proposal=${oldest}`)
    const said = opened(page).getByRole('status')
    await said.getByText(`${wide.email} dismissed it just now. “Late.”`).waitFor()
    t.same(await opened(page).getByRole('button', { name: /^(?:Accept|Edit|Dismiss)$/ }).count(), 0)
    t.equal(await entries.count(), 51)
    await checkAxe(t, page, 'a decided proposal')
    await page.goto('/inbox?proposal=00000000-0000-4000-8000-000000000000')
    await page.getByText('There is no proposal with this address').waitFor()
    await opened(page).waitFor()
  })
  t.same(errors, [])
})
