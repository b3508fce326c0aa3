// `patch`: what agents report and people decide becomes a diff of the files, which git applies and an import recognizes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { modernRequest } from '../../helpers/build.js'
import { commandLine } from '../../helpers/command-line.js'
import { git } from '../../helpers/git.js'
import { importedFrom } from '../imported.js'

// eslint-disable-next-line typescript/no-explicit-any -- JSON of many shapes
type Json = Record<string, any>

const TASK = '---\nid: TASK-1\ntitle: Write it\nstatus: "○ To Do"\nupdated_date: \'2026-01-02\'\n---\n\n## Description\n\nstatus: To Do\n'
const LATIN_1 = Buffer.from('# Été\n\n- [ ] Où\n- [ ] Déjà\n', 'latin1')
const UTF_16 = Buffer.from('\uFEFF# Été\r\n\r\n- [ ] Où\r\n- [ ] Déjà\r\n', 'utf16le')
const HEADING = '# Tasks\n\n## Task 1: Make it\n\n**Acceptance criteria**:\n\n- [ ] It works\n\n## Task 2: Sell it\n\n**Acceptance criteria**:\n\n- [ ] It sells\n'
const webTask = (id: number, title: string, subtasks: Array<{ id: number, title: string }>) => ({ id, title, status: 'pending', subtasks, priority: 'low' })
const webTasks = (...subtasks: string[]): string => JSON.stringify({
  tasks: [
    webTask(1, 'One', [{ id: 1, title: 'Sub' }]),
    webTask(2, 'Two', subtasks.map((title, at) => ({ id: at + 1, title, description: '', status: 'pending', dependencies: [] })))
  ]
}, undefined, 2)
const FILES = {
  'PLAN.md': '# Plan: Ship\n\n## Build\n\n1. [X] Host\n2. [ ] Page\n   in words\n\n## Ask\n\n* [ ] T1 Ann\n* [ ] T2 Bob\n\n## Later\n\n- [~] Sell\n- [~] Buy\n\nThe end\n',
  'TODO.md': UTF_16,
  docs: { 'ROADMAP.md': LATIN_1 },
  specs: {
    '002-sell': { 'spec.md': '# Feature Specification: Sell\n\n- **FR-001**: It sells [NEEDS CLARIFICATION: where? ]\n', 'tasks.md': HEADING },
    '001-pay': {
      'spec.md': '# Feature Specification: Pay\n\n- **FR-001**: It keeps cards [NEEDS CLARIFICATION: for how\n  löng?]\n\n## Open Questions\n\n1. Which currency?\n   More about it.\n2. Which bank?\n',
      'tasks.md': '\uFEFF# Tasks\r\n\r\n## Phase 1: One\r\n\r\n- [X] T001 First\r\n- [ ] T002 [P] Sécond\r\n  - a step\r\n\r\n## Phase 2: Two\r\n\r\n- [ ] T003 Third'
    }
  },
  openspec: { changes: { 'add-cache': { 'proposal.md': '## Why\n\nSlow.\n', 'tasks.md': '## 1. Do\n\n- [x] 1.1 First\n- [ ] 1.2 Second\n\n## 2. Test\n- [ ] 2.1 Third\n' } } },
  '.kiro': { specs: { albums: { 'requirements.md': '# Albums\n', 'tasks.md': '- [x] 1. Set up\n  - [ ]* 1.1 Try\n- [-] 2. Build\n' }, flat: { 'tasks.md': '- [x] 1. Set up\n  - Lay it out\n- [ ] 2. Build\n  - Draw it\n    and print it\n' } } },
  backlog: { 'config.yml': 'project_name: Shop\nstatuses: ["○ To Do", "◒ In Progress", "● Done"]\n', tasks: { 'task-1 - Write it.md': TASK } },
  '.taskmaster': { tasks: { 'tasks.json': '{"master": {"tasks": [\n  {"id": 1, "title": "Öne", "status": "done"},\n  {"id": 2, "title": "Two", "status": "pending", "subtasks": [\n    {"id": 1, "title": "Sub", "status": "pending"}\n  ]}\n]}}\n' } },
  web: {
    tasks: { 'tasks.json': webTasks() },
    backlog: {
      tasks: { 'task-1 - One.md': TASK.replace('○ ', ''), 'task-1.1 - Sub.md': '---\nid: TASK-1.1\ntitle: Sub\nstatus: To Do\nparent_task_id: TASK-1\n---\n' }
    }
  }
}

t.test('reports become a patch', async (t) => {
  const folder = t.testdir({ shop: FILES })
  const shop = join(folder, 'shop')
  git(shop, 'init', '-q')
  git(shop, 'add', '-A')
  git(shop, 'commit', '-qm', 'one')
  const cli = commandLine(t, { data: join(folder, 'data'), env: { USER: 'ada' } })
  const { hello } = await cli.serve('serve --port 0 --json')
  const { endpoint } = JSON.parse(hello) as { endpoint: string }
  await cli.json(`import ${shop}`)
  await cli.json('users create --email ed@example.com --name ed')
  await cli.json('members add --user ed@example.com --workspace shop --role editor')
  const { key } = await cli.json<{ key: string }>('keys create --user ed@example.com --name builder --scope read_write')
  await cli.json('workspaces update shop --agents report')
  const use = async (name: string, args: Json = {}): Promise<Json> => {
    const { body, headers } = modernRequest(key, 'tools/call', { name, arguments: args })
    const reply = await (await fetch(endpoint, { method: 'POST', headers, body })).json() as Json
    t.notOk(reply['result']?.isError, JSON.stringify(reply))
    return reply['result'].structuredContent
  }
  const { all } = await importedFrom(shop, { workspace: 'shop' })
  // By path, and the first of each format by its name.
  const ids = new Map<string, string>()
  for (const { format, path, exploration: { id } } of all) {
    ids.set(path, id)
    if (!ids.has(format)) ids.set(format, id)
  }
  const report = async (format: string, item: string, status: string): Promise<void> => {
    const place = { exploration_id: ids.get(format)!, item_id: item }
    const { items } = await use('get_planning_full', { exploration_id: ids.get(format)! })
    const { revision } = (items as Json[]).find(({ id }) => id === item)!
    t.match(await use('report_progress', { ...place, status, evidence: [{ kind: 'commit', ref: '1' }], expected_revision: revision }), { written: true })
  }
  const patch = async (...more: string[]) => await cli.run(['patch', '--workspace', 'shop', '--from', shop, ...more])
  const apply = async (): Promise<string> => {
    execFileSync('git', ['apply', '-'], { cwd: shop, input: await cli.bytes(['patch', '--workspace', 'shop', '--from', shop]) })
    git(shop, 'add', '-A')
    const diff = git(shop, 'diff', '--cached', '-U0')
    t.match(await cli.json(`import ${shop}`), { archived: 0 })
    t.same(await cli.json('proposals list --state open'), [])
    t.match(await patch(), { code: 0, out: '' }, 'nothing is left')
    git(shop, 'commit', '-qam', 'applied')
    return diff.split('\n').filter((line) => /^[-+](?!-- |\+\+ )/.test(line)).map((line) => line.trimEnd()).join('\n')
  }

  t.match(await patch(), { code: 0, out: '', err: '' })

  await t.test('each format', async (t) => {
    await report('spec-kit', 'T002', 'done')
    await report('spec-kit', 'T001', 'todo')
    await report('openspec', '1.2', 'done')
    await report('openspec', '2.1', 'in_progress')
    await report('kiro', '1.1', 'done')
    await report('kiro', '2', 'done')
    await report('backlog-md', 'TASK-1', 'done')
    await report('task-master', '2.1', 'done')
    await report('task-master', '2', 'in_progress')
    t.equal(await apply(), [
      '-  - [ ]* 1.1 Try', '-- [-] 2. Build', '+  - [x]* 1.1 Try', '+- [x] 2. Build',
      '-  {"id": 2, "title": "Two", "status": "pending", "subtasks": [', '-    {"id": 1, "title": "Sub", "status": "pending"}',
      '+  {"id": 2, "title": "Two", "status": "in-progress", "subtasks": [', '+    {"id": 1, "title": "Sub", "status": "done"}',
      '-status: "○ To Do"', '+status: "● Done"',
      '-- [ ] 1.2 Second', '+- [x] 1.2 Second',
      '-- [X] T001 First', '-- [ ] T002 [P] Sécond', '+- [ ] T001 First', '+- [X] T002 [P] Sécond'
    ].join('\n'))
  })

  await t.test('undone, the bytes are as before', async (t) => {
    await report('spec-kit', 'T003', 'done')
    const file = join(shop, 'specs/001-pay/tasks.md')
    const before = readFileSync(file)
    const list = readFileSync(join(shop, 'PLAN.md'))
    await report('PLAN.md', 'g3-1', 'done')
    await apply()
    await report('spec-kit', 'T003', 'todo')
    await report('PLAN.md', 'g3-1', 'in_progress')
    await apply()
    t.ok(readFileSync(file).equals(before))
    t.ok(readFileSync(join(shop, 'PLAN.md')).equals(list), 'a mark that the file has elsewhere')
  })

  await t.test('a file that has changed meanwhile', async (t) => {
    const file = join(shop, 'specs/001-pay/tasks.md')
    await report('spec-kit', 'T003', 'done')
    const later = readFileSync(file, 'utf8').replace('- [ ] T003', '- [ ] T004 Another\r\n- [ ] T003')
    writeFileSync(file, later)
    const { out } = await patch()
    t.match(out, /^ - \[ \] T004 Another\r\n-- \[ \] T003 Third\n\\ No newline at end of file\n\+- \[X\] T003 Third\n/m)
    t.match(await cli.json(`import ${shop}`), { imported: { kept: 1 } }, 'a file that says otherwise is proposed')
    t.match(await cli.json<Json[]>('proposals list'), [{ changes: [{ kind: 'edit_item', item_id: 'T003', status: 'todo' }] }])
    execFileSync('git', ['apply', '-'], { cwd: shop, input: (await patch()).out })
    t.equal(readFileSync(file, 'utf8'), later.replace('- [ ] T003', '- [X] T003'))
    await cli.json(`import ${shop}`)
    git(shop, 'commit', '-qam', 'rebased')
  })

  const undoAnswer = async (exploration: string): Promise<void> => {
    const row = (await cli.json<Json[]>(`history --exploration ${exploration}`)).find(({ target }) => target.kind === 'question')!
    await cli.json(`undo ${row['id']} --user ed@example.com`)
  }

  await t.test('an answer', async (t) => {
    const exploration = ids.get('spec-kit')!
    const say = async (question: string, text: string, of = exploration) =>
      await cli.json(['questions', 'answer', question, '--exploration', of, '--user', 'ed@example.com', '--text', text])
    await say('q2', 'Euro,\nonly.')
    t.equal(await apply(), '+   - **Answer:** Euro, only.')
    await say('q1', 'Seven ] years.')
    t.match(await patch(), { code: 0, out: '', err: /specs\/001-pay, q1: it does not fit into the file/ }, 'it would be read otherwise')
    await undoAnswer(exploration)
    await say('q1', 'Seven [7] years.')
    t.equal(await apply(), [
      '-- **FR-001**: It keeps cards [NEEDS CLARIFICATION: for how', '-  löng?]',
      '+- **FR-001**: It keeps cards [CLARIFIED: for how', '+  löng? → Seven [7] years.]'
    ].join('\n'))
    t.match((await use('get_exploration', { exploration_id: exploration }))['questions'], [
      { question: 'for how löng?', answer: 'Seven [7] years.', status: 'answered' },
      { question: 'Which currency? More about it.', answer: 'Euro, only.' }, { answer: null }
    ])
    const other = ids.get('task-master')!
    const { question_id: id } = await use('ask_question', { exploration_id: other, question: 'Who pays?' })
    await say(id, 'They.', other)
    t.match(await patch(), { out: '', err: /tasks\.json#master, the answer to "Who pays\?": no file has this question/ })
  })

  await t.test('an answer that is changed, and undone', async (t) => {
    const [pay, sell] = [ids.get('spec-kit')!, ids.get('specs/002-sell')!]
    const say = async (exploration: string, question: string, text: string) =>
      await cli.json(['questions', 'answer', question, '--exploration', exploration, '--user', 'ed@example.com', '--text', text])
    const before = git(shop, 'rev-parse', 'HEAD^{tree}')
    await say(pay, 'q3', 'Theirs.')
    await say(sell, 'q1', 'Here [now].')
    await apply()
    await undoAnswer(pay)
    await say(pay, 'q3', 'Ours.')
    t.equal(await apply(), '-   - **Answer:** Theirs.\n+   - **Answer:** Ours.')
    await undoAnswer(pay)
    await undoAnswer(sell)
    t.equal(await apply(), [
      '-   - **Answer:** Ours.', '-- **FR-001**: It sells [CLARIFIED: where? → Here [now]. ]', '+- **FR-001**: It sells [NEEDS CLARIFICATION: where? ]'
    ].join('\n'))
    t.equal(git(shop, 'rev-parse', 'HEAD^{tree}'), before, 'the bytes are as before')
    t.match((await use('get_exploration', { exploration_id: sell }))['questions'], [{ answer: null, status: 'open' }])
  })

  const add = async (format: string, group: string, title: string, more: Json = {}): Promise<string> => {
    const changes = [{ kind: 'add_item', group_id: group, title, ...more }]
    const { proposal_id: id } = await use('propose_change', { exploration_id: ids.get(format)!, changes, rationale: 'needed' })
    return (await cli.json<Json>(`proposals accept ${id} --user ed@example.com`))['changes'][0].item_id
  }

  await t.test('a task that is added gets the next number', async (t) => {
    t.equal(await add('spec-kit', 'g1', 'Fünfth', { description: 'Stays here.' }), 'T005')
    t.equal(await add('spec-kit', 'g2', 'Sixth'), 'T006')
    t.equal(await add('openspec', 'g1', 'More'), '1.3')
    t.equal(await add('kiro', 'g1', 'More'), '1.2')
    t.equal(await add('task-master', 'g2', 'Sub two'), '2.2')
    await report('spec-kit', 'T006', 'done')
    t.equal(await apply(), [
      '+  - [ ] 1.2 More', '-    {"id": 1, "title": "Sub", "status": "done"}', '+    {"id": 1, "title": "Sub", "status": "done"},',
      '+    {"id": 2, "title": "Sub two", "description": "", "status": "pending", "dependencies": []}',
      '+- [ ] 1.3 More', '+- [ ] T005 Fünfth', '-- [X] T003 Third', '+- [X] T003 Third', '+- [X] T006 Sixth'
    ].join('\n'))
    const { items } = await use('get_planning_full', { exploration_id: ids.get('spec-kit')! })
    t.match((items as Json[]).find(({ id }) => id === 'T005'), { title: 'Fünfth', description: 'Stays here.', group_id: 'g1' })
  })

  await t.test('the first task below another', async (t) => {
    t.equal(await add('kiro', 'g2', 'Ship'), '2.1')
    t.equal(await add('.kiro/specs/flat', 'g2', 'Ship'), '2.1')
    t.equal(await add('.kiro/specs/flat', 'g2', 'Sell'), '2.2')
    t.equal(await add('task-master', 'g1', 'Sub'), '1.1')
    t.equal(await add('web/tasks/tasks.json', 'g2', 'Sub'), '2.1')
    t.equal(await add('web/tasks/tasks.json', 'g2', 'Next'), '2.2')
    await apply()
    const read = (path: string): string => readFileSync(join(shop, path), 'utf8')
    t.match(read('.kiro/specs/albums/tasks.md'), /^- \[x\] 2\. Build\n {2}- \[ \] 2\.1 Ship\n$/m)
    t.match(read('.kiro/specs/flat/tasks.md'), /and print it\n {2}- \[ \] 2\.1 Ship\n {2}- \[ \] 2\.2 Sell\n$/)
    t.match(read('.taskmaster/tasks/tasks.json'), '"status": "done", "subtasks": [{"id": 1, "title": "Sub", "description": "", "status": "pending", "dependencies": []}]},\n')
    t.equal(read('web/tasks/tasks.json'), webTasks('Sub', 'Next'))
  })

  await t.test('a task of Backlog.md is a new file, named as the tool does', async (t) => {
    t.equal(await add('backlog-md', 'g1', "Don't pay: twice (or/more)"), 'TASK-2')
    t.equal(await add('backlog-md', 'g1', 'no'), 'TASK-3')
    const { out } = await patch()
    t.match(out, /^new file mode 100644\n--- \/dev\/null\n\+\+\+ b\/backlog\/tasks\/task-2 - Dont-pay-twice-or-more\.md\t\n@@ -0,0 \+1,9 @@$/m)
    const made = (await apply()).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'NOW')
    t.equal(made, ['TASK-2\n+title: "Don\'t pay: twice (or/more)"', 'TASK-3\n+title: "no"'].map((start) =>
      `+---\n+id: ${start}\n+status: ○ To Do\n+assignee: []\n+created_date: NOW\n+labels: []\n+dependencies: []\n+---`).join('\n'))
    const { items } = await use('get_planning_full', { exploration_id: ids.get('backlog-md')! })
    t.same((items as Json[]).map(({ id, title }) => [id, title]), [['TASK-1', 'Write it'], ['TASK-2', "Don't pay: twice (or/more)"], ['TASK-3', 'no']])
    await report('backlog-md', 'TASK-3', 'done')
    t.equal(await apply(), '-status: ○ To Do\n+status: ● Done')
  })

  await t.test('the texts of a new task are in its file, in the sections of the tool', async (t) => {
    const criteria = [{ text: 'It says why', met: false }, { text: '#2 stays', met: false }]
    const texts = { description: 'Refuse it.\n\n- or ask', acceptance: criteria }
    t.equal(await add('backlog-md', 'g1', 'Refuse', texts), 'TASK-4')
    const odd = { description: 'One\n<!-- SECTION:DESCRIPTION:END -->\nTwo', acceptance: criteria }
    t.equal(await add('backlog-md', 'g1', 'Ask', odd), 'TASK-5')
    t.equal(await add('spec-kit', 'g2', 'Seventh', texts), 'T007')
    const { err } = await patch()
    t.match(err, /^ {2}backlog, TASK-5: description, acceptance$/m, 'a text that would be read otherwise')
    t.match(err, /^ {2}specs\/001-pay, T007: description, acceptance$/m)
    t.notMatch(err, /TASK-4/)
    await apply()
    const file = readFileSync(join(shop, 'backlog/tasks/task-4 - Refuse.md'), 'utf8')
    t.equal(file.slice(file.indexOf('---', 3)), [
      '---', '', '## Description', '', '<!-- SECTION:DESCRIPTION:BEGIN -->', 'Refuse it.', '', '- or ask', '<!-- SECTION:DESCRIPTION:END -->', '',
      '## Acceptance Criteria', '<!-- AC:BEGIN -->', '- [ ] #1 It says why', '- [ ] #2 #2 stays', '<!-- AC:END -->', ''
    ].join('\n'))
    const { items } = await use('get_planning_full', { exploration_id: ids.get('backlog-md')! })
    t.match((items as Json[]).find(({ id }) => id === 'TASK-4'), { ...texts, revision: 1 })
    t.match((items as Json[]).find(({ id }) => id === 'TASK-5'), odd)
    t.match((await patch()).err, /^ {2}specs\/001-pay, T007: description, acceptance$/m, 'it is listed as long as it stays here')
  })

  await t.test('a task beside a subtask is one too, which its file says before its text', async (t) => {
    const id = await add('web/backlog', 'g1', 'Beside', { description: 'Why.' })
    await apply()
    const { items } = await use('get_planning_full', { exploration_id: ids.get('web/backlog')! })
    t.match((items as Json[]).find((item) => item['id'] === id), { title: 'Beside', description: 'Subtask of TASK-1.\n\nWhy.' })
  })

  await t.test('a checklist', async (t) => {
    await report('PLAN.md', 'g1-1', 'todo')
    await report('PLAN.md', 'g1-2', 'done')
    await report('PLAN.md', 'T1', 'done')
    t.equal(await add('PLAN.md', 'g1', 'Search'), 'g1-3')
    t.equal(await add('PLAN.md', 'g2', 'Cy'), 'T3')
    t.equal(await apply(), [
      '-1. [X] Host', '-2. [ ] Page', '+1. [ ] Host', '+2. [X] Page', '+3. [ ] Search', '-* [ ] T1 Ann', '+* [X] T1 Ann', '+* [ ] T3 Cy'
    ].join('\n'))
  })

  await t.test('UTF-16 and Latin-1', async (t) => {
    await report('TODO.md', 'g1-1', 'done')
    await report('docs/ROADMAP.md', 'g1-2', 'done')
    await add('TODO.md', 'g1', 'Łódź')
    await add('docs/ROADMAP.md', 'g1', 'Später')
    const bytes = await cli.bytes(['patch', '--workspace', 'shop', '--from', shop])
    const { patch: text, encoding, files } = await cli.json<Json>(['patch', '--workspace', 'shop', '--from', shop])
    t.ok(Buffer.from(text, encoding).equals(bytes), 'the JSON has the same bytes')
    t.same([encoding, files.sort()], ['base64', ['TODO.md', 'docs/ROADMAP.md']])
    await apply()
    t.equal(readFileSync(join(shop, 'TODO.md'), 'utf16le'), '\uFEFF# Été\r\n\r\n- [x] Où\r\n- [ ] Déjà\r\n- [ ] Łódź\r\n')
    t.equal(readFileSync(join(shop, 'docs/ROADMAP.md'), 'latin1'), '# Été\n\n- [ ] Où\n- [x] Déjà\n- [ ] Später\n')
    await add('docs/ROADMAP.md', 'g1', 'Łódź')
    t.match(await patch(), { code: 0, out: '', err: /docs\/ROADMAP\.md, g1-4: it does not fit into the file/ })
  })

  await t.test('tasks that are headings stay as they are', async (t) => {
    await report('specs/002-sell', '1', 'done')
    await add('specs/002-sell', 'g1', 'Third')
    t.match(await patch(), { code: 0, out: '', err: /specs\/002-sell, 1: it does not fit into the file\n.*specs\/002-sell, 3: it does not fit/ })
    t.equal(readFileSync(join(shop, 'specs/002-sell/tasks.md'), 'utf8'), HEADING)
  })

  await t.test('another folder, another time', async (t) => {
    await cli.json(`import ${shop}`)
    t.match(await cli.json(`import ${shop}`), { written: 0 }, 'a second import writes nothing')
    t.match(await cli.run(['patch', '--workspace', 'shop', '--from', folder]), { code: 1, err: /does not come from/ })
    await report('openspec', '2.1', 'done')
    t.match(await patch('--since', '1h'), { out: /\+- \[x\] 2\.1/ })
    t.match(await patch('--since', '2100-01-01'), { code: 0, out: '' })
  })
})
