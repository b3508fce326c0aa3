// `import PATH` on the command line: a dry run that writes nothing, a report by file and line, --strict, and nothing that is found.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'

const tasks = '## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n'
/** A tar file with one empty file, as far as it is looked at. */
const tar = Buffer.alloc(1024)
tar.write('plans.md')
tar.write('ustar', 257)

const cli = commandLine(t)
const spec = { 'spec.md': '# Feature Specification: Pay\n', 'tasks.md': tasks }

t.test('a dry run', async (t) => {
  const folder = t.testdir({
    specs: { '001-pay': spec, '002-bad': { 'tasks.md': '- [ ] T001 A\n- [ ] T001 B\n' } },
    '.kiro': { specs: { x: { 'tasks.md': '- [ ] 1. Do it\n' } } },
    '.gitignore': '.kiro\n'
  })
  const { out: lines } = await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--ndjson'])
  const records = lines.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  t.strictSame(records.map(({ type }) => type), [
    'workspace', 'exploration', 'requirement_package', 'requirement_package', 'execution_plan', 'exploration', 'requirement_package', 'execution_plan'
  ])
  t.match(records[0], { slug: 'team' })
  t.equal(records[1]?.['workspace_id'], records[0]?.['id'])
  const said = await cli.run(['import', folder, '--workspace', 'team', '--dry-run'])
  t.match(said, { code: 0, out: /spec-kit +specs\/001-pay +Pay +ready +1 +2 +1 +1/ })
  t.match(said.out, /^[^\n]+: 2 explorations [^\n]+\n\nProblems:\n {2}specs\/002-bad\/tasks\.md:2: the id T001[^]*FORMAT[^]*Left out/)
  t.match(said.out, /package:\n {2}specs\/002-bad: code ←[^]*Why:\n {2}spec-kit: tasks\.md in specs\/002-bad\n/, 'where something is wrong')
  t.notMatch(said.out, /specs\/001-pay: spec ←|GATES|DECISIONS/)
  const more = await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--verbose'])
  t.match(more.out, /specs\/001-pay: spec ← specs\/001-pay\/spec\.md/)
  t.match(said.out, /\.kiro: left out: ignored by \.gitignore/)
  t.match(said.out, /specs\/002-bad\/tasks\.md:2: the id T001 repeats/)
  t.match(JSON.parse((await cli.run(['import', folder, '--dry-run', '--json', '--workspace', 'team'])).out), {
    explorations: [{ items: 2 }, { items: 2 }],
    remarks: [{ level: 'note' }, { level: 'problem', line: 2 }]
  })
  t.match(await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--ndjson', '--strict']), {
    code: 1, out: '', err: /T001 repeats[^]*Nothing was imported/
  })
  t.match(await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--format', 'kiro']), { code: 1, err: /No plans were found/ })
  t.equal(cli.opened(), 0, 'no database')
})

t.test('remarks that are alike', async (t) => {
  const many = t.testdir({ specs: { '001-pay': { 'tasks.md': '- [ ] T001 A\n'.repeat(9) } } })
  t.equal((await cli.run(['import', many, '--dry-run'])).out.match(/T001 repeats/g)?.length, 3)
  t.match((await cli.run(['import', many, '--dry-run'])).out, /and 5 more like these: --verbose lists them/)
  t.equal((await cli.run(['import', many, '--dry-run', '--verbose'])).out.match(/T001 repeats/g)?.length, 8)
})

t.test('settings of the repository', async (t) => {
  const settings = {
    workspace: 'shop', formats: ['linear-csv', 'spec-kit'], paths: ['specs', 'export.csv'], statuses: { 'Sent out': 'done' }, columns: { title: 'Was' }
  }
  const folder = t.testdir({
    '.exploration-mcp.json': JSON.stringify(settings),
    'export.csv': 'ID,Was,Name,Status\nA-1,Eins,Eins,sent out\n',
    specs: { '001-pay': spec },
    other: { specs: { '002-no': { ...spec } } }
  })
  const report = JSON.parse((await cli.run(['import', folder, '--dry-run', '--json'])).out)
  t.match(report, { workspace: 'shop', explorations: [{ path: 'specs/001-pay' }, { path: 'export.csv', done: 1 }] })
  t.equal(report.explorations.length, 2)
  const wrong = t.testdir({ '.exploration-mcp.json': '{"workspace": "Not A Slug", "more": 1}' })
  t.match(await cli.run(['import', wrong, '--dry-run']), {
    code: 1, err: /^\.exploration-mcp\.json: more is not a known field; workspace must match/
  })
  t.match(await cli.run(['import', t.testdir({ '.exploration-mcp.json': '{' }), '--dry-run']), { code: 1, err: /is not JSON/ })
})

t.test('what cannot be done', async (t) => {
  const folder = t.testdir({ 'a.txt': 'x', 'records.ndjson': '{}' })
  t.match(await cli.run(['import', `${folder}/absent`]), { code: 1, err: `There is no file ${folder}/absent.\n` })
  t.match(await cli.run(['import', `${folder}/a.txt`, '--dry-run']), { code: 1, err: /is of no format that is read/ })
  t.match(await cli.run(['import', folder, '--ndjson']), { code: 1, err: /use it with --dry-run/ })
  t.match(await cli.run(['import', folder, '--dry-run', '--workspace', 'No Slug']), { code: 1, err: /is no slug/ })
  t.match(await cli.run(['import', folder, '--dry-run', '--map', 'x']), { code: 1, err: /such as title=Titel/ })
  t.match(await cli.run(['import', folder, '--format', 'nothing']), { code: 2, err: /Allowed choices/ })
})

t.test('a folder without plans', async (t) => {
  const folder = t.testdir({ 'readme.md': '# Hello\n' })
  for (const options of [['--dry-run', '--ndjson'], []]) {
    const { code, out, err } = await cli.run(['import', folder, ...options])
    t.match({ code, out }, { code: 1, out: '' })
    t.match(err, /No plans were found here\. These formats are read:\n +openspec +openspec\/ [^]*\n +spec-kit +specs\/NNN-name/)
    t.notMatch(err, /Seen, but not read/)
  }
  const { code, out } = await cli.run(['import', folder, '--dry-run', '--json'])
  t.match({ code, ...JSON.parse(out) }, { code: 1, explorations: [], not_read: [] })
})

t.test('the plans of other tools', async (t) => {
  const file = () => ({ 'a.md': 'x' })
  const folder = t.testdir({
    '.beads': { 'metadata.json': '{}' },
    '.planning': { phases: { '01-a': { '01-01-PLAN.md': '<task type="auto">\n<name>A</name>\n</task>\n' } } },
    '.claude': { epics: { pay: file() }, skills: file() },
    app: file()
  })
  const { code, err } = await cli.run(['import', folder, '--dry-run'])
  t.equal(code, 1)
  t.match(err.trim().split('\n').at(-1), 'Seen, but not read: .beads/ (beads), ' +
    '.planning/phases/ (GSD), .claude/epics/ (ccpm)')
  t.match(await cli.run(['import', `${folder}/.beads/metadata.json`]), { code: 1, err: /is of no format that is read \(beads\)\.\n$/ })
  const found = t.testdir({
    specs: { '001-pay': { ...spec }, '002-ship': { ...spec } },
    docs: { adr: { '0001-a.md': '# A\n\nStatus: accepted\n' } },
    '.beads': { 'issues.jsonl': '' },
    '.planning': { 'ROADMAP.md': '- [ ] **Phase 1: A**\n', phases: { '01-a': { '01-01-PLAN.md': '<task>\n</task>\n' } } }
  })
  t.match(await cli.run(['import', found, '--dry-run']), {
    code: 0, out: /: 4 explorations from this repository: 2 spec-kit, 1 decisions, 1 checklist\nSeen, but not read: \.beads\/ \(beads\), \.planning\/phases\/ \(GSD\)\n/
  })
})

t.test('files that are no records', async (t) => {
  const folder = t.testdir({
    'x.tgz': gzipSync(tar), 'x.ndjson.gz': gzipSync(tar), 'x.tar': tar, 'x.zip': 'PK\x03\x04...', 'notes.md': '# A\n', 'a.csv': 'x,y\n1,2\n'
  })
  for (const name of ['x.tgz', 'x.ndjson.gz', 'x.tar', 'x.zip']) {
    t.match(await cli.run(['import', `${folder}/${name}`]), {
      code: 1, err: /^[^\n]+: This is an archive: unpack it, and import the folder\. Nothing was imported\.\n$/
    }, name)
  }
  const advised = await cli.run(['import', `${folder}/notes.md`, '--dry-run'])
  const [, format = ''] = /--format ([\w-]+)/.exec(advised.err) ?? []
  t.match(await cli.run(['import', `${folder}/notes.md`, '--dry-run', '--format', format]), { code: 0 }, 'the advice works')
  t.match((await cli.run(['import', `${folder}/notes.md`, '--format', 'spec-kit'])).err, /is not read as spec-kit: spec-kit is specs\//)
})
