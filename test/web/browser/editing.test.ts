/** People edit what agents read: forms, drafts, two people at once, undo; with hostile texts. `keyboard.test.ts` is without a mouse. */
import t from 'tap'
import type { Page } from 'playwright-core'
import { axeViolations, browser, checkAxe, listeningServer, loaded, noBrowser, signedInWindow, STILL } from '../../helpers/browser.js'
import { HOSTILE, HOSTILE_TEXTS, importWebRecords, LARGE } from '../../helpers/web-records.js'

const PLAN = `/explorations/${LARGE}/plan`
/** Elements and addresses that no form, preview or difference has. */
const FOREIGN = '#main :is(img, script, iframe, base, meta, math, object, embed, form[action]), dialog :is(img, script, iframe, form[action]), a[href^="javascript:" i], a[href*="//evil.example" i], [onerror], [onload]'

t.test('editing', { skip: noBrowser }, async (t) => {
  const server = await listeningServer(t)
  const { db, backend, wide, narrow } = server
  await importWebRecords(db, { groups: 6, items: 60 })
  const [workspace] = await db.query<{ id: string }>("select id from workspaces where slug = 'tillpoint'")
  await db.query("update memberships set role = 'editor' where user_id = $1", [wide.id])
  await db.query('delete from memberships where user_id = $1', [narrow.id])
  const setRole = (role: string): Promise<unknown> => db.query(
    'insert into memberships (workspace_id, user_id, role) values ($1, $2, $3) on conflict (workspace_id, user_id) do update set role = excluded.role', [workspace!.id, narrow.id, role])
  await setRole('editor')
  const chromium = await browser(t)
  const open = (path: string, user = wide.id) => signedInWindow(chromium, server, user, STILL, path)
  const mine = await open('/licenses.txt')
  const { page, errors } = mine
  const dialog = page.getByRole('dialog')
  const item = async (id: string) => (await db.query<{ title: string, status: string, group_id: string }>(
    'select title, description, status, group_id, acceptance from plan_items where exploration_id = $1 and id = $2', [LARGE, id]))[0]!
  const saved = async (page: Page): Promise<void> => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Saved.', { exact: true }).last().waitFor()
  }
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await saved(page)
  }
  /** Undoes what was saved last. */
  const undo = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await page.getByText('Undone.').last().waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  }

  await t.test('two people edit an item: one wins, the other sees both versions, and loses nothing', async (t) => {
    const [one, other] = [mine, await open(`${PLAN}?item=i30`, narrow.id)]
    await mine.page.goto(`${PLAN}?item=i30`)
    for (const { page } of [one, other]) {
      await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor()
    }
    await other.page.getByRole('textbox', { name: 'Title' }).fill('The title of the other')
    await other.page.getByLabel('Description', { exact: true }).fill('A description that took an hour')
    await one.page.getByRole('textbox', { name: 'Title' }).fill('The title of the one')
    await save(one.page)
    t.equal((await item('i30')).title, 'The title of the one')

    await other.page.reload()
    const dialog = other.page.getByRole('dialog')
    await dialog.getByText('This is what you had typed and not saved.').waitFor()
    t.equal(await dialog.getByRole('textbox', { name: 'Title' }).inputValue(), 'The title of the other', 'a reload keeps what was typed')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('alert').getByText(new RegExp(`^${wide.email} saved another version just now\\.`)).waitFor()
    t.equal((await item('i30')).title, 'The title of the one', 'nothing was overwritten')
    const versions = await dialog.getByRole('region', { name: 'Title' }).innerText()
    t.match(versions, /Yours\s+The title of the other\s+Theirs\s+The title of the one/, 'both versions stand beside each other')
    t.match(await dialog.getByRole('region', { name: 'Description' }).innerText(), /A description that took an hour/)
    await dialog.getByRole('button', { name: 'Edit on' }).click()
    t.equal(await dialog.getByRole('textbox', { name: 'Title' }).inputValue(), 'The title of the other')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('The title of both')
    await save(other.page)
    t.match(await item('i30'), { title: 'The title of both', description: 'A description that took an hour' })
    await other.page.getByRole('listbox').getByText('The title of both').first().waitFor()

    // The draft of what was saved is gone; what they have is taken as it is; mine is kept as it is.
    await one.page.goto(`${PLAN}?item=i30&edit=item:i30`)
    await one.page.getByRole('textbox', { name: 'Title' }).fill('Kept against all')
    await other.page.goto(`${PLAN}?item=i30&edit=item:i30`)
    t.equal(await other.page.getByRole('textbox', { name: 'Title' }).inputValue(), 'The title of both')
    await other.page.getByRole('textbox', { name: 'Title' }).fill('Given up')
    await one.page.getByRole('dialog').getByRole('button', { name: 'Add a criterion' }).click()
    await one.page.getByLabel('Criterion 1', { exact: true }).fill('It is measured')
    await save(one.page)
    await other.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await other.page.getByRole('button', { name: 'Take theirs' }).click()
    await other.page.getByRole('dialog').waitFor({ state: 'detached' })
    t.match(await item('i30'), { title: 'Kept against all', acceptance: [{ text: 'It is measured', met: false }] })
    await one.page.getByRole('list', { name: 'Acceptance criteria' }).getByText('It is measured').waitFor()
    await other.page.goto(`${PLAN}?item=i30&edit=item:i30`)
    await other.page.getByRole('textbox', { name: 'Title' }).fill('Mine')
    await db.query("update plan_items set title = 'Changed by a file', revision = revision + 1 where exploration_id = $1 and id = 'i30'", [LARGE])
    await other.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await other.page.getByRole('button', { name: 'Keep mine' }).click()
    await saved(other.page)
    t.equal((await item('i30')).title, 'Mine')
    await other.close()
  })

  await t.test('the plan by menus: state and note, place, dependencies, a new item, gates, conflicts; each can be undone', async (t) => {
    await page.goto(`${PLAN}?item=i40&view=list`)
    const details = page.getByRole('region', { name: 'Details' })
    const more = async (name: string): Promise<void> => {
      await details.getByRole('button', { name: 'More for this item' }).click()
      await page.getByRole('menuitem', { name }).click()
      await dialog.waitFor()
    }
    const { status, group_id: group } = await item('i40')
    await details.getByRole('button', { name: 'State and note' }).click()
    await dialog.getByLabel('State').selectOption('Blocked')
    await dialog.getByLabel('Note').fill('Waits for a contract')
    await save(page)
    t.equal((await item('i40')).status, 'blocked')
    await details.getByText(/blocked/).first().waitFor()
    await undo(page)
    t.equal((await item('i40')).status, status)

    await more('Move')
    await dialog.getByLabel('Group').selectOption('Milestone 2')
    await dialog.getByLabel('After').selectOption({ index: 1 })
    await save(page)
    t.equal((await item('i40')).group_id, 'g1')
    await undo(page)
    const first = async (): Promise<string> => (await db.query<{ id: string }>(
      'select id from plan_items where exploration_id = $1 and group_id = $2 order by "order", position limit 1', [LARGE, group]))[0]!.id
    const before = await first()
    await more('Move')
    await dialog.getByLabel('After').selectOption('None: it is the first')
    await save(page)
    t.equal(await first(), 'i40')
    await undo(page)
    t.equal(await first(), before)
    t.equal((await item('i40')).group_id, group)

    const waits = async (): Promise<string[]> => (await db.query<{ depends_on: string }>(
      'select depends_on from plan_dependencies where exploration_id = $1 and item_id = $2 order by depends_on', [LARGE, 'i40'])).map((row) => row.depends_on)
    const had = await waits()
    await more('What it waits for')
    await dialog.getByLabel('Add', { exact: true }).selectOption('i7')
    await save(page)
    t.same(await waits(), [...had, 'i7'].sort())
    await more('What it waits for')
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
    await save(page)
    t.same(await waits(), [])
    await undo(page)
    t.same(await waits(), [...had, 'i7'].sort(), 'several rows are undone together')

    await more('Add an item to its group')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('An item of a person')
    await save(page)
    const made = (await db.query<{ id: string, group_id: string }>("select id, group_id from plan_items where title = 'An item of a person'"))[0]!
    t.equal(made.group_id, group)
    await undo(page)
    t.equal((await db.query("select 1 from plan_items where title = 'An item of a person'")).length, 0)

    const [conflict] = await db.query<{ id: string, item_ids: string[] }>("select id, item_ids from plan_conflicts where exploration_id = $1 and status = 'open' limit 1", [LARGE])
    await page.goto(`${PLAN}?item=${conflict!.item_ids[0]}`)
    await details.getByRole('button', { name: 'Resolve' }).first().click()
    await dialog.getByLabel('Resolution').fill('The first one goes first')
    await save(page)
    t.equal((await db.query("select 1 from plan_conflicts where exploration_id = $1 and id = $2 and status = 'resolved'", [LARGE, conflict!.id])).length, 1)

    await page.goto(`${PLAN}`)
    const picture = page.getByRole('listbox')
    await picture.focus()
    await page.keyboard.press('Home')
    for (let presses = 0; presses < 60 && !/gate-\d+$/.test(await picture.getAttribute('aria-activedescendant') ?? ''); presses++) await page.keyboard.press('ArrowDown')
    await details.getByRole('button', { name: 'Mark as failed' }).click()
    await page.getByText('Saved.').waitFor()
    await details.getByText(/failed/).waitFor()
    await undo(page)
    await details.getByText(/passed/).waitFor()
  })

  await t.test('an exploration is made, described, asked about, answered, written and compared', async (t) => {
    await page.goto('/?q=zzzzqqqq')
    await page.getByRole('button', { name: 'New exploration' }).click()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Made by hand')
    await dialog.getByLabel('First document', { exact: true }).fill('# Why\n\nBecause **it** hurts.\n')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('group', { name: 'Preview of First document' }).getByRole('heading', { name: 'Why' }).waitFor()
    await checkAxe(t, page, 'the form of a new exploration')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Made by hand' }).waitFor()
    await page.locator('.package-text strong').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!

    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Described by hand')
    await dialog.getByLabel('Status').selectOption('Exploring')
    await dialog.getByLabel('Tags').fill('billing, by hand, billing')
    await dialog.getByLabel('Summary', { exact: true }).fill('What it is about')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'Described by hand' }).waitFor()
    t.match((await db.query('select title, status, tags from explorations where id = $1', [id]))[0], { status: 'exploring', tags: ['billing', 'by hand'] })
    await page.locator('#summaries').getByText('What it is about').waitFor()
    await undo(page)
    await page.getByRole('heading', { level: 1, name: 'Made by hand' }).waitFor()

    await page.getByRole('button', { name: 'Ask a question' }).click()
    await dialog.getByLabel('Question').fill('Who pays?')
    await save(page)
    await page.locator('#questions').getByText('Who pays?').waitFor()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await dialog.getByText('Who pays?').waitFor()
    await dialog.getByLabel('Answer', { exact: true }).fill('The *customer*.')
    await save(page)
    await page.locator('.question em').waitFor()

    await page.locator('#packages').getByRole('button', { name: 'Edit' }).click()
    const text = dialog.getByLabel('Text', { exact: true })
    t.equal(await text.inputValue(), '# Why\n\nBecause **it** hurts.\n')
    t.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA', 'the field has the focus, not the tab')
    await text.fill('# Why\n\nBecause **it** heals.\n')
    await save(page)
    await page.getByRole('button', { name: 'Versions' }).click()
    await dialog.locator('ins').waitFor()
    t.same([await dialog.locator('del').innerText(), await dialog.locator('ins').innerText()].map((words) => words.replace(/^\w+:\s*/, '')), ['hurts', 'heals'])
    await page.keyboard.press('Escape')
  })

  await t.test('a recommendation is rejected and approved; links and prompts name what they are about', async (t) => {
    await page.goto(`/explorations/${HOSTILE}`)
    await mine.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const recommendation = page.locator('.recommendation')
    await recommendation.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Saved.').waitFor()
    t.equal((await db.query("select 1 from recommendations where exploration_id = $1 and status = 'rejected'", [HOSTILE])).length, 1)
    await undo(page)
    t.equal((await db.query("select 1 from recommendations where exploration_id = $1 and status = 'approved'", [HOSTILE])).length, 1)
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy prompt for my agent' }).click()
    await page.getByText('Copied').first().waitFor()
    t.match(await copied(), new RegExp(`exploration "${HOSTILE}" with the tools of the MCP server http.*claim_item`))
    t.notMatch(await copied(), /script|Hostile/, 'no text of the record')
    await page.locator('#question-q9').getByRole('button', { name: 'Copy link to this question' }).click()
    await page.locator('#question-q9').getByText('Copied').waitFor()
    const link = await copied()
    t.equal(link, `${server.url}/explorations/${HOSTILE}#question-q9`)
    await page.goto('/')
    await page.goto(link)
    await page.locator('#question-q9').waitFor()
    t.ok(await page.evaluate("document.getElementById('question-q9').getBoundingClientRect().top < innerHeight"), 'the question is shown')
  })

  await t.test('a session that ended keeps what was typed; viewers see no button', async (t) => {
    const visit = await open(`/explorations/${HOSTILE}?edit=ask:`, narrow.id)
    const { page, context } = visit
    const question = page.getByRole('dialog').getByLabel('Question')
    await question.fill('Typed for an hour')
    await db.query('delete from web_sessions where user_id = $1', [narrow.id])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your session ended.').waitFor()
    t.same(await axeViolations(page), [])
    const { token } = await backend.signInLinks.create(narrow.id)
    await page.goto(`${page.url()}#token=${token}`)
    await question.waitFor()
    t.equal(await question.inputValue(), 'Typed for an hour')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await loaded(page)
    t.equal(await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("draft")).length'), 0, 'a draft that is given up is gone')

    await setRole('viewer')
    for (const path of ['/', `/explorations/${HOSTILE}?edit=ask:`, `/explorations/${HOSTILE}/plan?item=i1`]) {
      await page.goto(path)
      await loaded(page)
      t.same(await page.getByRole('button', { name: /^(?:New exploration|Edit|Answer|Ask a question|Reject|Approve|State and note|Write a package)$/ }).count(), 0, path)
      t.equal(await page.getByRole('dialog').count(), 0, path)
    }
    await setRole('editor')
    await context.close()
  })

  await t.test('hostile texts in every form, preview and difference', async (t) => {
    page.on('dialog', (dialog) => { errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss().catch(() => {}) })
    page.on('request', (request) => { if (!request.url().startsWith(server.url)) errors.push(`a request to ${request.url()}`) })
    // A difference needs a second version.
    const writer = await server.signIn(wide.id)
    const { body: { revision } } = await writer.call('GET', `/explorations/${HOSTILE}/records/package/design`)
    const markdown = HOSTILE_TEXTS.toReversed().join('\n\n')
    const change = { kind: 'write_package', artifact_type: 'design', markdown }
    const { status } = await writer.call('POST', `/explorations/${HOSTILE}/changes`, { changes: [change] }, { 'if-match': `"${String(revision)}"` })
    t.equal(status, 200)
    const forms = [['details'], ['ask'], ['answer', 'q1'], ['package', 'design'], ['versions', 'design'], ['write', 'code']]
    const planForms = [['item', 'i1'], ['state', 'i1'], ['move', 'i4'], ['depends', 'i4'], ['ask', 'i4'], ['add', 'g1'], ['resolve', 'c']]
    const safe = async (name: string): Promise<void> => {
      t.same(await page.locator(FOREIGN).evaluateAll((elements) => elements.map((element) => element.outerHTML)), [], `${name}: no foreign elements`)
      t.equal(await page.evaluate('window.pwned'), undefined, name)
      t.notMatch(await dialog.innerText(), /[\u202a-\u202e\u2066-\u2069]/, `${name}: directions are marked`)
      t.same(await axeViolations(page), [], name)
    }
    for (const [place, names] of [['', forms], ['/plan', planForms]] as const) {
      await page.goto(`/explorations/${HOSTILE}${place}`)
      await loaded(page)
      for (const [name = '', id = ''] of names) {
        // As *Forward* does; a document for each form would compute four times as much.
        await page.evaluate(`document.querySelector('dialog')?.setAttribute('data-before', '')
          history.pushState(null, '', '?edit=${name}:${id}')
          dispatchEvent(new PopStateEvent('popstate'))`)
        await page.locator('dialog:not([data-before]) :is(textarea, select)').first().waitFor()
        for (const tab of await dialog.getByRole('button', { name: 'Preview' }).all()) await tab.click()
        await loaded(page)
        await safe(`${name}${place}`)
      }
    }
    await page.goto(`/explorations/${HOSTILE}/plan?edit=item:i1`)
    await page.getByRole('textbox', { name: 'Title' }).fill(HOSTILE_TEXTS[4])
    await page.getByText('Invisible characters in it: \\u202e, \\u2066').waitFor()
    await page.getByLabel('Description', { exact: true }).fill(HOSTILE_TEXTS.join('\n'))
    await db.query('update plan_items set title = $2, revision = revision + 1 where exploration_id = $1 and id = $3', [HOSTILE, HOSTILE_TEXTS[1], 'i1'])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await safe('a conflict of hostile texts')
    await checkAxe(t, page, 'a conflict')
  })
  t.same(errors, [])
})
