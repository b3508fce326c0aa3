// What is wrong in a source is a sentence with file and line; the rest is imported, and nothing leaves the root.
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { decodeText } from '../../src/importers/source/decode-text.js'
import { imported, importedFrom, planOf } from './imported.js'

const tasks = '- [ ] T001 Eins\n- [x] T002 Zwei – ähnlich\n'

t.test('encodings and line ends', async (t) => {
  const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const file = (bytes: Buffer) => ({ 'tasks.md': bytes })
  const { of, notes, problems } = await imported(t, {
    specs: {
      '001-a': file(Buffer.from(`\uFEFF${tasks.replaceAll('\n', '\r\n')}`)),
      '002-b': file(utf16(tasks)),
      '003-c': file(Buffer.from(utf16(tasks)).swap16()),
      '004-d': file(Buffer.from(tasks.replace('–', '-'), 'latin1')),
      '005-e': file(Buffer.from(tasks.replaceAll('- [', '-\t['))),
      '006-f': file(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 0, 0, 0, 2]))
    }
  })
  for (const name of ['001-a', '002-b', '003-c', '005-e']) {
    t.strictSame(planOf(of(`specs/${name}`)), ['T001 todo Tasks: Eins', 'T002 done Tasks: Zwei – ähnlich'], name)
  }
  t.strictSame(planOf(of('specs/004-d')), ['T001 todo Tasks: Eins', 'T002 done Tasks: Zwei - ähnlich'])
  t.match(notes, [/specs\/004-d\/tasks\.md: is not UTF-8 and was read as Latin-1/])
  t.match(problems, [/specs\/006-f\/tasks\.md: left out: it is not text/])
  t.match(decodeText(Buffer.from('a\0b')), { text: 'a\uFFFDb', replaced: 1 })
})

t.test('malformed YAML, JSON and CSV', async (t) => {
  const { of, all, problems } = await imported(t, {
    backlog: {
      'config.yml': 'project_name: "open\nstatuses: [',
      tasks: {
        'task-1 - One.md': '---\nid: task-1\ntitle: One\nstatus: [Done\n---\nText\n',
        'task-2 - Two.md': '---\nid: task-2\ntitle: Two\nstatus: Done\n---\n'
      }
    },
    '.taskmaster': { tasks: { 'tasks.json': '{\n  "master": {\n    "tasks": [}\n' } },
    tasks: { 'tasks.json': `{"tasks": ${'['.repeat(5000)}${']'.repeat(5000)}}` }
  })
  t.equal(all.length, 1)
  t.match(planOf(of('backlog')).join('\n'), /task-1 [^]*task-2 done/)
  for (const problem of [
    /\.taskmaster\/tasks\/tasks\.json:3: left out: the JSON is malformed/, /tasks\/tasks\.json:1: left out: the JSON is nested deeper than 64/,
    /backlog\/config\.yml:\d: the YAML is malformed/, /backlog\/tasks\/task-1 - One\.md:\d: the YAML is malformed/
  ]) t.match(problems.join('\n'), problem)
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]},`.repeat(9)}]`)
    .join('\n')}\n`
  const bombed = await imported(t, {
    keps: { '1-x': { 'kep.yaml': `title: X\n${bomb}`, 'README.md': '# KEP-1: Ex\n' } }
  })
  t.match(bombed.problems, [/kep\.yaml.*malformed/])
  t.equal(bombed.of('keps/1-x').exploration.title, 'Ex')
  const csv = async (rows: string) => await imported(t, { 'x.csv': rows }, { path: 'x.csv' })
  const long = await csv(`ID,Title,Status\nA-1,One,Done\nA-2,${'x'.repeat(1_000_001)},Done\nA-3,Three,Todo\n`)
  t.strictSame(planOf(long.all[0]!), ['A-1 done Issues: One', 'A-3 todo Issues: Three'], 'the rows after one that is too long are read')
  t.strictSame(long.problems, ['x.csv:3: a row was left out: it has more than 1000000 characters'])
  const formulas = await csv("Title,Status\n\"=cmd|' /C calc'!A0\",Todo\n'@SUM(1),Done\n")
  t.strictSame(planOf(formulas.all[0]!), ["g1-1 todo Issues: =cmd|' /C calc'!A0", 'g1-2 done Issues: @SUM(1)'], 'a cell is text')
})

t.test('circles, doubled ids and tasks that wait for themselves', async (t) => {
  const { of, problems } = await imported(t, {
    specs: { '001-a': { 'tasks.md': '- [ ] T001 A (depends on T003)\n- [ ] T002 B (depends on T001)\n- [ ] T003 C (depends on T002, T003)\n- [ ] T002 D\n' } }
  })
  t.strictSame(planOf(of('specs/001-a')).map((line) => line.replace(/ todo .*(?= ←)/, '')), [
    'T001 ← T003', 'T002 ← T001', 'T003 ← T002', 'T002~2 todo Tasks: D'
  ])
  t.match(problems, [
    /tasks\.md:4: the id T002 repeats/,
    /tasks\.md:3: T003 depends on itself/,
    /tasks\.md:1: the dependencies go round in a circle: T001 → T003 → T002 → T001/
  ])
})

t.test('links, loops, folders without rights, names that steer a terminal', async (t) => {
  const folder = t.testdir({
    outside: { 'secret.md': '# Secret\n' },
    repository: { specs: { '001-a': { 'spec.md': '# Feature Specification: A\n' } } }
  })
  const root = `${folder}/repository`
  symlinkSync('../../../outside/secret.md', `${root}/specs/001-a/plan.md`)
  symlinkSync('..', `${root}/specs/loop`)
  symlinkSync(`${folder}/outside`, `${root}/specs/002-away`)
  symlinkSync('nowhere.md', `${root}/specs/001-a/research.md`)
  symlinkSync('spec.md', `${root}/specs/001-a/quickstart.md`)
  mkdirSync(`${root}/specs/003-\u001b[31mred\n`)
  writeFileSync(`${root}/specs/003-\u001b[31mred\n/tasks.md`, tasks)
  mkdirSync(`${root}/specs/004-closed`, { mode: 0o000 })
  const { all, notes, problems } = await importedFrom(root)
  chmodSync(`${root}/specs/004-closed`, 0o755)
  t.notMatch(JSON.stringify(all), /Secret/)
  t.equal(all.length, 2)
  t.match(
    all[0]?.packages.find(({ artifact_type: type }) => type === 'design')?.markdown,
    '# Feature Specification: A\n',
    'a link inside the root is read'
  )
  t.match(notes.join('\n'), /plan\.md: left out: a link to a place outside the root/)
  t.match(notes.join('\n'), /research\.md: left out: the link leads nowhere \(ENOENT\)/)
  t.match(notes.join('\n'), /specs\/loop: left out: a link to a folder/)
  if (process.getuid?.() !== 0) t.match(problems.join('\n'), /004-closed: the folder cannot be read \(EACCES\)/)
})

t.test('files and trees that are too large', async (t) => {
  const folder = t.testdir({ specs: { '001-a': { 'spec.md': '', 'tasks.md': tasks } } })
  truncateSync(`${folder}/specs/001-a/spec.md`, 50 * 1024 * 1024)
  const { of, problems } = await importedFrom(folder)
  t.match(problems, [/specs\/001-a\/spec\.md: left out: 52428800 bytes are more than/])
  t.equal(of('specs/001-a').plan?.items.length, 2, 'the rest is imported')
  const many = await imported(t, {
    specs: { '001-a': { 'tasks.md': Array.from({ length: 10_050 }, (_, index) => `- [ ] T${index} x\n`).join('') } }
  })
  t.equal(many.of('specs/001-a').plan?.items.length, 10_000)
  t.match(many.problems, [/only the first 10000 of 10050 tasks/])
  const long = await imported(t, { specs: { '001-a': { 'tasks.md': `- [ ] T001 ${'😀'.repeat(2100)}\n` } } })
  const [item] = long.of('specs/001-a').plan?.items ?? []
  t.equal([...(item?.title ?? '')].length, 2000)
  t.equal([...(item?.description ?? '')].length, 2100, 'the whole title stays in the description')
})

const SPEC = '# Feature Specification: Pay\n'
const specKit = (files: Record<string, string>) => ({ specs: { '001-pay': { 'spec.md': SPEC, ...files } } })
const TABLE = '# Tasks\n\n| Task | What |\n|---|---|\n| **T001** [P] | First |\n| **T002** | Second |\n'
const ABOUT = '## Order\n\n- T001 and T002 together\n\n| Task | After |\n|---|---|\n| T002 | T001 |\n'
const NO_STATUS = 'no status was found, so that all 2 tasks are todo'

t.test('what is not read as a plan is a problem, with file and line', async (t) => {
  const rows: Array<[name: string, Parameters<typeof imported>[1], problems: RegExp[], file?: string]> = [
    ['rows of a table', specKit({ 'tasks.md': TABLE }), [/^specs\/001-pay\/tasks\.md:5: 2 tasks not read \(T001, T002\)/]],
    ['rows beside boxes', specKit({ 'tasks.md': `${TABLE}\n- [ ] T002 Second\n` }), [/tasks\.md:5: 1 task not read \(T001\)/]],
    ['headings beside boxes', specKit({ 'tasks.md': '# Tasks\n\n- [ ] T001 First\n\n### T002 Second\n' }), [/tasks\.md:5: 1 task not read \(T002\)/]],
    ['headings only', specKit({ 'tasks.md': '# Tasks\n\n## Make it\n' }), [/tasks\.md:1: no task was read/]],
    ['an empty file', specKit({ 'tasks.md': '' }), [/tasks\.md:1: no task was read/]],
    ['Kiro', { '.kiro': { specs: { pay: { 'tasks.md': '\n# Tasks\n\nMake it.\n' } } } }, [/^\.kiro\/specs\/pay\/tasks\.md:2: no task was read/]],
    ['OpenSpec', { openspec: { changes: { pay: { 'proposal.md': '# Pay\n', 'tasks.md': '1. Make it\n' } } } }, [/^openspec\/changes\/pay\/tasks\.md:1: no task/]],
    ['about tasks that were read', specKit({ 'tasks.md': `# Tasks\n\n- [ ] T001 First\n- [ ] T002 Second\n\n${ABOUT}` }), []],
    ['an id with more behind it', specKit({
      'tasks.md': '## Phase 1: One\n\n- [ ] T001 First\n- [ ] T038-min Least\n\n## Notes\n\n- [ ] T039/T040 Both\n'
    }), [/tasks\.md:4: "T038-min" was not read as an id/, /tasks\.md:8: "T039\/T040" was not read as an id/]],
    ['a mark with the text of a template', specKit({
      'spec.md': `${SPEC}\n## Requirements\n\n- FR-001 System MUST retain user data for [NEEDS CLARIFICATION: retention period not specified]\n`
    }), [/^specs\/001-pay\/spec\.md:5: \[NEEDS CLARIFICATION: retention[^]*the text of a template/]],
    ['a title of a template', specKit({ 'plan.md': '# Implementation Plan: [FEATURE]\n\n[NEEDS CLARIFICATION: which bank?]\n' }), [
      /^specs\/001-pay\/plan\.md:1: 1 question left out: the title is still that of the template/
    ]],
    ['CSV of Linear', { 'x.csv': 'ID,Title,Description,Blocked by\nA-1,One,x,\nA-2,Two,y,\n' }, [RegExp(`^x.csv:1: ${NO_STATUS}`)], 'x.csv'],
    ['CSV of Jira', { 'x.csv': 'Issue key,Issue Type,Summary\nAB-1,Story,One\nAB-2,Story,Two\n' }, [RegExp(`^x.csv:1: ${NO_STATUS}`)], 'x.csv'],
    ['JSON of GitHub', { 'x.json': '[{"number": 1, "title": "One"}, {"number": 2, "title": "Two"}]' }, [RegExp(`^x.json:1: ${NO_STATUS}`)], 'x.json'],
    ['task-master', { tasks: { 'tasks.json': '{"tasks": [{"id": 1, "title": "One"}]}' } }, [/^tasks\/tasks\.json:1: no status was found/]]
  ]
  for (const [name, files, expected, path] of rows) {
    const { problems } = await imported(t, files, path === undefined ? {} : { path })
    t.match(problems, expected, name)
    t.equal(problems.length, expected.length, name)
  }
  const how = await imported(t, specKit({ 'spec.md': `${SPEC}\n1. Mark: Use [NEEDS CLARIFICATION: specific question] for what is unclear\n` }))
  t.strictSame([how.problems.length, how.notes.length], [0, 1], 'the template explains the mark')
})
