// Lists of boxes in markdown: which files are plans, and what becomes of their headings and boxes.
import { basename } from 'node:path'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'
import { imported, planOf, questionsOf } from './imported.js'

const BOXES = '## A\n\n- [x] One\n- [ ] Two\n'

t.test('which files are plans', async (t) => {
  const { all, notes } = await imported(t, {
    'README.md': BOXES,
    'readme.de.md': BOXES,
    'CHANGELOG.md': BOXES,
    'CONTRIBUTING.md': BOXES,
    '.github': { 'PULL_REQUEST_TEMPLATE.md': BOXES, 'TODO.md': BOXES },
    '.claude': { 'PLAN.md': BOXES },
    elsewhere: { 'tasks.md': BOXES },
    docs: { 'guide.md': BOXES, 'roadmap.md': BOXES },
    test: { fixtures: { 'TODO.md': BOXES } },
    'PLAN.md': BOXES,
    'IMPLEMENTATION_PLAN.md': BOXES,
    'MIGRATION_PLAN.md': BOXES,
    tasks: { 'todo.md': BOXES },
    app: { 'TODO.md': 'Nothing yet.\n' },
    '_bmad-output': { 'implementation-artifacts': { 'spec-receipt.md': '---\ntitle: Print receipts\nstatus: done\n---\n\n## Tasks & Acceptance\n\n**Execution:**\n- [x] Print\n\n**Acceptance Criteria:**\n- It prints\n' } },
    conductor: { tracks: { pay_20260102: { 'plan.md': '# Track: Pay\n\n## Phase 1\n- [~] One\n', 'spec.md': '# Spec\n' } } },
    '.planning': { 'ROADMAP.md': BOXES, phases: { '01-a': { '01-01-PLAN.md': BOXES, '01-RESEARCH.md': BOXES } } },
    specs: { '001-a': { 'plan.md': BOXES, 'tasks.md': '- [ ] T001 A\n' } }
  })
  t.strictSame(
    all.filter(({ format }) => format === 'checklist').map(({ path, exploration }) => `${path}: ${exploration.title}`).sort(),
    [
      '.planning/ROADMAP.md: .planning: ROADMAP',
      '_bmad-output/implementation-artifacts/spec-receipt.md: Print receipts',
      'IMPLEMENTATION_PLAN.md: root: IMPLEMENTATION PLAN',
      'MIGRATION_PLAN.md: MIGRATION PLAN',
      'PLAN.md: root: PLAN',
      'conductor/tracks/pay_20260102/plan.md: Pay',
      'docs/roadmap.md: docs: roadmap',
      'tasks/todo.md: tasks: todo'
    ].map((line) => line.replace('root', basename(t.testdirName))).sort()
  )
  t.match(all.find(({ path }) => path.startsWith('conductor/')), {
    plan: { items: [{ title: 'One', status: 'in_progress' }] },
    packages: [{ artifact_type: 'spec' }, { artifact_type: 'tasks' }]
  })
  t.match(notes.join('\n'), /app\/TODO\.md: left out: it has no task/)
})

t.test('headings are groups, all boxes are items', async (t) => {
  const { of } = await imported(t, {
    'PLAN.md': '# Implementation Plan: Pay\n\n- [ ] Loose\n\n## Phase 1: Set up\n\n### Tasks\n\n1. [x] T1 Repository\n2. [ ] Build (depends on T1)\n   it in parts\n' +
      '   - [/] with a cache\n\n```\n- [ ] no task\n```\n\n### Exit criteria\n\n- [x] It builds\n- [ ] It is quick\n\n## Phase 2: Ship\n\n' +
      '### Backend\n- [ ] 1. Endpoint\n\n### Frontend\n- [-] 1. Page\n\n## Open questions\n\n- Who pays?\n\n## Legend\n\n- [x] done\n'
  })
  const plan = of('PLAN.md')
  t.match(plan.exploration, { title: 'Pay', status: 'ready' })
  t.strictSame(planOf(plan), [
    'g1-1 todo Tasks: Loose',
    'T1 done Phase 1: Set up: Repository',
    'g2-2 todo Phase 1: Set up: Build (depends on T1) it in parts ← T1',
    'g2-3 in_progress Phase 1: Set up: with a cache [x] It builds [ ] It is quick',
    'g3-1 todo Backend: 1. Endpoint',
    'g4-1 in_progress Frontend: 1. Page'
  ])
  t.strictSame(questionsOf(plan), [['Who pays?', null]])
  t.match(plan.plan?.items[3], { description: /^Part of: Build/, source: { path: 'PLAN.md', line: 12 } })
})

t.test('a file that is named', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({ notes: { 'x.md': `# Notes\n\n${BOXES}` }, 'README.md': BOXES, 'plain.md': '# Text\n' })
  t.match(await cli.run(['import', `${folder}/notes/x.md`, '--dry-run']), { code: 0, out: /1 checklist/ })
  t.match(await cli.run(['import', `${folder}/README.md`, '--dry-run']), { code: 1, err: /is of no format that is read/ })
  t.match(await cli.run(['import', `${folder}/plain.md`, '--dry-run']), { code: 1, err: /is of no format that is read/ })
  t.match(await cli.run(['import', folder, '--dry-run']), { code: 1, err: /No plans were found here/ })
})
