// What teams write differently than the templates of their tool: titles, criteria, dependencies, placeholders.
import t from 'tap'
import { dependenciesOf, imported, itemsOf, questionsOf } from './imported.js'

const specKit = (files: Record<string, string>) => ({ specs: { '001-pay-by-card': files } })
const kiro = (files: Record<string, string>) => ({ '.kiro': { specs: { 'pay-by-card': files } } })
const change = (files: Record<string, string>) => ({ openspec: { changes: { 'pay-by-card': files } } })

t.test('a sentence of the template is told from a team\'s own by all its words', async (t) => {
  const { of, problems } = await imported(t, specKit({
    'spec.md': '# Feature Specification: Pay\n\n## Requirements\n\n' +
      '- **FR-001**: Logs are kept for [NEEDS CLARIFICATION: retention period not specified]\n' +
      '- **FR-002**: Cashiers sign in via [NEEDS CLARIFICATION: auth method not specified - email/password, SSO, OAuth?]\n' +
      '- **FR-007**: System MUST retain user data for [NEEDS CLARIFICATION: retention period not specified]\n'
  }))
  t.strictSame(questionsOf(of('specs/001-pay-by-card')), [
    ['retention period not specified', null],
    ['auth method not specified - email/password, SSO, OAuth?', null]
  ])
  t.match(problems, [/spec\.md:7: \[NEEDS CLARIFICATION: retention period not specified\] was left out/])
})

t.test('titles', async (t) => {
  const titles: Array<[string, Parameters<typeof imported>[1], string]> = [
    ['the kind at the end', kiro({ 'design.md': '# Lockbox Design Document\n' }), 'Lockbox'],
    ['the kind of the file at the end', kiro({ 'requirements.md': '# Card Terminal Requirements\n' }), 'Card Terminal'],
    ['no kind of this file at the end', change({ 'proposal.md': '# Clarify Age Requirements\n' }), 'Clarify Age Requirements'],
    ['only the kind', kiro({ 'requirements.md': '# Spec Requirements Document\n', 'design.md': '# Card Design\n' }), 'Card'],
    ['the name in a quote below', kiro({ 'requirements.md': '# Spec Requirements Document\n\n> Spec: Card readers\n> Created: 2026-01-02\n' }), 'Card readers'],
    ['the name in a field below', kiro({ 'requirements.md': '# Requirements\n\n**Spec**: Card readers\n' }), 'Card readers'],
    ['a field with a file', kiro({ 'tasks.md': '# Tasks\n\n**Spec**: [spec.md](spec.md)\n\n- [ ] 1. One\n' }), 'pay by card'],
    ['the kind in another language', specKit({ 'spec.md': '# 功能規格書：播放清單\n' }), '播放清單'],
    ['a change in another language', change({ 'proposal.md': '# 变更：统一构建\n' }), '统一构建'],
    ['and in one more', specKit({ 'spec.md': '# Especificación de Funcionalidad: Pagos\n' }), 'Pagos'],
    ['a title of level 2', kiro({ 'requirements.md': '## Card readers\n\n### Requirement 1\n\nText\n\n### Requirement 2\n' }), 'Card readers'],
    ['beside its sections', specKit({ 'spec.md': '## Card readers\n\n## Requirements\n\nText\n' }), 'Card readers'],
    ['sections without a title', change({ 'proposal.md': '## Why\n\nIt is slow.\n\n## What Changes\n\n- Much\n' }), 'pay by card'],
    ['sections in another language', kiro({ 'design.md': '## 概要\n\nText\n\n## 背景\n' }), 'pay by card'],
    ['a heading that is a field', change({ 'proposal.md': '## Change ID\npay-by-card\n\n## Why\n\nText\n' }), 'pay by card'],
    ['a kind with a word before it', specKit({ 'spec.md': '# Card readers - Detailed Specification\n' }), 'Card readers'],
    ['only a list of tasks', { '.agent-os': { specs: { '2026-01-02-pay': { 'tasks.md': '# Card readers\n\n- [ ] 1. One\n' } } } }, 'Card readers'],
    ['nothing as a title', specKit({ 'spec.md': '# Feature Specification: TBD\n' }), 'pay by card']
  ]
  for (const [name, files, title] of titles) t.equal((await imported(t, files)).all[0]?.exploration.title, title, name)
  const rfc = (text: string) => ({ rfcs: { '0007-card-readers.md': text } })
  for (const name of ['N/A', 'TBD', '-', '(fill me in with a unique ident, `my_awesome_feature`)', 'None', '…']) {
    const { all } = await imported(t, rfc(`- Feature Name: ${name}\n- Start Date: 2026-02-03\n\n# Summary\n\nShort.\n`))
    t.equal(all[0]?.exploration.title, 'card readers', name)
  }
  t.equal((await imported(t, rfc('## RFC 7: Read cards\n\n## Summary\n'))).all[0]?.exploration.title, 'Read cards')
  const adr = await imported(t, { adr: { '0001-x.md': '## 1. Use cards\n\n### Status\n\nAccepted\n', '0002-y.md': '## Context\n\n## Decision\n' } })
  t.strictSame(adr.all[0]?.decisions.map(({ record }) => record.title), ['Use cards', 'y'])
})

t.test('two of one title take the names of their folders', async (t) => {
  const spec = (title: string) => ({ 'spec.md': `# Feature Specification: ${title}\n` })
  const { all, notes, report } = await imported(t, {
    specs: { '001-cards': spec('Pay'), '002-cash': spec('pay'), '003-later': spec('Later') },
    app: { '.kiro': { steering: { 'a.md': 'x' } } },
    site: { '.kiro': { steering: { 'a.md': 'x' } } }
  })
  const titles = ['app/.kiro/steering', 'site/.kiro/steering', 'cards', 'cash', 'Later']
  t.strictSame(all.map(({ exploration }) => exploration.title), titles)
  t.strictSame(report.outcomes.map(({ title }) => title), titles)
  t.match(notes, [
    /^app\/\.kiro\/steering: another has the title "Steering" too/, /^site/, /^specs\/001-cards: .*"Pay".*cards/, /^specs\/002-cash/
  ])
})

t.test('two of one title in folders of one name', async (t) => {
  const proposal = () => ({ 'proposal.md': '## Why\n\nText\n' })
  const { all } = await imported(t, { openspec: { changes: { 'pay-by-card': proposal(), archive: { '2026-01-02-pay-by-card': proposal() } } } })
  t.strictSame(all.map(({ exploration }) => exploration.title), ['pay-by-card', '2026-01-02-pay-by-card'])
})

t.test('words of a legend in other headings', async (t) => {
  const boxes = '- [ ] 1. Read\n- [ ] 2. Write\n'
  for (const [path, files] of [
    ['.kiro/specs/pay-by-card', kiro({ 'tasks.md': `# Fix the format\n\n## Task status overview\n\n### Export format\n\n${boxes}` })],
    ['specs/001-pay-by-card', specKit({ 'tasks.md': `# Validation of cards\n\n## Output format\n\n${boxes}\n## Legend\n\n- [ ] open\n- [x] done\n` })]
  ] as const) {
    const { of } = await imported(t, files)
    t.strictSame(of(path).plan?.items.map(({ title }) => title.replace(/^\d\. /, '')), ['Read', 'Write'], path)
  }
})

t.test('criteria below a bold line are no tasks', async (t) => {
  const criteria = '**Acceptance Criteria:**\n\n- [ ] It pays\n- [x] It prints\n\n'
  const headings = await imported(t, specKit({
    'tasks.md': `# Tasks\n\n## Phase 1: One\n\n### T001: Read\n\n${criteria}### T002 [P] Write ✅\n\n${criteria}### T003: Test\n\n- [x] All\n`
  }))
  const plan = headings.of('specs/001-pay-by-card')
  t.strictSame(itemsOf(plan), ['T001 todo Phase 1: One: Read', 'T002 done Phase 1: One: [P] Write', 'T003 done Phase 1: One: Test'])
  t.match(plan.plan?.items[0]?.description, /It pays/)
  t.strictSame(plan.plan?.items[0]?.acceptance?.map(({ text, met }) => [text, met]), [['It pays', false], ['It prints', true]])
  t.strictSame(headings.problems, [])
  const boxes = await imported(t, specKit({ 'tasks.md': `# Tasks\n\n## One\n\n- [ ] Read\n- [x] Write\n\n${criteria}## Two\n\n- [ ] Test\n` }))
  t.strictSame(itemsOf(boxes.of('specs/001-pay-by-card')).map((item) => item.split(': ')[1]), ['Read', 'Write', 'Test'])
  t.match(boxes.notes, [/tasks\.md:10: 2 checkboxes are no tasks but steps or criteria/])
})

t.test('tasks that are headings, in each format', async (t) => {
  const tasks = '# Tasks\n\n## Task 1: Read ✅ COMPLETED\n\n**Acceptance Criteria:**\n- [x] It reads\n\n' +
    '## Task 2: Write\n\n**Acceptance Criteria:**\n- [ ] It writes\n\n**Dependencies:** Task 1\n\n## Order\n\n- Task 1: first\n- Task 2: last\n'
  for (const [path, files] of [
    ['.kiro/specs/pay-by-card', kiro({ 'tasks.md': tasks })],
    ['openspec/changes/pay-by-card', change({ 'proposal.md': '# Pay\n', 'tasks.md': tasks })],
    ['specs/001-pay-by-card', specKit({ 'tasks.md': tasks })]
  ] as const) {
    const { of, problems } = await imported(t, files)
    t.strictSame(itemsOf(of(path)), ['1 done Tasks: Read', '2 todo Tasks: Write'], path)
    t.strictSame(dependenciesOf(of(path)), ['2 ← 1'], path)
    t.match(of(path).plan?.items[1]?.acceptance, [{ text: 'It writes', met: false }])
    t.strictSame(problems, [], path)
  }
  const { of } = await imported(t, change({
    'tasks.md': '# 任务\n\n## 3. 接口\n\n### 任务 1：读取\n\n状态：已完成（可用）\n\n### 任务 2：写入\n\n## 5. 验收标准\n\n- [x] 可读\n'
  }))
  t.strictSame(itemsOf(of('openspec/changes/pay-by-card')), ['1 done 3. 接口: 读取', '2 todo 3. 接口: 写入'])
})

t.test('ids with a suffix', async (t) => {
  const { of, problems } = await imported(t, specKit({
    'tasks.md': '# Tasks\n\n- [x] T037 Read\n- [ ] T038-MIN Write (depends on T037)\n- [ ] **T071-A** Test (depends on T038-MIN)\n'
  }))
  const plan = of('specs/001-pay-by-card')
  t.strictSame(plan.plan?.items.map(({ id, title }) => [id, title]), [
    ['T037', 'Read'], ['T038-MIN', 'Write (depends on T037)'], ['T071-A', 'Test (depends on T038-MIN)']
  ])
  t.strictSame(dependenciesOf(plan), ['T038-MIN ← T037', 'T071-A ← T038-MIN'])
  t.strictSame(problems, [])
})

t.test('dependencies with a remark or a link at each', async (t) => {
  const tasks = [1, 2, 3, 4].map((number) => `- [ ] T00${number} Task\n`).join('')
  for (const list of [
    'T001 (B-31), T002 (B-32) and T003', 'T001 [done], T002 [P]; T003', '[T001](#t001), [T002](#t002), T003 (for [API](x))',
    '`T001` (the schema, which is large), `T002`, **T003**'
  ]) {
    const { of } = await imported(t, specKit({ 'tasks.md': `${tasks}- [ ] T005 Task\n  - **Depends on**: ${list}\n` }))
    t.strictSame(dependenciesOf(of('specs/001-pay-by-card')), ['T005 ← T001', 'T005 ← T002', 'T005 ← T003'], list)
  }
  const { of } = await imported(t, specKit({ 'tasks.md': `${tasks}- [ ] T005 Task (depends on T001), T002 comes later (T003)\n` }))
  t.strictSame(dependenciesOf(of('specs/001-pay-by-card')), ['T005 ← T001'])
})

t.test('definitions of links are no questions', async (t) => {
  const { all } = await imported(t, {
    rfcs: { '0007-a.md': '# A\n\n## Unresolved questions\n\n- How fast?\n\n[unresolved]: #unresolved-questions\n[x]: https://example.com "X"\n' }
  })
  t.strictSame(all[0] && questionsOf(all[0]), [['How fast?', null]])
  const alone = await imported(t, { rfcs: { '0007-a.md': '# A\n\n## Unresolved questions\n[unresolved]: #unresolved-questions\n' } })
  t.strictSame(alone.all[0] && questionsOf(alone.all[0]), [])
})

t.test('questions below headings that sort them', async (t) => {
  const { of } = await imported(t, change({
    'design.md': '# Pay\n\n## Open Questions\n\n### Resolved\n\n1. ~~Which colour?~~ → Red\n2. Which size?\n\n### Remaining\n\n' +
      '- How fast?\n- Does it print? (for receipts) → Not yet\n- Is it loud? → Recommend: no\n\n### Q1: Should it print?\n\n- **Current Decision**: No\n- **Revisit When**: later\n'
  }))
  t.strictSame(questionsOf(of('openspec/changes/pay-by-card')), [
    ['Which colour?', 'Red'],
    ['Which size?', 'Marked as resolved; the source gives no answer.'],
    ['How fast?', null],
    ['Does it print? (for receipts)', 'Not yet'],
    ['Is it loud? → Recommend: no', null],
    ['Should it print?', 'No']
  ])
})

t.test('OpenSpec without specifications', async (t) => {
  for (const name of ['config.yaml', 'project.md']) {
    const { all, notes } = await imported(t, { openspec: { [name]: 'schema: spec-driven\n' } })
    t.strictSame(all, [], name)
    t.match(notes, [`openspec/${name}: left out`])
  }
})

t.test('tasks of Backlog.md without front matter', async (t) => {
  const task = (id: string, text: string) => ({ [`${id}.md`]: text })
  const { of, notes } = await imported(t, {
    backlog: {
      tasks: {
        epics: {
          ...task('task-epic-11.2-Read-cards', '# Task: Read the cards\n\n**Status**: ✅ Completed (2026-01-02)\n'),
          ...task('task-epic-11.10-Write', '# Task 11.10: Write\n\n**Status:** Not Started\n')
        },
        ...task('task-3 - Print', '---\nid: task-3\ntitle: Print\nstatus: Done\n---\n'),
        'README.md': '# How we work\n'
      }
    }
  })
  t.strictSame(itemsOf(of('backlog')), [
    'task-3 done Tasks: Print', 'task-epic-11.2 done Tasks: Read the cards', 'task-epic-11.10 todo Tasks: Write'
  ])
  t.match(notes, [/tasks\/README\.md: left out/])
})

t.test('a status of Backlog.md that ends a board and is not done', async (t) => {
  const task = (id: number, status: string) => `---\nid: task-${id}\ntitle: Task ${id}\nstatus: ${status}\n---\n`
  const { of } = await imported(t, {
    backlog: {
      'config.yml': 'statuses: ["To Do", "In Progress", "Done", "Wontfix"]\n',
      tasks: { 'task-1 - a.md': task(1, 'Done'), 'task-2 - b.md': task(2, 'Wontfix'), 'task-3 - c.md': task(3, 'In Progress') }
    }
  })
  t.strictSame(of('backlog').plan?.items.map(({ status }) => status), ['done', 'todo', 'in_progress'])
  t.match(of('backlog').plan?.items[1]?.description, /Wontfix[^]*not to be done/)
})

t.test('folders of proposals by state', async (t) => {
  const { all } = await imported(t, { 'active-rfcs': { '0001-slots.md': '# Summary\n' }, docs: { 'rfc-drafts': { 'a.md': '# A\n' } } })
  t.strictSame(all.map(({ path }) => path), ['active-rfcs/0001-slots.md'])
  const beside = await imported(t, {
    '0000-template.md': '# Summary\n', 'README.md': 'x', active: { '0051-packaging.md': '# Summary\n' }, notes: { 'a.md': 'x' }
  })
  t.strictSame(beside.all.map(({ path }) => path), ['active/0051-packaging.md'], 'beside the template')
})
