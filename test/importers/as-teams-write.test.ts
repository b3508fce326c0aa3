// What teams write differently than the templates of their tool: titles, criteria, dependencies, placeholders.
import t from 'tap'
import { imported, planOf, questionsOf } from './imported.js'

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
  const rfc = (text: string) => ({ rfcs: { '0007-card-readers.md': text } })
  const named = (name: string) => rfc(`- Feature Name: ${name}\n- Start Date: 2026-02-03\n\n# Summary\n\nShort.\n`)
  const proposal = () => ({ 'proposal.md': '## Why\n\nText\n' })
  const epic = (id: string) => JSON.stringify({ id, title: 'Polish', issue_type: 'epic', status: 'open' })
  const titles: Array<[string, Parameters<typeof imported>[1], ...titles: string[]]> = [
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
    ['nothing as a title', specKit({ 'spec.md': '# Feature Specification: TBD\n' }), 'pay by card'],
    ...['N/A', 'TBD', '-', '(fill me in with a unique ident, `my_awesome_feature`)', 'None', '…']
      .map((name): [string, ReturnType<typeof rfc>, string] => [name, named(name), 'card readers']),
    ['a number before it', rfc('## RFC 7: Read cards\n\n## Summary\n'), 'Read cards'],
    ['two of one title in folders of one name', {
      openspec: { changes: { 'pay-by-card': proposal(), archive: { '2026-01-02-pay-by-card': proposal() } } }
    }, 'pay-by-card', '2026-01-02-pay-by-card'],
    ['two epics of beads', { '.beads': { 'issues.jsonl': `${epic('a-b1')}\n${epic('a-b2')}\n` } }, 'Polish (a-b1)', 'Polish (a-b2)']
  ]
  for (const [name, files, ...expected] of titles) {
    t.strictSame((await imported(t, files)).all.map(({ exploration }) => exploration.title), expected, name)
  }
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

const CRITERIA = '**Acceptance Criteria:**\n\n- [ ] It pays\n- [x] It prints\n\n'
const HEADINGS = '# Tasks\n\n## Task 1: Read ✅ COMPLETED\n\n**Acceptance Criteria:**\n- [x] It reads\n\n' +
  '## Task 2: Write\n\n**Acceptance Criteria:**\n- [ ] It writes\n\n**Dependencies:** Task 1\n\n## Order\n\n- Task 1: first\n- Task 2: last\n'
const READ_AND_WRITE = ['1 done Tasks: Read [x] It reads', '2 todo Tasks: Write ← 1 [ ] It writes']
const BACKLOG = (id: number, status: string) => `---\nid: task-${id}\ntitle: Task ${id}\nstatus: ${status}\n---\n`

/** What is imported, its plan, and what its descriptions or the notes say. */
const PLANS: Array<[name: string, Parameters<typeof imported>[1], string[], RegExp?]> = [
  ['no phases', specKit({ 'tasks.md': '- [ ] T001 No phases\n- [x] T002 At all\n' }), ['T001 todo Tasks: No phases', 'T002 done Tasks: At all']],
  ['no boxes', specKit({ 'tasks.md': '# Tasks\n\n### T001: First\n\nSome text.\n\n### T002: Second\n\nDepends on: T001\n' }), [
    'T001 todo Tasks: First', 'T002 todo Tasks: Second ← T001'
  ]],
  ['requirements that a task names', specKit({
    'spec.md': '# A\n\n- **FR-001**: It MUST\n  work\n- **FR-002**: Other\n', 'tasks.md': '- [x] T001 Do it (FR-001, FR-009)\n- [ ] T002 More\n'
  }), ['T001 done Tasks: Do it (FR-001, FR-009) [ ] **FR-001**: It MUST work', 'T002 todo Tasks: More']],
  ['criteria that a task of Kiro names', kiro({
    'requirements.md': '### Requirement 1: One\n\n#### Acceptance Criteria\n\n1. WHEN a THEN b\n2. WHEN c THEN d\n\n### Requirement 2\n\n1. Two\n   1. Inner\n',
    'tasks.md': '- [ ] 1. Do\n  - Text\n  - _Requirements: 1.2, 2.1, 7.1_\n- [ ] 2. No\n'
  }), ['1 todo 1. Do: Do [ ] WHEN c THEN d [ ] Two', '2 todo 2. No: No']],
  ['words of a legend in other headings', kiro({
    'tasks.md': '# Fix the format\n\n## Task status overview\n\n### Export format\n\n- [ ] 1. Read\n- [ ] 2. Write\n'
  }), ['1 todo 1. Read: Read', '2 todo 2. Write: Write']],
  ['a legend', specKit({
    'tasks.md': '# Validation of cards\n\n## Output format\n\n- [ ] Read\n- [ ] Write\n\n## Legend\n\n- [ ] open\n- [x] done\n'
  }), ['g1-1 todo Output format: Read', 'g1-2 todo Output format: Write']],
  ['criteria below a bold line, of tasks that are headings', specKit({
    'tasks.md': `# Tasks\n\n## Phase 1: One\n\n### T001: Read\n\n${CRITERIA}### T002 [P] Write ✅\n\n${CRITERIA}### T003: Test\n\n- [x] All\n`
  }), [
    'T001 todo Phase 1: One: Read [ ] It pays [x] It prints', 'T002 done Phase 1: One: [P] Write [ ] It pays [x] It prints', 'T003 done Phase 1: One: Test'
  ], /It pays/],
  ['criteria below a bold line, of a part', specKit({ 'tasks.md': `# Tasks\n\n## One\n\n- [ ] Read\n- [x] Write\n\n${CRITERIA}## Two\n\n- [ ] Test\n` }), [
    'g1-1 todo One: Read', 'g1-2 done One: Write [ ] It pays [x] It prints', 'g2-1 todo Two: Test'
  ], /tasks\.md:10: 2 checkboxes are no tasks but steps or criteria/],
  ['headings of Kiro', kiro({ 'tasks.md': HEADINGS }), READ_AND_WRITE],
  ['headings of OpenSpec', change({ 'proposal.md': '# Pay\n', 'tasks.md': HEADINGS }), READ_AND_WRITE],
  ['headings of spec-kit', specKit({ 'tasks.md': HEADINGS }), READ_AND_WRITE],
  ['headings in another language', change({
    'tasks.md': '# 任务\n\n## 3. 接口\n\n### 任务 1：读取\n\n状态：已完成（可用）\n\n### 任务 2：写入\n\n## 5. 验收标准\n\n- [x] 可读\n'
  }), ['1 done 3. 接口: 读取', '2 todo 3. 接口: 写入']],
  ['ids with a suffix', specKit({
    'tasks.md': '# Tasks\n\n- [x] T037 Read\n- [ ] T038-MIN Write (depends on T037)\n- [ ] **T071-A** Test (depends on T038-MIN)\n'
  }), [
    'T037 done Tasks: Read', 'T038-MIN todo Tasks: Write (depends on T037) ← T037', 'T071-A todo Tasks: Test (depends on T038-MIN) ← T038-MIN'
  ]],
  ['tasks of Backlog.md without front matter', {
    backlog: {
      tasks: {
        epics: {
          'task-epic-11.2-Read-cards.md': '# Task: Read the cards\n\n**Status**: ✅ Completed (2026-01-02)\n',
          'task-epic-11.10-Write.md': '# Task 11.10: Write\n\n**Status:** Not Started\n'
        },
        'task-3 - Print.md': '---\nid: task-3\ntitle: Print\nstatus: Done\n---\n',
        'README.md': '# How we work\n'
      }
    }
  }, ['task-3 done Tasks: Print', 'task-epic-11.2 done Tasks: Read the cards', 'task-epic-11.10 todo Tasks: Write'], /tasks\/README\.md: left out/],
  ['a status of Backlog.md that ends a board and is not done', {
    backlog: {
      'config.yml': 'statuses: ["To Do", "In Progress", "Done", "Wontfix"]\n',
      tasks: { 'task-1 - a.md': BACKLOG(1, 'Done'), 'task-2 - b.md': BACKLOG(2, 'Wontfix'), 'task-3 - c.md': BACKLOG(3, 'In Progress') }
    }
  }, ['task-1 done Tasks: Task 1', 'task-2 todo Tasks: Task 2', 'task-3 in_progress Tasks: Task 3'], /Wontfix.*not to be done/]
]

t.test('plans', async (t) => {
  for (const [name, files, lines, said = /(?:)/] of PLANS) {
    const { all, problems, notes } = await imported(t, files)
    t.strictSame(all.map(planOf), [lines], name)
    t.strictSame(problems, [], name)
    t.match([...all.flatMap(({ plan }) => plan?.items.map(({ description }) => description)), ...notes].join(), said, name)
  }
})

t.test('dependencies with a remark or a link at each', async (t) => {
  const tasks = [1, 2, 3, 4].map((number) => `- [ ] T00${number} Task\n`).join('')
  const lists: Array<[text: string, waits: string]> = [
    ...[
      'T001 (B-31), T002 (B-32) and T003', 'T001 [done], T002 [P]; T003', '[T001](#t001), [T002](#t002), T003 (for [API](x))',
      '`T001` (the schema, which is large), `T002`, **T003**'
    ].map((list): [string, string] => [`Task\n  - **Depends on**: ${list}`, 'T001, T002, T003']),
    ['Task (depends on T001), T002 comes later (T003)', 'T001']
  ]
  for (const [text, waits] of lists) {
    const { all } = await imported(t, specKit({ 'tasks.md': `${tasks}- [ ] T005 ${text}\n` }))
    t.equal(all.flatMap(planOf)[4]?.split(' ← ')[1], waits, text)
  }
})

t.test('questions', async (t) => {
  const rfc = (text: string) => ({ rfcs: { '0007-a.md': `# A\n\n## Unresolved questions\n${text}` } })
  const rows: Array<[name: string, Parameters<typeof imported>[1], Array<[string, string | null]>]> = [
    ['definitions of links are none', rfc('\n- How fast?\n\n[unresolved]: #unresolved-questions\n[x]: https://example.com "X"\n'), [['How fast?', null]]],
    ['a definition alone', rfc('[unresolved]: #unresolved-questions\n'), []],
    ['below headings that sort them', change({
      'design.md': '# Pay\n\n## Open Questions\n\n### Resolved\n\n1. ~~Which colour?~~ → Red\n2. Which size?\n\n### Remaining\n\n' +
        '- How fast?\n- Does it print? (for receipts) → Not yet\n- Is it loud? → Recommend: no\n\n### Q1: Should it print?\n\n- **Current Decision**: No\n- **Revisit When**: later\n'
    }), [
      ['Which colour?', 'Red'], ['Which size?', 'Marked as resolved; the source gives no answer.'], ['How fast?', null],
      ['Does it print? (for receipts)', 'Not yet'], ['Is it loud? → Recommend: no', null], ['Should it print?', 'No']
    ]]
  ]
  for (const [name, files, questions] of rows) t.strictSame((await imported(t, files)).all.map(questionsOf), [questions], name)
})

t.test('OpenSpec without specifications', async (t) => {
  for (const name of ['config.yaml', 'project.md']) {
    const { all, notes } = await imported(t, { openspec: { [name]: 'schema: spec-driven\n' } })
    t.strictSame(all, [], name)
    t.match(notes, [`openspec/${name}: left out`])
  }
})

t.test('folders of proposals by state', async (t) => {
  const { all } = await imported(t, { 'active-rfcs': { '0001-slots.md': '# Summary\n' }, docs: { 'rfc-drafts': { 'a.md': '# A\n' } } })
  t.strictSame(all.map(({ path }) => path), ['active-rfcs/0001-slots.md'])
  const beside = await imported(t, {
    '0000-template.md': '# Summary\n', 'README.md': 'x', active: { '0051-packaging.md': '# Summary\n' }, notes: { 'a.md': 'x' }
  })
  t.strictSame(beside.all.map(({ path }) => path), ['active/0051-packaging.md'], 'beside the template')
})
