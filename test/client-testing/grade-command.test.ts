// `grade` on the command line: commands that do not start, connect or end; what is left behind; Ctrl-C.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Report } from '../../src/client-testing/reports/report.js'
import { commandLine, noDatabase } from '../helpers/command-line.js'
import { everyFormat } from './report-files.js'
import { FEW_LINES_CLIENT } from './few-lines-client.js'

const node = (script: string): string[] => [process.execPath, '-e', script]

const client = (end = ''): string[] => [process.execPath, '--input-type=module', '-e', FEW_LINES_CLIENT + end]

const run = (t: Test, words: string[]) =>
  commandLine(t, { data: join(t.testdirName, 'work', 'data'), openBackend: noDatabase }).run(['grade', ...words])

t.test('profiles, reports and exit codes', async (t) => {
  const dir = t.testdir()
  const config = join(dir, 'mcp.json')
  const report = join(dir, 'report.json')
  const words = ['--profile', 'session-gone,reply-json', '--config-file', config, '--report', `json=${report}`]
  const { code, out, err } = await run(t, [...words, '--', ...client()])
  t.equal(code, 1)
  t.match(err, /1 check of a MUST failed/)
  t.match(out, /session-gone \(MUST\): fails in words/)
  t.notMatch(out + err + readFileSync(report, 'utf8'), /svc_key_[A-Z2-7]{8}/, 'the client prints its token, and no report has it')
  t.notOk(existsSync(config), 'the configuration file is gone')
  for (const [given, err] of [
    [['--profile', 'nonsense'], /There is no profile "nonsense"/], [['--report', 'pdf=x'], /Formats: junit, sarif/],
    [['--report', 'constructor=x'], /Formats: junit, sarif/], [['--report', 'json=x', '--report', 'html=x'], /Two reports would be written to x/],
    [['--report', `json=${dir}/nowhere/x`], /is not there/]
  ] as const) t.match(await run(t, [...given, '--', ...client()]), { code: 2, err }, String(err))
  const slow = ['--baseline', `${dir}/nowhere.json`, '--', ...node("require('fs').writeFileSync(process.argv[1], '')"), `${dir}/started`]
  t.match(await run(t, slow), { code: 2, err: /^There is no file .*nowhere\.json \(--baseline\)\./ })
  t.notOk(existsSync(`${dir}/started`), 'it is refused before the command is started')
  t.match(await run(t, ['--profile', 'session-gone,stream-cut']), { code: 2, err: /name one profile/ })
})

t.test('profiles that cannot happen to a client are not run', async (t) => {
  const dir = t.testdir()
  const [runs, report] = [join(dir, 'runs'), join(dir, 'report.json')]
  const counting = client(`;(await import('node:fs')).appendFileSync(${JSON.stringify(runs)}, 'x')`)
  const { code, err } = await run(t, ['--profile', 'tool-error,task,meta-everywhere', '--report', `json=${report}`, '--', ...counting])
  t.equal(code, 0, err)
  t.equal(readFileSync(runs, 'utf8'), 'xx', 'once on the correct server, and once by the profile that changes every result')
  const { checks } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const profiles = checks.filter(({ group }) => group.startsWith('profiles'))
  t.match(profiles, [
    { id: 'tool-error', status: 'not-exercised', detail: 'The client sends no tools/call to the correct server.' },
    { id: 'task', status: 'not-exercised', detail: /does not speak 2026-07-28/ },
    { id: 'meta-everywhere', status: 'passed' }
  ])
})

t.test('--authorization: no token is given, and profiles of its own are run', async (t) => {
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const command = [process.execPath, fileURLToPath(new URL('authorized-command.js', import.meta.url))]
  const { code, out, err } = await run(t, ['--authorization', '--profile', 'iss-wrong,scope-step-up', '--all', ...words, '--', ...command])
  t.equal(code, 0, err)
  t.match(out, /✓ iss-wrong \(MUST\): fails in words[^]*✓ scope-step-up \(SHOULD\): copes/)
  t.match(out, /✓ pkce-challenge \(MUST\): obeyed/)
  t.match(out, /tiny 1: \d+ passed, 0 failed/, 'the rules of the protocol are judged too')
  t.match(read(t).checks.find(({ id }) => id === 'iss-wrong')?.reproduce, /grade --authorization --profile iss-wrong -- /)
  t.match(await run(t, ['--authorization', '--', ...client()]), { code: 7, err: /fails on the correct server too/ })
  t.match(await run(t, ['--authorization', '--profile', 'session-gone', '--', ...command]), { code: 2, err: /There is no profile "session-gone"/ })
  t.match((await run(t, ['--authorization', '--list-profiles'])).out, /token-redirected/)
})

t.test('commands that cannot be graded, or do not end', async (t) => {
  const endless = 'setInterval(() => {}, 1000)'
  const outcomes = await Promise.all(([
    [3, /cannot be started: \/no\/such\/command \(ENOENT\)/, [], ['/no/such/command']],
    [4, /sent no request/, [], node('console.log("hello")')],
    [4, /sent no request/, ['--timeout', '1'], node(endless)],
    // Clients have done their work long before that.
    [5, /did not end/, ['--timeout', '6'], client(endless)],
    [0, /^$/, ['--for', '6'], client(endless)],
    [6, /more than 64 MiB/, [], node('const line = "x".repeat(65536); for (;;) require("fs").writeSync(1, line)')],
    [7, /fails on the correct server too \(exit code 9\)/, [], client('console.error("Error: " + process.env.MCP_TOKEN); process.exit(9)')]
  ] as const).map(async ([code, err, options, command]) => ({ code, err, outcome: await run(t, ['--profile', 'stream-cut', ...options, '--', ...command]) })))
  for (const { code, err, outcome } of outcomes) {
    t.match(outcome, { code, err }, `${code}: ${String(err)}`)
    t.notMatch(outcome.err, /svc_key_[A-Z2-7]{8}/)
  }
})

t.test('any client that comes is graded until Ctrl-C, apart from others by credential, name and version; then the port is free', async (t) => {
  const serve = () => commandLine(t, { data: join(t.testdir(), 'data') }).serve('grade')
  const idle = await serve()
  t.equal((await idle.stop()).code, 0)
  t.match(idle.said(), /Note: No client sent a request/)

  const serving = await serve()
  const [, url = ''] = /MCP_URL=(\S+)/.exec(serving.hello) ?? []
  const [, token = ''] = /MCP_TOKEN=(\S+)/.exec(serving.hello) ?? []
  t.equal(new URL(url).hostname, '127.0.0.1')
  const post = async (body: object, headers: Record<string, string> = {}) => {
    const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
    const reply = await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...body }), headers: own })
    await reply.text()
    return reply.headers.get('mcp-session-id') ?? ''
  }
  for (const name of ['laptop', 'ci']) await post({}, { authorization: `Bearer ${token}.${name}`, 'user-agent': 'visitor', accept: 'application/json' })
  const open = (name: string) =>
    post({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } } })
  const [careful, hasty] = [await open('careful'), await open('hasty')]
  for (const session of [careful, hasty]) {
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    if (session === careful) await post({ method: 'notifications/initialized' }, headers)
    await post({ id: 2, method: 'tools/list' }, headers)
  }
  t.equal((await serving.stop()).code, 1)
  for (const name of ['laptop', 'ci']) t.match(serving.said(), new RegExp(`visitor · ${name}: \\d+ passed, [1-9]`), 'an Accept header without streams breaks a MUST')
  t.match(serving.said(), /careful 1: \d+ passed, 0 failed/)
  t.match(serving.said(), /hasty 1: \d+ passed, 1 failed, \d+ not exercised\n {2}✗ initialized-missing/)
  const server = createServer().listen(Number(new URL(url).port), '127.0.0.1')
  await new Promise((resolve, reject) => { server.once('listening', resolve).once('error', reject) })
  server.close()
})
