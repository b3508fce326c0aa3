import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { browser, listeningServer, noBrowser, signedInWindow, STILL } from '../../helpers/browser.js'

t.test('usage, audit log and administration in a browser', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  await server.db.query('update users set server_admin = true where email = $1', [server.wide.email])
  const chromium = await browser(t)
  const visit = await signedInWindow(chromium, server, server.wide.email, STILL, '/admin/workspaces')
  const { page, errors } = visit

  await t.test('a workspace is made, renamed and archived', async (t) => {
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Über Payments')
    t.equal(await page.getByRole('textbox', { name: 'Slug' }).inputValue(), 'uber-payments')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row', { name: /Payments.*uber-payments/ })
    await row.waitFor()
    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Card Payments')
    await page.getByRole('button', { name: 'Save' }).click()
    const renamed = page.getByRole('row', { name: /Card Payments/ })
    await renamed.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await renamed.getByText('Archived').waitFor()
  })

  await t.test('workspaces that one is not a member of stand apart, and are joined', async (t) => {
    for (const slug of ['kiln', 'tillpoint']) await server.backend.directory.removeMember({ user: server.wide.id, workspace: slug })
    await page.reload()
    const others = page.getByRole('table', { name: 'Workspaces you are not a member of' })
    const own = page.getByRole('table', { name: 'Workspaces', exact: true })
    await others.getByRole('row', { name: /Kiln/ }).waitFor()
    t.equal(await own.getByRole('row', { name: /Kiln/ }).count(), 0)
    await others.getByRole('button', { name: 'Join Kiln Build Platform' }).click()
    t.match(await page.getByRole('dialog').textContent(), /You become an admin there.*\d explorations more.*each key/)
    await page.getByRole('dialog').getByRole('button', { name: 'Join', exact: true }).click()
    await own.getByRole('row', { name: /Kiln.*Admin/ }).waitFor()
    await server.backend.directory.removeMember({ user: server.wide.id, workspace: 'kiln' })
    await page.reload()
    await page.getByRole('button', { name: 'Join all 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Join', exact: true }).click()
    await own.getByRole('row', { name: /Tillpoint.*Admin/ }).waitFor()
    await others.waitFor({ state: 'detached' })
  })

  await t.test('agents are let write in a workspace, after it is said which credentials gain by it', async (t) => {
    await server.backend.credentials.createKey({ user: server.wide.id, name: 'builder', scope: 'read_write' })
    const row = page.getByRole('row', { name: /Tillpoint/ })
    const open = async () => {
      await row.getByRole('button', { name: /^Actions/ }).click()
      await page.getByRole('menuitem', { name: 'Agents' }).click()
    }
    await open()
    const dialog = page.getByRole('dialog')
    t.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true, 'nothing is changed yet')
    await dialog.getByRole('radio', { name: /^Propose/ }).check()
    await dialog.getByText('builder').waitFor()
    await dialog.getByRole('button', { name: 'Let agents propose' }).click()
    await page.getByRole('row', { name: /Tillpoint.*Propose/ }).waitFor()
    await open()
    await dialog.getByRole('radio', { name: /^Read/ }).check()
    t.match(await dialog.textContent(), /What agents hold there ends at once/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Tillpoint.*Read/ }).waitFor()
  })

  await t.test('a file is imported with its progress; a wrong one says what is wrong', async (t) => {
    await page.goto('/admin/status')
    await page.getByRole('heading', { name: 'Database' }).waitFor()
    const folder = t.testdir()
    const choose = async (name: string, text: string): Promise<void> => {
      await writeFile(join(folder, name), text)
      await page.getByLabel('File to import').setInputFiles(join(folder, name))
      await page.getByRole('button', { name: 'Import', exact: true }).click()
    }
    await choose('wrong.ndjson', '{"type":"workspace"}\n')
    await page.getByRole('alert').waitFor()
    t.match(await page.getByRole('alert').textContent(), /line 1/i)
    const workspace = { type: 'workspace', id: '6006006a-0000-4000-8000-0000000000f1', slug: 'imported', name: 'Imported here', created_at: '2026-01-01T00:00:00.000Z' }
    await choose('right.ndjson', `${JSON.stringify(workspace)}\n`)
    await page.getByText('1 records imported').waitFor()
    await page.getByText(/1 workspace is new\. You are a member/).waitFor()
    await server.db.query("delete from memberships m using workspaces w where w.id = m.workspace_id and w.slug = 'imported'")
    await choose('again.ndjson', `${JSON.stringify(workspace)}\n`)
    await page.getByRole('button', { name: 'Join it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('button', { name: 'Join it' }).waitFor({ state: 'detached' })
  })

  await t.test('all records are downloaded, or those of a workspace with its people; that is on record', async (t) => {
    await page.goto('/admin/status')
    const card = page.getByRole('region', { name: 'Export' })
    const typesOf = async (): Promise<string[]> => {
      const [download] = await Promise.all([page.waitForEvent('download'), card.getByRole('link', { name: 'Download' }).click()])
      const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
      return [download.suggestedFilename(), ...new Set(lines.map((line) => (JSON.parse(line) as { type: string }).type))]
    }
    t.same(await typesOf(), ['records.ndjson', 'workspace', 'exploration', 'requirement_package', 'execution_plan', 'recommendation'])
    await card.getByLabel('Workspace').selectOption('tillpoint')
    await card.getByLabel('With people and memberships').check()
    t.same((await typesOf()).slice(0, 4), ['records.ndjson', 'workspace', 'user', 'membership'])
    t.match(await server.db.query("select action, outcome from audit_events where action like 'web/exportRecords%' order by id"), [
      { action: 'web/exportRecords', outcome: 'ok' }, { action: 'web/exportRecords with people', outcome: 'ok' }
    ])
  })
  t.strictSame(errors, [])
})
