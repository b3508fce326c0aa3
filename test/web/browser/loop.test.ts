/**
 * The whole loop: a person imports a plan, lets agents propose and decides what two agents ask, finish and propose, until all of
 * it is done.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { browser, listeningServer, noBrowser, signedInWindow } from '../../helpers/browser.js'
import { until } from '../../helpers/until.js'
import { EXPLORATION, planLines, useOn, WORKSPACE, type Called } from '../../helpers/writing.js'

const ITEMS = ['Name the risks', 'Ask three teams', 'Draw the flow', 'Store the receipts', 'Send the receipts', 'Tell the support team']

t.test('from an import to a finished plan', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  await server.db.query('update users set server_admin = true where email = $1', [server.wide.email])
  const visit = await signedInWindow(await browser(t), server, server.wide.email, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' }, '/admin/status')
  const { page, errors } = visit
  const file = join(t.testdir(), 'plan.ndjson')
  const waits = ITEMS.slice(1).map((_, at) => [`item-${at + 2}`, `item-${Math.max(1, at)}`] as const)
  const lines = planLines(ITEMS.map((title, at) => ({ id: `item-${at + 1}`, title, group_id: at < 3 ? 'g1' : 'g2' })), waits)
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText(/1 workspace is new\. You are a member/).waitFor()

  await page.goto('/admin/workspaces')
  const workspace = page.getByRole('row', { name: /Loop.*Admin/ })
  await workspace.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Agents' }).click()
  await page.getByRole('radio', { name: /^Propose/ }).check()
  await page.getByRole('button', { name: 'Let agents propose' }).click()
  await page.getByRole('row', { name: /Loop.*Propose/ }).waitFor()

  const keys: string[] = []
  for (const name of ['laptop', 'build server']) {
    await page.goto('/integrations/developer')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('radio', { name: /^Read and write/ }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    keys.push(await page.locator('[data-secret]').innerText())
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
  }

  const use = useOn(server)
  /** An agent holds an item, or the first that is ready, and says that it is done. Answers false when nothing is. */
  const workOn = async (key: string, item?: string): Promise<boolean> => {
    const { data }: Called = await use(key, 'claim_item', { item_id: item })
    if (data['claimed'] !== true) return false
    const evidence = [{ kind: 'test_run', ref: 'https://ci.example.com/runs/7', summary: '24 tests passed' }]
    const reported = await use(key, 'report_progress', { item_id: data['item'].id, status: 'done', evidence })
    t.equal(reported.data['proposed'], true, 'an agent does not finish an item by itself')
    return true
  }
  const waiting = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Loop', exact: true }) }).locator('.inbox-entry')
  const [first = '', second = ''] = keys
  const claimed = await use(first, 'claim_item')
  const { data: proposed } = await use(second, 'propose_change', {
    changes: [{ kind: 'add_item', group_id: 'g2', title: 'Delete receipts after ten years', after_item_id: 'item-5' }],
    rationale: 'The retention rule of the finance team is not in the plan.'
  })
  const { data: { question_id: asked } } = await use(first, 'ask_question', {
    item_id: claimed.data['item'].id, question: 'Do receipts go to guests too?', options: ['Yes', 'No'], blocks_item: true
  })

  // Where the view in a chat leads.
  await page.goto(`/inbox?proposal=${proposed['proposal_id']}`)
  await page.locator('.inbox-entry:has(.inbox-open)').getByText('Delete receipts after ten years').first().waitFor()
  await page.goto('/inbox')
  await waiting.nth(1).waitFor()
  while (!/Do receipts go to guests/.test(await page.locator('.inbox-entry:has(.inbox-open)').innerText())) await page.keyboard.press('j')
  await page.locator('.inbox-entry:has(.inbox-open)').getByRole('button', { name: 'Yes', exact: true }).click()
  await page.locator('.toast').filter({ hasText: 'Answered' }).first().waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await waiting.first().waitFor({ state: 'detached' })
  const { data: { changes } } = await use(first, 'get_changes')
  t.match(changes, changes.map(() => ({ exploration_id: EXPLORATION })))
  t.ok(changes.some((change: Record<string, unknown>) => change['kind'] === 'answered' && change['question_id'] === asked), 'the agent hears of the answer')

  const unfinished = async (): Promise<number> =>
    (await server.db.query("select 1 from plan_items where exploration_id = $1 and status <> 'done'", [EXPLORATION])).length
  t.equal(await unfinished(), ITEMS.length + 1, 'with the item that was proposed')
  for (let round = 0; await unfinished() > 0; round++) {
    const before = await unfinished()
    const worked = [await workOn(first, round === 0 ? claimed.data['item'].id : undefined), await workOn(second)].filter(Boolean).length
    t.ok(worked > 0, `round ${round}: an item is ready`)
    if (worked === 0) break
    // They come by themselves, above what is read.
    await page.getByRole('button', { name: `${worked} new`, exact: true }).click()
    await waiting.nth(worked - 1).waitFor()
    for (let left = worked; left > 0; left--) {
      // What is open now stands below them.
      await page.keyboard.press('k')
      await page.keyboard.press('a')
      await waiting.nth(left - 1).waitFor({ state: 'detached' })
    }
    await until(async () => await unfinished() === before - worked)
  }

  await page.goto(`/explorations/${EXPLORATION}/history`)
  await page.getByText('Delete receipts after ten years').first().waitFor()
  const offered = (what: string) => page.locator('.history-row').filter({ hasText: what }).getByRole('button', { name: 'Undo', exact: true })
  t.equal(await offered('to done').count(), ITEMS.length + 1)
  t.equal(await offered('claimed the item').count(), 0, 'what a later row overwrote is not undone')
  t.equal((await server.db.query('select 1 from workspaces where id = $1 and agents = $2', [WORKSPACE, 'propose'])).length, 1)
  t.same(errors, [])
})
