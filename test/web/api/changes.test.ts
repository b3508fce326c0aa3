// What people change in the pages: each kind, in one transaction with its history and audit row, of what they have read.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { PlanImport } from '../../../src/importers/plan-import.js'
import { git } from '../../helpers/git.js'
import { EXPLORATION, planLines, WORKSPACE, useOn } from '../../helpers/writing.js'
import { importLines } from '../../helpers/planning-data.js'
import { webServer } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
const RECOMMENDATION = '0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e00c1'
const NOW = '2026-11-01T09:00:00.000Z'
const TEXTS = { summaries: [{ kind: 'problem', text: 'Slow.' }], questions: [{ id: 'q1', question: 'Which?', answer: null, status: 'open' }] }
const server = await webServer(t)
const { backend, db, app } = server
await importLines(db, [
  ...planLines([{ id: 'a' }, { id: 'b' }, { id: 'c', group_id: 'g2' }], [['b', 'a']], {
    gates: [{ id: 'gate', title: 'Reviewed', after_group_id: 'g1', criteria: ['read'], status: 'open' }],
    conflicts: [{ id: 'con', item_ids: ['a', 'b'], description: 'Both?', severity: 'low', status: 'open' }]
  }, TEXTS),
  { type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', version: 1, markdown: 'One.', updated_at: NOW },
  { type: 'recommendation', id: RECOMMENDATION, exploration_id: EXPLORATION, kind: 'strategy', title: 'Wait', body: 'b', status: 'proposed' }
])
const [editor, other] = [await server.newPerson('editor', 'loop', 'editor'), await server.newPerson('other', 'loop', 'editor')]
const viewer = await server.newPerson('viewer', 'loop')

interface Reply { status: number, body: any, text: string }
let written = 0
const change = async (changes: object | object[], revision?: number, { browser } = editor): Promise<Reply> => {
  const headers = { 'if-match': revision === undefined ? undefined : `"${revision}"` }
  const reply = await browser.call('POST', `/explorations/${EXPLORATION}/changes`, { changes: [changes].flat() }, headers)
  if (reply.status === 200) written++
  return reply
}
const record = async (kind: string, id: string): Promise<any> => (await editor.browser.call('GET', `/explorations/${EXPLORATION}/records/${kind}/${id}`)).body
const revisionOf = async (kind: string, id: string): Promise<number> => (await record(kind, id)).revision

t.test('each kind is made, is in the history and the audit log, and is undone', async (t) => {
  const cases: Array<[object, [kind: string, id: string]?]> = [
    [{ kind: 'add_item', group_id: 'g1', title: 'New', after_item_id: 'a' }],
    [{ kind: 'edit_item', item_id: 'a', title: 'Better', acceptance: [{ text: 'It is there.' }] }, ['item', 'a']],
    [{ kind: 'move_item', item_id: 'c', group_id: 'g1' }],
    [{ kind: 'set_item', item_id: 'c', status: 'blocked', note: 'Waits for a decision.' }, ['item', 'c']],
    [{ kind: 'add_dependency', item_id: 'c', depends_on: 'b' }],
    [{ kind: 'remove_dependency', item_id: 'b', depends_on: 'a' }],
    [{ kind: 'resolve_conflict', conflict_id: 'con', resolution: 'a' }],
    [{ kind: 'set_gate', gate_id: 'gate', status: 'failed' }],
    [{ kind: 'edit_package', artifact_type: 'design', find: 'One', replace: 'Two' }],
    [{ kind: 'write_package', artifact_type: 'design', markdown: 'Three.' }, ['package', 'design']],
    [{ kind: 'write_package', artifact_type: 'code', markdown: '# Code' }],
    [{ kind: 'add_recommendation', title: 'Do it', body: 'Now.' }],
    [{ kind: 'decide_recommendation', recommendation_id: RECOMMENDATION, status: 'approved' }],
    [{ kind: 'ask_question', question: 'Why?', item_id: 'a' }],
    [{ kind: 'answer_question', question_id: 'q1', answer: 'This one.' }],
    [{ kind: 'add_note', item_id: 'a', text: 'Look at it.' }],
    [{ kind: 'edit_exploration', title: 'The way back and forth', status: 'exploring', tags: ['x'], summaries: [{ kind: 'problem', text: 'Slower.' }] },
      ['exploration', EXPLORATION]]
  ]
  for (const [one, read] of cases) {
    const { kind } = one as { kind: string }
    const before = read && await record(...read)
    if (read) t.equal((await change(one)).status, 428, `${kind} says what it has read`)
    const made = await change(one, before?.revision)
    t.equal(made.status, 200, made.text)
    t.match(made.body.rows, [{ user: editor.email }], kind)
    const [row] = made.body.rows
    const again = await change(one, read && await revisionOf(...read))
    const adds = ['add_item', 'add_recommendation', 'add_note', 'ask_question']
    if (kind === 'write_package' && !read) t.equal(again.status, 428, 'now there is one')
    else if (!['move_item', ...adds].includes(kind)) t.ok([404, 409, 422].includes(again.status), `${kind} again: ${again.status}`)
    if (kind === 'add_note' || kind === 'add_recommendation' || kind === 'move_item' || kind === 'add_item') {
      for (const more of again.body.rows ?? []) t.equal((await editor.browser.call('POST', `/history/${more.id}/undo`)).status, 200)
    }
    const undone = await editor.browser.call<any>('POST', `/history/${row.id}/undo`)
    t.match(undone.body, { undoes: row.id }, `${kind}: ${undone.text}`)
    if (read && kind !== 'write_package') {
      const { fields } = await record(...read)
      t.same({ ...fields, updated_at: 0 }, { ...before.fields, updated_at: 0 }, `${kind} is as before`)
    }
  }
  t.equal((await record('package', 'design')).fields.markdown, 'One.')
  t.equal((await editor.browser.call('GET', `/explorations/${EXPLORATION}/packages/code`)).status, 404, 'the package that was made is gone')
  const events = await db.query<{ outcome: string, count: number }>(`select outcome, count(*)::int as count from audit_events
    where action = 'web/makeChanges' and user_id = $1 and exploration_id = $2 group by outcome order by outcome`, [editor.id, EXPLORATION])
  t.same(events.map(({ outcome }) => outcome), ['conflict', 'invalid', 'not_found', 'ok', 'unread'])
  t.equal(events.find(({ outcome }) => outcome === 'ok')!.count, written, 'one for each')
  const shown = await editor.browser.call<any>('GET', `/explorations/${EXPLORATION}/history?item=c`)
  t.ok(shown.body.history.length > 4)
  t.ok(shown.body.history.every(({ target, before, after }: any) => target.id === 'c' || (after ?? before).item_id === 'c'))
  t.match(shown.body.history[0], { undoable: true })
})

t.test('several changes are made together or not at all', async (t) => {
  const revision = await revisionOf('item', 'a')
  const refused = await change([{ kind: 'add_note', text: 'first' }, { kind: 'edit_item', item_id: 'a', title: 'x' }, { kind: 'set_gate', gate_id: 'none', status: 'failed' }], revision)
  t.equal(refused.status, 404)
  t.equal(await revisionOf('item', 'a'), revision)
  t.same(await db.query("select 1 from notes where text = 'first'"), [])
  const made = await change([{ kind: 'edit_item', item_id: 'a', title: 'One' }, { kind: 'set_item', item_id: 'a', status: 'done' }], revision)
  t.equal(made.body.rows.length, 2, made.text)
  t.type(made.body.version, 'number')
  t.equal((await change([{ kind: 'edit_item', item_id: 'a', title: 'x' }, { kind: 'edit_item', item_id: 'b', title: 'x' }], 1)).status, 422)
  for (const wrong of [{ kind: 'set_item', item_id: 'b', status: 'passed' }, { kind: 'edit_item', item_id: 'b' }, { kind: 'nothing' }, { kind: 'edit_exploration', title: 'x'.repeat(501) }]) {
    t.ok([400, 422].includes((await change(wrong, 1)).status), JSON.stringify(wrong).slice(0, 60))
  }
  t.equal((await editor.browser.call('POST', `/explorations/${EXPLORATION}/changes`, { changes: [{ kind: 'add_note', text: 'n' }] }, { 'if-match': 'W/"1"' })).status, 422)
})

t.test('an item is moved to the first place of a group, and added there', async (t) => {
  for (const one of [{ kind: 'move_item', item_id: 'c' }, { kind: 'add_item', title: 'Before all' }]) {
    t.equal((await change({ ...one, group_id: 'g1', after_item_id: '' })).status, 200)
  }
  const [first, second] = await db.query<any>('select id, title from plan_items where exploration_id = $1 and group_id = $2 order by "order"', [EXPLORATION, 'g1'])
  t.equal(first.title, 'Before all')
  t.equal(second.id, 'c')
})

t.test('of two at once one wins, and the other gets both versions', async (t) => {
  const revision = await revisionOf('item', 'b')
  const replies = await Promise.all([editor, other].map((who) => change({ kind: 'edit_item', item_id: 'b', title: `By ${who.email}` }, revision, who)))
  t.same(replies.map(({ status }) => status).sort(), [200, 412])
  const lost = replies.find(({ status }) => status === 412)!
  const { body: won } = replies.find(({ status }) => status === 200)!
  t.match(lost.body, {
    status: 412,
    current: { kind: 'item', id: 'b', revision: revision + 1, fields: { title: won.rows[0].after.title }, changed_by: won.rows[0].user, changed_at: won.rows[0].at }
  })
  t.notMatch(lost.text, /credential_id|changed_here/)
})

t.test('an exploration is made, found at once, edited, and kept when an import says otherwise', async (t) => {
  const make = (body: object) => editor.browser.call<any>('POST', '/explorations', { workspace_id: WORKSPACE, ...body })
  const { status, body: { id } } = await make({ title: 'Gardens on roofs', package: { artifact_type: 'design', markdown: '# Xylophone' } })
  t.equal(status, 201)
  const { key } = await backend.credentials.createKey({ user: editor.id, name: 'k', scope: 'read' })
  const find = async (query: string): Promise<string[]> =>
    (await useOn({ app })(key, 'find_explorations', { query, exploration_id: undefined })).data['explorations'].map((one: any) => one.id)
  t.same(await find('xylophone'), [id], 'by the package')
  t.match((await editor.browser.call<any>('GET', `/explorations/${id}`)).body, { title: 'Gardens on roofs', status: 'draft', artifacts: [{ artifact_type: 'design', version: 1 }] })
  const rows = (await editor.browser.call<any>('GET', `/explorations/${id}/history`)).body.history
  t.match(rows, [{ target: { kind: 'package' }, undoable: true }, { target: { kind: 'exploration' }, before: null, undoable: false }])
  t.equal((await editor.browser.call('POST', `/history/${rows[1].id}/undo`)).status, 409)
  t.equal((await editor.browser.call('POST', `/explorations/${id}/changes`, { changes: [{ kind: 'edit_exploration', title: 'Marigolds' }] }, { 'if-match': '"1"' })).status, 200)
  t.same(await find('marigolds'), [id], 'by its new title')

  const [workspace, before] = planLines([], [], {}, TEXTS) as [object, object]
  await importLines(db, [workspace, before])
  const file = [workspace, { ...before, tags: ['file'] }]
  await change({ kind: 'edit_exploration', title: 'Ours', status: 'draft' }, await revisionOf('exploration', EXPLORATION))
  await change({ kind: 'decide_recommendation', recommendation_id: RECOMMENDATION, status: 'rejected' })
  const decided = { type: 'recommendation', id: RECOMMENDATION, exploration_id: EXPLORATION, kind: 'strategy', title: 'Wait longer', body: 'Wait longer\n', status: 'proposed' }
  t.equal((await importLines(db, [...file, decided])).kept, 1)
  t.match((await record('exploration', EXPLORATION)).fields, { title: 'Ours', status: 'draft', tags: ['file'] })
  t.match((await record('recommendation', RECOMMENDATION)).fields, { title: 'Wait longer', status: 'rejected' })
  const [proposed] = (await editor.browser.call<any>('GET', '/proposals?state=open')).body.proposals
  t.match(proposed, { proposed_by: { user: 'import' }, changes: [{ kind: 'edit_exploration', title: 'The way back', status: 'ready' }] })
  t.equal((await editor.browser.call('POST', `/proposals/${proposed.id}/acceptance`)).status, 200)
  t.match((await record('exploration', EXPLORATION)).fields, { title: 'The way back', status: 'ready' })
  await importLines(db, [workspace, { ...before, title: 'The file again' }])
  t.equal((await record('exploration', EXPLORATION)).fields.title, 'The way back', 'the acceptance was a change here')
  await importLines(db, file)
  await importLines(db, [workspace, { ...before, title: 'The file again' }])
  t.equal((await record('exploration', EXPLORATION)).fields.title, 'The file again', 'which ended when the file said the same')
})

t.test('a proposal is accepted in the version of a person', async (t) => {
  await db.query("update workspaces set agents = 'propose' where id = $1", [WORKSPACE])
  const { key } = await backend.credentials.createKey({ user: editor.id, name: 'agent', scope: 'read_write' })
  const use = useOn({ app, db })
  const propose = async (title: string): Promise<string> =>
    (await use(key, 'propose_change', { changes: [{ kind: 'edit_item', item_id: 'c', title }], rationale: 'so' })).data['proposal_id']
  const accept = (id: string, changes: object[]) => other.browser.call<any>('POST', `/proposals/${id}/acceptance`, { changes })
  const id = await propose('Proposed')
  t.equal((await accept(id, [{ kind: 'set_gate', gate_id: 'gate', status: 'failed' }])).status, 422, 'of the same kinds')
  const elsewhere = await accept(id, [{ kind: 'edit_item', item_id: 'b', title: 'Unread' }])
  t.match(elsewhere, { status: 422, body: { detail: /of its kinds and records/ } }, 'which nothing shows that they have read')
  const { body } = await accept(id, [{ kind: 'edit_item', item_id: 'c', title: 'Mine' }])
  t.match(body, { state: 'accepted', edited: true, decided_by: other.email, proposed_by: { credential: 'agent' }, changes: [{ title: 'Mine' }] })
  t.equal((await record('item', 'c')).fields.title, 'Mine')
  const plain = await other.browser.call<any>('POST', `/proposals/${await propose('As it is')}/acceptance`)
  t.match(plain.body, { state: 'accepted', changes: [{ title: 'As it is' }] })
  t.notOk('edited' in plain.body)

  await use(key, 'claim_item', { item_id: 'c' })
  t.match((await record('item', 'c')).fields.claimed_by, { credential: 'agent', user: editor.email })
  t.equal((await change({ kind: 'release_item', item_id: 'c' })).status, 200)
  t.match((await record('item', 'c')).fields, { status: 'todo', claimed_by: undefined })
  t.equal((await change({ kind: 'release_item', item_id: 'c' })).status, 409)
  t.match((await use(key, 'get_changes', { limit: 50 })).data['changes'].at(-1), { kind: 'lease_ended', item_id: 'c' })
})

t.test('without its audit row nothing of a change is written', async (t) => {
  await db.query("alter table audit_events add constraint full_disk check (action not like 'web/%') not valid")
  const before = await revisionOf('item', 'b')
  const count = async (): Promise<unknown> => await db.query('select count(*) from history')
  const rows = await count()
  t.equal((await change({ kind: 'edit_item', item_id: 'b', title: 'Lost' }, before)).status, 500)
  t.equal((await editor.browser.call('POST', `/explorations/${EXPLORATION}/questions/q1/answer`, { text: 'Lost' })).status, 500)
  t.same([await revisionOf('item', 'b'), await count()], [before, rows])
  await db.query('alter table audit_events drop constraint full_disk')
})

t.test('versions, what is held, who was there, and what editors see', async (t) => {
  const get = (path: string, { browser } = editor) => browser.call<any>('GET', `/explorations/${EXPLORATION}${path}`)
  await change({ kind: 'write_package', artifact_type: 'design', markdown: 'Again.' }, await revisionOf('package', 'design'))
  const { versions } = (await get('/packages/design/versions', viewer)).body
  t.match(versions[0], { by: editor.email, size: 6 })
  t.match(versions.at(-1), { version: 1, size: 4, by: undefined })
  t.match((await get('/packages/design/versions/1')).body, { version: 1, markdown: 'One.' })
  t.match((await get(`/packages/design/versions/${versions[0].version}`)).body, { markdown: 'Again.' })
  t.equal((await get('/packages/design/versions/999')).status, 404)
  t.equal((await get('/packages/nothing/versions')).status, 404)

  const { key } = await backend.credentials.createKey({ user: editor.id, name: 'worker', scope: 'read_write' })
  const use = useOn({ app, db })
  await use(key, 'claim_item', { item_id: 'c' })
  await use(key, 'ask_question', { item_id: 'c', question: 'Blue or green?', options: ['blue', 'green'], blocks_item: true })
  await use(key, 'report_progress', { item_id: 'c', status: 'blocked', note: 'I wait.', evidence: [{ kind: 'file', ref: 'a.ts' }] })
  t.match((await get('/held')).body.held, [{ item_id: 'c', user: editor.email, credential: 'worker', lapsed: false }])
  const { activity } = (await get('/activity')).body
  t.match(activity.find(({ tool }: any) => tool === 'claim_item'), { user: editor.email, credential: 'worker' })
  t.ok(activity.some(({ action, user }: any) => action.startsWith('web/makeChanges') && user === editor.email))
  t.same((await get('/activity', viewer)).body.activity.filter(({ user }: any) => user !== viewer.email), [])

  const item = (reply: any): any => reply.body.items.find(({ id }: any) => id === 'c')
  t.match(item(await get('/plan')), {
    revision: Number, claimed_by: { credential: 'worker' }, evidence: [{ ref: 'a.ts' }], notes: [{ text: 'I wait.' }], questions: [{ question: 'Blue or green?', blocks: true }]
  })
  t.notMatch(Object.keys(item(await get('/plan', viewer))).join(), /revision|claimed|evidence|notes|questions/)
  const shown = (await get('')).body
  t.match(shown, { revision: await revisionOf('exploration', EXPLORATION), recommendations: [{ id: RECOMMENDATION, status: 'rejected', title: 'Wait longer', body: [] }] })
  t.match(shown.questions.find(({ asked_by: by }: any) => by !== undefined), { item_id: 'c', asked_by: editor.email, options: ['blue', 'green'] })
  const seen = (await get('', viewer)).body
  t.same([seen.recommendations, seen.questions.filter((question: any) => 'asked_by' in question)], [[], []])
  t.ok(seen.questions.some(({ options }: any) => options?.[1] === 'green'))
})

t.test('a page of large records ends after about 1 MB, and its cursor leads on to all of them, each once', async (t) => {
  const text = 'x'.repeat(50_000)
  await db.query(`insert into history (exploration_id, workspace_id, kind, target, before, after)
    select $1, $2, 'item', 'large', jsonb_build_object('description', $3::text), jsonb_build_object('description', $3::text || n)
    from generate_series(1, 30) n`, [EXPLORATION, WORKSPACE, text])
  await db.query(`insert into proposals (exploration_id, id, state, changes, base, proposed_by, created_at)
    select $1, gen_random_uuid(), 'dismissed', jsonb_build_array(jsonb_build_object('kind', 'edit_item', 'description', $2::text)), '[]', '{"user": "x"}',
      date_trunc('second', now()) from generate_series(1, 60)`, [EXPLORATION, text])
  const { browser } = editor
  for (const [path, name, count] of [
    [`/explorations/${EXPLORATION}/history?item=large&limit=10000`, 'before', 30], ['/proposals?state=dismissed', 'cursor', 60]
  ] as const) {
    const pages: number[] = []
    const ids = await allPages(browser, path, ({ history, proposals }: any, text) => {
      t.ok(text.length < 1_300_000, `${text.length} bytes`)
      pages.push((history ?? proposals).length)
      return (history ?? proposals).map(({ id }: any) => id)
    }, name)
    t.equal(new Set(ids).size, count)
    t.equal(ids.length, count)
    t.ok(pages.length > 2 && Math.max(...pages.slice(0, -1)) === Math.min(...pages.slice(0, -1)), pages.join())
  }
  t.equal((await browser.call('GET', '/proposals?cursor=nonsense')).status, 422)
})

const LATIN_1 = Buffer.from('# Été\n\n- [ ] Déjà\n', 'latin1')

t.test('what was changed here becomes a patch, and is recognised when it is applied', async (t) => {
  const folder = join(t.testdir({ shop: { 'TODO.md': LATIN_1, 'PLAN.md': '# Ship\n\n## Now\n\n- [ ] First\n' } }), 'shop')
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'one')
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'files' })
  const importAgain = async () => await backend.syncPlans(Readable.from(plans.lines(await plans.convert())))
  await importAgain()
  const { browser: editor } = await server.newPerson('files-editor', 'files', 'editor')
  const { explorations } = (await editor.call<any>('GET', '/explorations')).body
  const pathOf = (title: string): string => `/explorations/${explorations.find((one: any) => one.title === title).id}`
  const patch = async (title: string) => await editor.call<any>('GET', `${pathOf(title)}/patch`)
  const done = async (title: string, item: string) => {
    const { revision } = (await editor.call<any>('GET', `${pathOf(title)}/records/item/${item}`)).body
    const changes = [{ kind: 'set_item', item_id: item, status: 'done' }]
    t.equal((await editor.call('POST', `${pathOf(title)}/changes`, { changes }, { 'if-match': `"${revision}"` })).status, 200)
  }

  await done('Ship', 'g1-1')
  t.match(await patch('Ship'), { status: 422, body: { detail: /^This server does not follow the files\. Run .*exploration-mcp patch in/ } })
  backend.planFiles.follow({ plans, writes: false, onLeft: () => {} })
  t.match((await patch('Ship')).body, { encoding: 'utf-8', files: ['PLAN.md'], left: [], patch: /\n-- \[ \] First\n\+- \[x\] First\n$/ })
  t.equal(readFileSync(join(folder, 'PLAN.md'), 'utf8'), '# Ship\n\n## Now\n\n- [ ] First\n', 'the file is as it was')
  t.same((await patch('Été')).body, { patch: '', encoding: 'utf-8', files: [], left: [] })

  await done('Été', 'g1-1')
  const { patch: text, encoding } = (await patch('Été')).body
  t.equal(encoding, 'base64')
  execFileSync('git', ['apply', '-'], { cwd: folder, input: Buffer.from(text, encoding) })
  t.equal(readFileSync(join(folder, 'TODO.md'), 'latin1'), '# Été\n\n- [x] Déjà\n')
  t.equal((await importAgain()).imported?.kept, undefined)
  t.equal((await patch('Été')).body.patch, '')
})
