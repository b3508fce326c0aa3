// `import PATH` on the command line: a dry run that writes nothing, a report by file and line, --strict.
import { existsSync } from 'node:fs'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'

const tasks = '## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n'
const spec = { 'spec.md': '# Feature Specification: Pay\n', 'tasks.md': tasks }

t.test('a dry run', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({
    specs: { '001-pay': spec, '002-bad': { 'tasks.md': '- [ ] T001 A\n- [ ] T001 B\n' } },
    '.kiro': { specs: { x: { 'tasks.md': '- [ ] 1. Do it\n' } } },
    '.gitignore': '.kiro\n'
  })
  const records = (await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--ndjson'])).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.strictSame(
    records.map(({ type }) => type),
    [
      'workspace',
      'exploration',
      'requirement_package',
      'requirement_package',
      'execution_plan',
      'exploration',
      'requirement_package',
      'execution_plan'
    ]
  )
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
    code: 1,
    out: '',
    err: /T001 repeats[^]*Nothing was imported/
  })
  t.match(await cli.run(['import', folder, '--workspace', 'team', '--dry-run', '--format', 'kiro']), {
    code: 1,
    err: /No plans were found/
  })
  t.equal(cli.opened(), 0)
  t.notOk(existsSync(cli.data), 'no data folder')
})

t.test('remarks that are alike', async (t) => {
  const cli = commandLine(t)
  const many = t.testdir({ specs: { '001-pay': { 'tasks.md': '- [ ] T001 A\n'.repeat(9) } } })
  t.equal((await cli.run(['import', many, '--dry-run'])).out.match(/T001 repeats/g)?.length, 3)
  t.match((await cli.run(['import', many, '--dry-run'])).out, /and 5 more like these: --verbose lists them/)
  t.equal((await cli.run(['import', many, '--dry-run', '--verbose'])).out.match(/T001 repeats/g)?.length, 8)
})

t.test('settings of the repository', async (t) => {
  const cli = commandLine(t)
  const settings = {
    workspace: 'shop',
    formats: ['linear-csv', 'spec-kit'],
    paths: ['specs', 'export.csv'],
    statuses: { 'Sent out': 'done' },
    columns: { title: 'Was' }
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
    code: 1,
    err: /^\.exploration-mcp\.json: more is not a known field; workspace must match/
  })
  t.match(await cli.run(['import', t.testdir({ '.exploration-mcp.json': '{' }), '--dry-run']), {
    code: 1,
    err: /is not JSON/
  })
})

t.test('what cannot be done', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({ 'a.txt': 'x', 'records.ndjson': '{}' })
  t.match(await cli.run(['import', `${folder}/absent`]), { code: 1, err: `There is no file ${folder}/absent.\n` })
  t.match(await cli.run(['import', `${folder}/a.txt`, '--dry-run']), {
    code: 1,
    err: /is of no format that is read/
  })
  t.match(await cli.run(['import', folder, '--ndjson']), { code: 1, err: /use it with --dry-run/ })
  t.match(await cli.run(['import', folder, '--dry-run', '--workspace', 'No Slug']), { code: 1, err: /is no slug/ })
  t.match(await cli.run(['import', folder, '--dry-run', '--map', 'x']), { code: 1, err: /such as title=Titel/ })
  t.match(await cli.run(['import', folder, '--format', 'nothing']), { code: 2, err: /Allowed choices/ })
})
