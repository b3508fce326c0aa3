// What an import cannot read as a plan is a problem of its report, with file and line.
import t from 'tap'
import { imported } from './imported.js'

const spec = '# Feature Specification: Pay\n'
const specKit = (files: Record<string, string>) => ({ specs: { '001-pay': { 'spec.md': spec, ...files } } })

t.test('tasks that no importer reads', async (t) => {
  const table = '# Tasks\n\n| Task | What |\n|---|---|\n| **T001** [P] | First |\n| **T002** | Second |\n'
  const cases: Array<[string, Parameters<typeof imported>[1], RegExp[]]> = [
    ['rows of a table', specKit({ 'tasks.md': table }), [/^specs\/001-pay\/tasks\.md:5: 2 tasks not read \(T001, T002\)/]],
    ['rows beside boxes', specKit({ 'tasks.md': `${table}\n- [ ] T002 Second\n` }), [/tasks\.md:5: 1 task not read \(T001\)/]],
    ['headings beside boxes', specKit({ 'tasks.md': '# Tasks\n\n- [ ] T001 First\n\n### T002 Second\n' }), [/tasks\.md:5: 1 task not read \(T002\)/]],
    ['headings only', specKit({ 'tasks.md': '# Tasks\n\n## Make it\n' }), [/tasks\.md:1: no task was read/]],
    ['an empty file', specKit({ 'tasks.md': '' }), [/tasks\.md:1: no task was read/]],
    ['Kiro', { '.kiro': { specs: { pay: { 'tasks.md': '\n# Tasks\n\nMake it.\n' } } } }, [/^\.kiro\/specs\/pay\/tasks\.md:2: no task was read/]],
    ['OpenSpec', { openspec: { changes: { pay: { 'proposal.md': '# Pay\n', 'tasks.md': '1. Make it\n' } } } }, [/^openspec\/changes\/pay\/tasks\.md:1: no task/]]
  ]
  for (const [name, files, problems] of cases) t.match((await imported(t, files)).problems, problems, name)
  const about = '## Order\n\n- T001 and T002 together\n\n| Task | After |\n|---|---|\n| T002 | T001 |\n'
  const read = await imported(t, specKit({ 'tasks.md': `# Tasks\n\n- [ ] T001 First\n- [ ] T002 Second\n\n${about}` }))
  t.strictSame(read.problems, [], 'tables and lists about tasks that were read')
})

t.test('an id with more behind it', async (t) => {
  const tasks = '## Phase 1: One\n\n- [ ] T001 First\n- [ ] T038-min Least\n\n## Notes\n\n- [ ] T039/T040 Both\n'
  const { problems } = await imported(t, specKit({ 'tasks.md': tasks }))
  t.match(problems, [/tasks\.md:4: "T038-min" was not read as an id/, /tasks\.md:8: "T039\/T040" was not read as an id/])
})

t.test('marks with the text of a template', async (t) => {
  const mark = '[NEEDS CLARIFICATION: retention period not specified]'
  const { problems } = await imported(t, specKit({ 'spec.md': `${spec}\n## Requirements\n\n- FR-001 System MUST retain user data for ${mark}\n` }))
  t.match(problems, [/^specs\/001-pay\/spec\.md:5: \[NEEDS CLARIFICATION: retention[^]*the text of a template/])
  const how = await imported(t, specKit({ 'spec.md': `${spec}\n1. Mark: Use [NEEDS CLARIFICATION: specific question] for what is unclear\n` }))
  t.strictSame([how.problems.length, how.notes.length], [0, 1], 'the template explains the mark')
  const unfilled = '# Implementation Plan: [FEATURE]\n\n[NEEDS CLARIFICATION: which bank?]\n'
  t.match(
    (await imported(t, specKit({ 'plan.md': unfilled }))).problems,
    [/^specs\/001-pay\/plan\.md:1: 1 question left out: the title is still that of the template/]
  )
})

t.test('lists of tasks without a status', async (t) => {
  const exports: Array<[string, string]> = [
    ['linear.csv', 'ID,Title,Description,Blocked by\nA-1,One,x,\nA-2,Two,y,\n'],
    ['jira.csv', 'Issue key,Issue Type,Summary\nAB-1,Story,One\nAB-2,Story,Two\n'],
    ['github.json', '[{"number": 1, "title": "One"}, {"number": 2, "title": "Two"}]']
  ]
  for (const [name, text] of exports) {
    const { problems } = await imported(t, { [name]: text }, { path: name })
    t.match(problems, [new RegExp(`^${name}:1: no status was found, so that all 2 tasks are todo`)], name)
  }
  const { problems } = await imported(t, { tasks: { 'tasks.json': '{"tasks": [{"id": 1, "title": "One"}]}' } })
  t.match(problems, [/^tasks\/tasks\.json:1: no status was found/])
})
