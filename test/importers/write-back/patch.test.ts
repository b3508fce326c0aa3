// `patch`: what agents report and people decide becomes a diff of the files, which git applies and an import recognizes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandLine } from '../../helpers/command-line.js'
import { importedFrom, toolsOf, type Json } from '../imported.js'

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
    '002-sell': { 'spec.md': '# Feature Specification: Sell\n\n- **FR-001**: It sells [NEEDS CLARIFICATION: where? ]\n' },
    '003-lend': { 'tasks.md': HEADING },
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

/** `[plan, item, status]`: what is reported at first. */
const REPORTS = [
  ['spec-kit', 'T002', 'done'], ['spec-kit', 'T001', 'todo'], ['openspec', '1.2', 'done'], ['openspec', '2.1', 'in_progress'],
  ['kiro', '1.1', 'done'], ['kiro', '2', 'done'], ['backlog-md', 'TASK-1', 'done'], ['task-master', '2.1', 'done'],
  ['task-master', '2', 'in_progress'], ['PLAN.md', 'g1-1', 'todo'], ['PLAN.md', 'g1-2', 'done'], ['PLAN.md', 'T1', 'done'],
  ['TODO.md', 'g1-1', 'done'], ['docs/ROADMAP.md', 'g1-2', 'done'], ['specs/003-lend', '1', 'done']
] as const

const TEXTS = { description: 'Refuse it.\n\n- or ask', acceptance: [{ text: 'It says why', met: false }, { text: '#2 stays', met: false }] }
const ODD = { ...TEXTS, description: 'One\n<!-- SECTION:DESCRIPTION:END -->\nTwo' }

/** The tasks that are added, by plan: `[group, title, the id that it gets, its texts]`. */
const ADDED: Record<string, Array<[group: string, title: string, id: string, texts?: object]>> = {
  'spec-kit': [
    ['g1', 'Fünfth', 'T004', { description: 'Stays here.' }], ['g2', 'Sixth', 'T005'], ['g2', 'Seventh', 'T006', TEXTS]
  ],
  openspec: [['g1', '- [ ] Später: "ja" [x] `code`', '1.3']],
  kiro: [['g1', '日本語のタスク', '1.2'], ['g2', 'Ship', '2.1']],
  '.kiro/specs/flat': [['g2', 'Ship', '2.1'], ['g2', 'Sell', '2.2']],
  'task-master': [['g2', 'Sub two', '2.2'], ['g1', 'Sub', '1.1']],
  'web/tasks/tasks.json': [['g2', 'Sub', '2.1'], ['g2', 'Next', '2.2']],
  'backlog-md': [
    ['g1', "Don't pay: twice (or/more)", 'TASK-2'], ['g1', 'no', 'TASK-3'], ['g1', 'Refuse', 'TASK-4', TEXTS], ['g1', 'Ask', 'TASK-5', ODD]
  ],
  'web/backlog': [['g1', 'Beside', 'TASK-1.2', { description: 'Why.' }]],
  'PLAN.md': [['g1', "It's #1, (two) & 3% → four", 'g1-3'], ['g2', 'Cy', 'T3']],
  'TODO.md': [['g1', 'Łódź', 'g1-3']],
  'docs/ROADMAP.md': [['g1', 'Später', 'g1-3'], ['g1', 'Łódź', 'g1-4']],
  'specs/003-lend': [['g1', 'Third', '3']]
}

const newTask = (id: string, title: string, more: readonly string[] = [], texts: readonly string[] = []): string => [
  '---', `id: ${id}`, `title: ${title}`, 'status: ○ To Do', 'assignee: []', 'created_date: NOW', 'labels: []', 'dependencies: []', ...more, '---', ...texts
].map((line) => `+${line}`).join('\n')

/** The lines that each file loses and gets by these. */
const WRITTEN: Record<string, string> = {
  '.kiro/specs/albums/tasks.md': '-  - [ ]* 1.1 Try\n-- [-] 2. Build\n+  - [x]* 1.1 Try\n+  - [ ] 1.2 日本語のタスク\n+- [x] 2. Build\n+  - [ ] 2.1 Ship',
  '.kiro/specs/flat/tasks.md': '+  - [ ] 2.1 Ship\n+  - [ ] 2.2 Sell',
  '.taskmaster/tasks/tasks.json': [
    '-  {"id": 1, "title": "Öne", "status": "done"},', '-  {"id": 2, "title": "Two", "status": "pending", "subtasks": [',
    '-    {"id": 1, "title": "Sub", "status": "pending"}',
    '+  {"id": 1, "title": "Öne", "status": "done", "subtasks": [{"id": 1, "title": "Sub", "description": "", "status": "pending", "dependencies": []}]},',
    '+  {"id": 2, "title": "Two", "status": "in-progress", "subtasks": [', '+    {"id": 1, "title": "Sub", "status": "done"},',
    '+    {"id": 2, "title": "Sub two", "description": "", "status": "pending", "dependencies": []}'
  ].join('\n'),
  'PLAN.md': '-1. [X] Host\n-2. [ ] Page\n+1. [ ] Host\n+2. [X] Page\n+3. [ ] It\'s #1, (two) & 3% → four\n-* [ ] T1 Ann\n+* [X] T1 Ann\n+* [ ] T3 Cy',
  'backlog/tasks/task-1 - Write it.md': '-status: "○ To Do"\n+status: "● Done"',
  'backlog/tasks/task-2 - Dont-pay-twice-or-more.md': newTask('TASK-2', '"Don\'t pay: twice (or/more)"'),
  'backlog/tasks/task-3 - no.md': newTask('TASK-3', '"no"'),
  'backlog/tasks/task-4 - Refuse.md': newTask('TASK-4', 'Refuse', [], [
    '', '## Description', '', '<!-- SECTION:DESCRIPTION:BEGIN -->', 'Refuse it.', '', '- or ask', '<!-- SECTION:DESCRIPTION:END -->', '',
    '## Acceptance Criteria', '<!-- AC:BEGIN -->', '- [ ] #1 It says why', '- [ ] #2 #2 stays', '<!-- AC:END -->'
  ]),
  'backlog/tasks/task-5 - Ask.md': newTask('TASK-5', 'Ask'),
  'openspec/changes/add-cache/tasks.md': '-- [ ] 1.2 Second\n+- [x] 1.2 Second\n+- [ ] 1.3 - [ ] Später: "ja" [x] `code`',
  'specs/001-pay/spec.md': '-- **FR-001**: It keeps cards [NEEDS CLARIFICATION: for how\n-  löng?]\n+- **FR-001**: It keeps cards [CLARIFIED: for how\n' +
    '+  löng? → Seven [7] years.]\n+   - **Answer:** Euro, only.',
  'specs/001-pay/tasks.md': '-- [X] T001 First\n-- [ ] T002 [P] Sécond\n+- [ ] T001 First\n+- [X] T002 [P] Sécond\n+- [ ] T004 Fünfth\n' +
    '-- [ ] T003 Third\n+- [ ] T003 Third\n+- [X] T005 Sixth\n+- [ ] T006 Seventh',
  'web/backlog/tasks/task-1.2 - Beside.md': newTask('TASK-1.2', 'Beside', ['parent_task_id: TASK-1'], ['', '## Description', '',
    '<!-- SECTION:DESCRIPTION:BEGIN -->', 'Why.', '<!-- SECTION:DESCRIPTION:END -->']).replace('○ ', '')
}

t.test('reports become a patch', async (t) => {
  const folder = t.testdir({ shop: FILES })
  const shop = join(folder, 'shop')
  const cli = commandLine(t, { data: join(folder, 'data'), env: { USER: 'ada' } })
  const { hello } = await cli.serve('serve --port 0 --json')
  const { endpoint } = JSON.parse(hello) as { endpoint: string }
  await cli.json(`import ${shop}`)
  await cli.json('users create --email ed@example.com --name ed')
  await cli.json('members add --user ed@example.com --workspace shop --role editor')
  const { key } = await cli.json<{ key: string }>('keys create --user ed@example.com --name builder --scope read_write')
  await cli.json('workspaces update shop --agents report')
  // By path, and the first of each format by its name.
  const ids = new Map<string, string>()
  for (const { format, path, exploration: { id } } of (await importedFrom(shop, { workspace: 'shop' })).all) {
    ids.set(path, id)
    if (!ids.has(format)) ids.set(format, id)
  }
  const call = toolsOf(endpoint, key)
  const use = (name: string, plan: string, args: Json = {}) => call(name, { exploration_id: ids.get(plan), ...args })
  const items = async (plan: string): Promise<Json[]> => (await use('get_planning_full', plan))['items']
  const report = async (plan: string, item: string, status: string): Promise<void> => {
    const { revision } = (await items(plan)).find(({ id }) => id === item)!
    t.match(await use('report_progress', plan, { item_id: item, status, evidence: [{ kind: 'commit', ref: '1' }], expected_revision: revision }), { written: true })
  }
  const say = async (plan: string, question: string, text: string) =>
    await cli.json(['questions', 'answer', question, '--exploration', ids.get(plan)!, '--user', 'ed@example.com', '--text', text])
  const undoAnswer = async (plan: string): Promise<void> => {
    const row = (await cli.json<Json[]>(`history --exploration ${ids.get(plan)}`)).find(({ target }) => target.kind === 'question')!
    await cli.json(`undo ${row['id']} --user ed@example.com`)
  }
  const PATCH = ['patch', '--workspace', 'shop', '--from', shop]
  const patch = async (...more: string[]) => await cli.run([...PATCH, ...more])
  const apply = (patch: Buffer | string) => execFileSync('git', ['apply', '-'], { cwd: shop, input: patch })
  const read = (path: string, encoding: BufferEncoding = 'utf8'): string => readFileSync(join(shop, path), encoding)
  /** Applies what is left. Returns the lines that each file loses and gets. */
  const applied = async (): Promise<Record<string, string>> => {
    const bytes = await cli.bytes(PATCH)
    apply(bytes)
    t.match(await cli.json(`import ${shop}`), { archived: 0 })
    t.same(await cli.json('proposals list --state open'), [])
    t.match(await patch(), { code: 0, out: '' }, 'nothing is left')
    return Object.fromEntries(bytes.toString().split(/^diff --git /m).slice(1).map((diff) => {
      const lines = diff.split('\n').filter((line) => /^[-+](?!-- |\+\+ )/.test(line)).map((line) => line.trimEnd())
      return [/^\+\+\+ b\/([^\t\n]+)/m.exec(diff)?.[1], lines.join('\n').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'NOW')]
    }))
  }

  t.match(await patch(), { code: 0, out: '', err: '' })

  await t.test('reports, tasks and answers, in each format and encoding', async (t) => {
    for (const [plan, item, status] of REPORTS) await report(plan, item, status)
    for (const [plan, tasks] of Object.entries(ADDED)) {
      const changes = tasks.map(([group, title, , texts]) => ({ kind: 'add_item', group_id: group, title, ...texts }))
      const { proposal_id: id } = await use('propose_change', plan, { changes, rationale: 'needed' })
      const accepted = await cli.json<Json>(`proposals accept ${id} --user ed@example.com`)
      t.same(accepted['changes'].map((change: Json) => change['item_id']), tasks.map(([, , id]) => id), plan)
    }
    await report('spec-kit', 'T005', 'done')
    await say('spec-kit', 'q2', 'Euro,\nonly.')
    await say('spec-kit', 'q1', 'Seven ] years.')
    t.match((await patch()).err, /specs\/001-pay, q1: it does not fit into the file/, 'it would be read otherwise')
    await undoAnswer('spec-kit')
    await say('spec-kit', 'q1', 'Seven [7] years.')
    const { question_id: asked } = await use('ask_question', 'task-master', { question: 'Who pays?' })
    await say('task-master', asked, 'They.')
    const { out, err } = await patch()
    t.match(out, /^new file mode 100644\n--- \/dev\/null\n\+\+\+ b\/backlog\/tasks\/task-2 - Dont-pay-twice-or-more\.md\t\n@@ -0,0 \+1,9 @@$/m)
    const stays = [
      'tasks.json#master, the answer to "Who pays?": no file has this question', 'backlog, TASK-5: description, acceptance',
      'specs/001-pay, T006: description, acceptance', 'specs/001-pay, T004: description', 'docs/ROADMAP.md, g1-4: it does not fit into the file',
      'specs/003-lend, 1: it does not fit into the file', 'specs/003-lend, 3: it does not fit into the file'
    ]
    for (const reason of stays) t.ok(err.includes(`${reason}\n`), `${reason} in ${err}`)
    t.notMatch(err, /TASK-[1-4]|T00[1-3]|q1/)
    const { patch: text, encoding, files } = await cli.json<Json>(PATCH)
    const changed = await applied()
    t.same(files.sort(), Object.keys(changed).sort())
    t.equal(encoding, 'base64', 'as not all is UTF-8')
    t.ok(Buffer.from(text, encoding).includes('+- [ ] T004 Fünfth'))
    for (const [path, lines] of Object.entries(WRITTEN)) t.equal(changed[path], lines, path)
    t.equal(read('TODO.md', 'utf16le'), '\uFEFF# Été\r\n\r\n- [x] Où\r\n- [ ] Déjà\r\n- [ ] Łódź\r\n')
    t.equal(read('docs/ROADMAP.md', 'latin1'), '# Été\n\n- [ ] Où\n- [x] Déjà\n- [ ] Später\n')
    t.equal(read('web/tasks/tasks.json'), webTasks('Sub', 'Next'))
    t.match(read('.kiro/specs/flat/tasks.md'), /and print it\n {2}- \[ \] 2\.1 Ship\n {2}- \[ \] 2\.2 Sell\n$/)
    t.match(read('.kiro/specs/albums/tasks.md'), /^- \[x\] 2\. Build\n {2}- \[ \] 2\.1 Ship\n$/m)
    t.equal(read('specs/003-lend/tasks.md'), HEADING, 'tasks that are headings stay as they are')
    t.match((await patch()).err, /^ {2}specs\/001-pay, T006: description, acceptance$/m, 'it is listed as long as it stays here')
  })

  await t.test('what is here stays as it was', async (t) => {
    for (const plan of ['spec-kit', 'backlog-md', 'web/backlog']) {
      const found = await items(plan)
      for (const [, title, id, texts = {}] of ADDED[plan]!) t.match(found.find((item) => item['id'] === id), { title, ...texts }, id)
    }
    t.match((await use('get_exploration', 'spec-kit'))['questions'], [
      { question: 'for how löng?', answer: 'Seven [7] years.', status: 'answered' },
      { question: 'Which currency? More about it.', answer: 'Euro,\nonly.' }, { answer: null }
    ])
  })

  await t.test('undone, the bytes are as before', async (t) => {
    const reported = [
      ['spec-kit', 'T003', 'done', 'todo'], ['PLAN.md', 'g3-1', 'done', 'in_progress'], ['backlog-md', 'TASK-3', 'done', 'todo']
    ] as const
    const paths = [...Object.keys(WRITTEN), 'specs/002-sell/spec.md']
    const before = paths.map((path) => read(path, 'latin1'))
    for (const [plan, item, status] of reported) await report(plan, item, status)
    await say('spec-kit', 'q3', 'Theirs.')
    await say('specs/002-sell', 'q1', 'Here [now].')
    t.match(await applied(), { 'backlog/tasks/task-3 - no.md': '-status: ○ To Do\n+status: ● Done', 'specs/001-pay/spec.md': '+   - **Answer:** Theirs.' })
    await undoAnswer('spec-kit')
    await say('spec-kit', 'q3', 'Ours.')
    t.same(await applied(), { 'specs/001-pay/spec.md': '-   - **Answer:** Theirs.\n+   - **Answer:** Ours.' })
    await undoAnswer('spec-kit')
    await undoAnswer('specs/002-sell')
    for (const [plan, item, , status] of reported) await report(plan, item, status)
    t.match(await applied(), {
      'specs/002-sell/spec.md': '-- **FR-001**: It sells [CLARIFIED: where? → Here [now]. ]\n+- **FR-001**: It sells [NEEDS CLARIFICATION: where? ]'
    })
    t.same(paths.map((path) => read(path, 'latin1')), before)
    t.match((await use('get_exploration', 'specs/002-sell'))['questions'], [{ answer: null, status: 'open' }])
  })

  await t.test('a file that has changed meanwhile', async (t) => {
    const file = join(shop, 'specs/001-pay/tasks.md')
    await report('spec-kit', 'T003', 'done')
    const later = readFileSync(file, 'utf8').replace('- [ ] T003', '- [ ] T009 Another\r\n- [ ] T003')
    writeFileSync(file, later)
    const { out } = await patch()
    t.match(out, /^ - \[ \] T009 Another\r\n-- \[ \] T003 Third\r\n\+- \[X\] T003 Third\r\n/m)
    t.match(await cli.json(`import ${shop}`), { imported: { kept: 1 } }, 'a file that says otherwise is proposed')
    t.match(await cli.json<Json[]>('proposals list'), [{ changes: [{ kind: 'edit_item', item_id: 'T003', status: 'todo' }] }])
    apply((await patch()).out)
    t.equal(readFileSync(file, 'utf8'), later.replace('- [ ] T003', '- [X] T003'))
    await cli.json(`import ${shop}`)
    t.match(await cli.json(`import ${shop}`), { written: 0 }, 'a second import writes nothing')
  })

  await t.test('another folder, another time', async (t) => {
    t.match(await cli.run(['patch', '--workspace', 'shop', '--from', folder]), { code: 1, err: /does not come from/ })
    await report('openspec', '2.1', 'done')
    t.match(await patch('--since', '1h'), { out: /\+- \[x\] 2\.1/ })
    t.match(await patch('--since', '2100-01-01'), { code: 0, out: '' })
  })
})
