// Where an item comes from and what has to be true when it is done, in every format with a place.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importedFrom } from './imported.js'
import { ONE_OF_EACH_FORMAT } from './one-of-each-format.js'

const TASKS_JSON = '{\n "a": {"tasks": [\n  {"id": 1,\n   "title": "status",\n   "status": "done",\n   "subtasks": [\n' +
  '    {"id": 1,\n     "status": "pending"}, 7,\n    {"id": 2,\n "title": "No status"}]}]}}\n'
const AC = '## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [x] #1 It is quick\n- [ ] #2 It is safe\n<!-- AC:END -->\n'

t.test('the line of an item holds its status', async (t) => {
  const root = t.testdir({
    ...ONE_OF_EACH_FORMAT[0]?.files as object,
    tasks: { 'tasks.json': TASKS_JSON },
    '.backlog': { tasks: { 'task-1 - One.md': `---\nid: task-1\ntitle: One\nstatus: Done\n---\n${AC}` } }
  })
  const { all } = await importedFrom(root)
  const items = all.flatMap(({ format, plan }) => (plan?.items ?? []).map((item) => ({ format, ...item })))
  t.strictSame(
    items.filter(({ source }) => source?.path === 'tasks/tasks.json').map(({ id, source }) => [id, source?.line]),
    [['1', 5], ['1.1', 8], ['1.2', 9]]
  )
  const holds: Record<string, RegExp> = {
    'spec-kit': /^- \[[ x]\] T/,
    openspec: /^- \[[ x]\] \d/,
    kiro: /^- \[[ x]\] \d/,
    'backlog-md': /^status: /,
    'agent-os': /^ *- \[[ x]\] \d/,
    bmad: /^- \[[ x]\]/,
    checklist: /^- \[[ x]\]/,
    'task-master': /"status"|"id": 2/
  }
  t.strictSame(new Set(items.map(({ format }) => format)), new Set(Object.keys(holds)))
  for (const { format, id, source } of items) {
    const line = readFileSync(join(root, source?.path ?? ''), 'utf8').split('\n')[(source?.line ?? 0) - 1] ?? ''
    t.match(line, holds[format], `${format} ${id}`)
  }
  t.strictSame(
    items.find(({ id }) => id === 'task-1')?.acceptance,
    [{ text: 'It is quick', met: true }, { text: 'It is safe', met: false }]
  )
  const exported = await importedFrom(t.testdir(ONE_OF_EACH_FORMAT[1]?.files) + '/linear.csv')
  t.equal(exported.all[0]?.plan?.items[0]?.source, undefined, 'a row of an export moves with each export')
})

t.test('criteria that a task names', async (t) => {
  const { all } = await importedFrom(t.testdir({
    specs: {
      '1-a': {
        'spec.md': '# A\n\n- **FR-001**: It MUST\n  work\n- **FR-002**: Other\n',
        'tasks.md': '- [x] T001 Do it (FR-001, FR-009)\n- [ ] T002 More\n'
      }
    },
    '.kiro': {
      specs: {
        b: {
          'requirements.md': '### Requirement 1: One\n\n#### Acceptance Criteria\n\n1. WHEN a THEN b\n2. WHEN c THEN d\n\n' +
            '### Requirement 2\n\n1. Two\n   1. Inner\n',
          'tasks.md': '- [ ] 1. Do\n  - Text\n  - _Requirements: 1.2, 2.1, 7.1_\n- [ ] 2. No\n'
        }
      }
    }
  }))
  const criteria = all.flatMap(({ plan }) => (plan?.items ?? []).map(({ id, acceptance }) => [id, acceptance]))
  t.strictSame(Object.fromEntries(criteria), {
    T001: [{ text: '**FR-001**: It MUST work', met: false }],
    T002: undefined,
    1: [{ text: 'WHEN c THEN d', met: false }, { text: 'Two', met: false }],
    2: undefined
  })
})
