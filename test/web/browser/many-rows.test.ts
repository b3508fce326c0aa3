/** Lists with thousands of rows: a page of them is asked for and drawn, more when the person asks; filters find what is not on the page. */
import t from 'tap'
import type { Page } from 'playwright-core'
import { browser, listeningServer, loaded, noBrowser, signedInWindow, STILL } from '../../helpers/browser.js'

const MANY = 3000

t.test('thousands of rows', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, wide, backend } = server
  await db.query('update users set server_admin = true where id = $1', [wide.id])
  const copied = await backend.credentials.createKey({ user: wide.id, name: 'the oldest', scope: 'read' })
  await db.query("update credentials set created_at = now() - interval '400 days' where id = $1", [copied.id])
  const columns = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'credentials' and table_schema = 'public'
       and is_generated = 'NEVER' and column_name not in ('id', 'hash', 'name', 'created_at', 'revoked_at')`)
  const rest = columns.map(({ name }) => name).join(', ')
  const addKeys = (count: number, name: string, revoked: boolean): Promise<unknown> => db.query(
    `insert into credentials (id, hash, name, created_at, revoked_at, ${rest})
     select gen_random_uuid(), sha256(convert_to($2 || n, 'UTF8')), $2 || n, now() - n * interval '1 minute', ${revoked ? 'now()' : 'null'}, ${rest}
     from credentials, generate_series(1, $3) n where id = $1`, [copied.id, name, count])
  await addKeys(500, 'revoked ', true)
  await db.query(
    `insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
     select gen_random_uuid(), (select id from workspaces order by slug limit 1), 'Made in bulk ' || n, 'draft', '["bulk"]', '[]', '[]',
       now() - n * interval '1 minute', now() - n * interval '1 minute' from generate_series(1, $1) n`, [MANY])
  await db.query(
    `insert into audit_events (at, action, outcome, duration_ms, request_id, remote_address, user_id)
     select now(), 'tools/call ping', case when n = 1 then 'error' else 'ok' end, 1, 'bulk ' || n, '192.0.2.7', $2 from generate_series(1, $1) n`, [MANY, wide.id])
  await db.query(
    'insert into users (id, email, name, kind) select gen_random_uuid(), \'person\' || n || \'@example.com\', \'Person \' || n, \'person\' from generate_series(1, $1) n', [MANY])
  const { page, close } = await signedInWindow(
    await browser(t), server, wide.id, STILL, '/licenses.txt')
  const sizes: number[] = []
  page.on('response', (reply) => {
    if (/\/web\/v1\//.test(reply.url())) reply.body().then((body) => sizes.push(body.length), () => {})
  })
  const ROWS = 'tbody > tr:not([aria-hidden]), .results > .result'
  const rowsOn = (page: Page): Promise<number> => page.locator(ROWS).count()

  /** Opens a list; the first page of it has at most `most` rows, and *Show more* adds as many. */
  const open = async (path: string, most: number): Promise<void> => {
    sizes.length = 0
    await page.goto(path)
    await loaded(page)
    const first = await rowsOn(page)
    t.ok(first > 0 && first <= most, `${path}: ${first} rows at first`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator(ROWS).nth(first).waitFor({ state: 'attached' })
    const second = await rowsOn(page)
    t.ok(second > first && second <= 2 * most, `${path}: ${second} rows after more were asked for`)
    t.ok(Math.max(...sizes) < 300_000, `${path}: no answer is larger than 300 kB`)
  }

  await t.test('keys: those in force are seen, however many were revoked after them', async (t) => {
    await page.goto('/integrations/developer')
    await loaded(page)
    await page.getByRole('rowheader', { name: /the oldest/ }).waitFor()
    t.equal(await rowsOn(page), 1)
    await page.getByRole('group', { name: 'Which keys' }).getByRole('button', { name: /^Revoked/ }).click()
    await page.getByRole('rowheader', { name: /^revoked 1\b/ }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).waitFor()
    await addKeys(MANY, 'bulk ', false)
    await open('/integrations/developer', 200)
    await page.getByRole('searchbox', { name: 'Filter' }).fill('bulk 399')
    t.equal(await rowsOn(page), 1)
  })

  await t.test('all credentials, people, explorations and the audit log', async (t) => {
    await open('/admin/credentials', 50)
    await open('/admin/people', 50)
    await page.locator('.pagination').getByText(/^100 of 3,\d\d\d people$/).waitFor()
    await page.getByLabel('Search people').fill('person2999@')
    await page.getByRole('row', { name: /Person 2999/ }).waitFor()
    await open('/', 50)
    const shown = await rowsOn(page)
    t.match(await page.locator('.pagination').innerText(), /100 of 3,\d\d\d explorations/, 'how many there are in all')
    await page.getByRole('link', { name: 'Made in bulk 60', exact: true }).scrollIntoViewIfNeeded()
    await page.waitForFunction('new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))')
    const top = await page.evaluate('scrollY')
    t.ok(Number(top) > 1000)
    await page.getByRole('link', { name: 'Made in bulk 60', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Made in bulk 60' }).waitFor()
    await page.goBack()
    await page.locator(ROWS).first().waitFor()
    await loaded(page)
    t.equal(await rowsOn(page), shown, 'the way back leads to all rows that were shown')
    await page.waitForFunction(`Math.abs(scrollY - ${String(top)}) < 40`)
    await open('/?sort=title', 50)
    t.match(await page.locator('.result-title').first().innerText(), /^[A-C]/i, 'by title')
    await open('/?tag=bulk&status=draft', 50)
    t.equal(await page.getByRole('link', { name: /^Made in bulk/ }).count(), await rowsOn(page))
    await open('/audit', 50)
    await page.goto('/audit?outcome=error')
    await loaded(page)
    t.equal(await rowsOn(page), 1, 'a filter finds the one row among thousands')
    await page.goto('/usage?range=24h')
    await loaded(page)
    t.match(await page.locator('.totals').innerText(), /3,0\d\d/)
  })
  await close()
})
