// The button that downloads the patch of a plan.
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import t from 'tap'
import { PlanImport } from '../../../src/importers/plan-import.js'
import { browser, listeningServer, noBrowser, signedInWindow } from '../../helpers/browser.js'

t.test('a patch is downloaded, or a sentence says why there is none', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { backend, wide } = server
  const folder = t.testdir({ 'PLAN.md': '# Ship the shop\n\n## Now\n\n- [ ] First\n- [ ] Second\n' })
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'files' })
  await backend.syncPlans(Readable.from(plans.lines(await plans.convert())), () => {})
  await backend.directory.addMember({ user: wide.id, workspace: 'files', role: 'editor' })
  const { page, errors, context } = await signedInWindow(await browser(t), server, wide.email, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' }, '/')
  await page.getByRole('link', { name: 'Ship the shop', exact: true }).click()
  const button = page.getByRole('button', { name: 'Patch for the files' })
  await button.click()
  await page.getByText(/This server does not follow the files\. Run .* in their repository\./).waitFor()

  backend.planFiles.follow({ plans, writes: false, onLeft: () => {} })
  await button.click()
  await page.getByText('The files say all that has a place in them.').waitFor()
  const [{ id }] = await server.db.query<{ id: string }>("select id::text as id from explorations where title = 'Ship the shop'") as [{ id: string }]
  await server.db.query("update plan_items set status = 'done', changed_here = '{status,description}' where exploration_id = $1 and id = 'g1-1'", [id])
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  t.equal(download.suggestedFilename(), 'plan.patch')
  t.match(readFileSync(await download.path(), 'utf8'), /^diff --git a\/PLAN\.md b\/PLAN\.md\n[^]*\n-- \[ \] First\n\+- \[x\] First\n/)
  await page.getByText('Downloaded: run git apply plan.patch in the repository. Kept here: PLAN.md, g1-1: description.').waitFor()
  t.strictSame(errors, [])
  await context.close()
})
