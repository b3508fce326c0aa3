// --report and --baseline of conformance, observe and doctor: the same report as that of grade.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { everyFormat, FORMATS } from '../client-testing/report-files.js'
import { build } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'

const baseline = (dir: string, failures: string[]): string => {
  const file = join(dir, 'baseline.json')
  writeFileSync(file, JSON.stringify({ failures }))
  return file
}

const { app, key } = await build(t)
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

t.test('doctor', async (t) => {
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const data = join(dir, 'data')
  const good = await commandLine(t, { env: { EXPLORATION_MCP_TOKEN: key }, data }).run(['doctor', '--url', url, ...words])
  t.equal(good.code, 0, good.err)
  const report = read(t)
  t.match(report, { command: 'doctor', subject: url, summary: { failed: 0 } })
  t.ok(report.summary.passed >= 10)
  for (const format of FORMATS) t.notOk(readFileSync(join(dir, `report.${format}`), 'utf8').includes(key), format)

  const without = (more: string[]) => commandLine(t, { data }).run(['doctor', '--url', url, ...words, ...more])
  t.match(await without(['--baseline', baseline(dir, ['authentication'])]), { code: 0 }, 'a known failure does not count')
  t.match(read(t).summary, { failed: 0, known: 1 })
  t.match(read(t).checks.filter(({ status }) => status === 'failed'), [{ id: 'authentication', level: 'MUST', detail: /Remedy: / }])
  t.match(await without(['--baseline', baseline(dir, ['authentication', 'path'])]), { code: 1, err: /One check failed/ })
  t.match(read(t).checks.filter(({ status, known }) => status === 'failed' && !known), [{ id: 'baseline/path' }])
  t.match(await without(['--report', 'pdf=x']), { code: 2, err: /Formats: junit/ })
  t.match(await without(['--baseline', join(dir, 'nowhere.json')]), { code: 2, err: /^There is no file .*nowhere\.json \(--baseline\)\./ })
})

t.test('observe', async (t) => {
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const line = commandLine(t, { data: join(dir, 'data') })
  const serving = await line.serve(`observe --port 0 --no-sample ${words.join(' ')}`)
  const [, endpoint = ''] = /(http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(serving.hello) ?? []
  const reply = await fetch(endpoint, {
    method: 'POST',
    body: '{}',
    headers: { 'user-agent': 'careless/1', 'content-type': 'application/json', accept: 'application/json' }
  })
  await reply.text()

  const once = (more: string[]) => line.run(['observe', '--once', ...more])
  t.match(await once(words), { code: 0 }, 'findings alone make no exit code')
  const report = read(t)
  t.match(report, { command: 'observe' })
  t.match(report.checks.find(({ id }) => id === 'accept-incomplete'), { status: 'failed', group: 'unnamed (careless/1)' })
  t.match(report.checks.find(({ id }) => id === 'batch-sent'), { status: 'passed', outcome: 'not violated' })
  t.match(await once(['--fail-on', 'must']), { code: 1, err: /checks? of a MUST failed/ })
  const known = report.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)
  t.match(await once(['--baseline', baseline(dir, known)]), { code: 0 })
  t.match(await once(['--baseline', baseline(dir, [...known, 'batch-sent'])]), { code: 1 }, 'what no longer fails counts')

  const { code } = await serving.stop()
  t.equal(code, 0)
  t.match(read(t).checks.find(({ id }) => id === 'accept-incomplete'), { status: 'failed' }, 'the server that observe starts reports at its end')
  for (const option of ['--once', '--json']) {
    t.match(await line.run(['observe', option, '--port', '0']), { code: 1, err: /^No server runs in this data folder/, out: '' }, option)
  }
})

/** Instead of the suite: two scenarios, of which one fails in one revision. */
const SUITE = `#!${process.execPath}
import { mkdirSync, writeFileSync } from 'node:fs'
const after = (option) => process.argv[process.argv.indexOf(option) + 1]
if (process.argv[2] === 'list') console.log('Server scenarios (test against a server):\\n  - ping\\n  - tools-list\\n')
else for (const name of process.argv.includes('--scenario') ? [after('--scenario')] : ['ping', 'tools-list']) {
  const status = name === 'tools-list' && after('--requirements') === '2025-11-25' ? 'FAILURE' : 'SUCCESS'
  const checks = name.startsWith('sep-') ? [] : [{ id: 'first', status, errorMessage: 'no tools for KEY' }]
  mkdirSync(after('--output-dir') + '/server-' + name + '-2026-01-01T00-00-00', { recursive: true })
  writeFileSync(after('--output-dir') + '/server-' + name + '-2026-01-01T00-00-00/checks.json', JSON.stringify(checks))
}
`

const noDatabase = async () => { throw new Error('it opens a database') }

t.test('conformance', async (t) => {
  const dir = t.testdir({ npx: '#!/bin/sh\ndirname "$0"\n', conformance: SUITE.replace('KEY', key), 'package.json': '{"type":"module"}' })
  for (const name of ['npx', 'conformance']) chmodSync(join(dir, name), 0o755)
  const { words, read } = everyFormat(dir)
  const env = { PATH: `${dir}:/usr/bin:/bin`, EXPLORATION_MCP_TOKEN: key }
  const run = (more: string[]) => commandLine(t, { env, data: join(dir, 'data'), openBackend: noDatabase }).run(['conformance', '--url', url, ...more])
  t.match(await run(words), { code: 1, err: /^1 check of the official suite failed or warned\.$/m, out: /tools-list/ })
  const report = read(t)
  t.match(report, { command: 'conformance', subject: url, summary: { passed: 3, failed: 1 } })
  t.match(report.checks.filter(({ status }) => status === 'failed'), [{ id: '2025-11-25/tools-list', detail: /no tools/ }])
  for (const format of FORMATS) t.notOk(readFileSync(join(dir, `report.${format}`), 'utf8').includes(key), format)
  t.match(await run(['--baseline', baseline(dir, ['2025-11-25/tools-list'])]), { code: 0, err: '' })
  t.match(await run(['--baseline', baseline(dir, ['2025-11-25/tools-list', '2026-07-28/ping'])]), { code: 1, err: /passes now: 2026-07-28\/ping/ })
  t.match(await run(['--report', `json=${dir}/nowhere/x`]), { code: 2, err: /is not there/ })
  t.notOk(existsSync(join(dir, 'data')), 'no data folder')
})
