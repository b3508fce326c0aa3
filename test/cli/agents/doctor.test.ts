import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { NamedCheck } from '../../../src/agent-setup/doctor/finding.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'
import { baseline, everyFormat, FORMATS } from '../../client-testing/report-files.js'
import { build } from '../../helpers/build.js'
import { commandLine } from '../../helpers/command-line.js'
import { JSON_RPC_2, jsonRpcServer } from '../../helpers/json-rpc-server.js'

const { app, key } = await build(t)
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

interface Report { ok: boolean, checks: Array<NamedCheck & { server: string, ok: boolean }> }

t.test('one check a line, and 0 where none fails, of the server that the configuration names', async (t) => {
  const cli = commandLine(t, { env: { PORT: new URL(url).port } })
  const file = join(cli.data, '..', 'token')
  writeFileSync(file, `${key}\n`)
  const { out, ...ended } = await cli.run(['doctor', '--token-file', file])
  t.strictSame(ended, { code: 0, err: '' })
  const [first, ...lines] = out.trimEnd().split('\n')
  t.equal(first, url)
  t.ok(lines.length >= 15)
  for (const line of lines) t.match(line, /^[✔–] [a-z -]+: /)
  t.match(out, /^✔ workspaces: 3 visible$/m)
  t.match(out, /^– dns: 127\.0\.0\.1 is an address already$/m)
})

t.test('1 where one fails, with the remedy, and without the secret; --json', async (t) => {
  const cli = commandLine(t, { env: { EXPLORATION_MCP_TOKEN: 'wrong-secret' } })
  const { out, ...ended } = await cli.run(['doctor', '--url', url])
  t.strictSame(ended, { code: 1, err: '2 checks failed.\n' })
  t.match(out, /^✖ credential: it is no credential of such a server, and is not sent → .*svc_key_/m)
  t.match(out, /^– workspaces: needs authentication$/m)
  t.notMatch(out, 'wrong-secret')
  const bad = await commandLine(t).run(['doctor', '--url', url, '--json'])
  const { ok, checks } = JSON.parse(bad.out) as Report
  t.strictSame({ code: bad.code, ok }, { code: 1, ok: false })
  t.match(checks.filter(({ ok }) => !ok), [{ server: url, name: 'authentication', status: 'failed', remedy: /init/ }])
})

t.test('a server of the older revisions alone, which knows no server/discover, is one of MCP', async (t) => {
  const older = await jsonRpcServer(t, (method, id) => method === 'initialize'
    ? { body: { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } } } }
    : JSON_RPC_2(method, id))
  t.match((await commandLine(t).run(['doctor', '--url', older])).out, '✔ path: /mcp is an MCP endpoint')
})

t.test('--report and --baseline', async (t) => {
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const data = join(dir, 'data')
  t.match(await commandLine(t, { env: { EXPLORATION_MCP_TOKEN: key }, data }).run(['doctor', '--url', url, ...words]), { code: 0 })
  const report = read(t)
  t.match(report, { command: 'doctor', subject: url, summary: { failed: 0 } })
  t.ok(report.summary.passed >= 10)
  for (const format of FORMATS) t.notOk(readFileSync(join(dir, `report.${format}`), 'utf8').includes(key), format)

  const without = (more: string[]) => commandLine(t, { data }).run(['doctor', '--url', url, ...words, ...more])
  t.match(await without(['--baseline', baseline(dir, ['authentication'])]), { code: 0 }, 'a known failure does not count')
  const parsed = () => JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as ReturnType<typeof read>
  t.match(parsed().summary, { failed: 0, known: 1 })
  t.match(parsed().checks.filter(({ status }) => status === 'failed'), [{ id: 'authentication', level: 'MUST', detail: /Remedy: / }])
  t.match(await without(['--baseline', baseline(dir, ['authentication', 'path'])]), { code: 1, err: /One check failed/ })
  t.match(parsed().checks.filter(({ status, known }) => status === 'failed' && !known), [{ id: 'baseline/path' }])
  t.match(await without(['--report', 'pdf=x']), { code: 2, err: /Formats: junit/ })
  t.match(await without(['--baseline', join(dir, 'nowhere.json')]), { code: 2, err: /^There is no file .*nowhere\.json \(--baseline\)\./ })
})

t.test('without --url: the servers that init knows, with their tokens, and the agents of this machine', async (t) => {
  const cli = commandLine(t)
  t.match(await cli.run(`init --yes --agent claude-code --url ${url} --token-file -`, key), { code: 0 })
  const { out, ...ended } = await cli.run('doctor')
  t.strictSame(ended, { code: 0, err: '' })
  t.equal(out.split('\n')[0], url)
  t.match(out, /^✔ authentication: /m)
  t.match(out, new RegExp(`^✔ agent claude-code: "exploration" in .*\\.claude\\.json works: ${tools.length} tools$`, 'm'))
  t.notMatch(out, key)

  chmodSync(join(cli.home, '.config/exploration-mcp/credentials.json'), 0o644)
  const refused = /^✖ credentials file: it is not used → .*can be read by others.*chmod 600/m
  t.match(await cli.run(['doctor', '--url', url]), { code: 1, out: refused })
})

t.test('without --url, beside a server: that one, and how its search index stands', async (t) => {
  const cli = commandLine(t)
  await cli.json('users create --email a@example.com --name A')
  const { key } = await cli.json<{ key: string }>('keys create --user a@example.com --name k --scope read')
  const { hello } = await cli.serve()
  const { out } = await cli.run('doctor --token-file -', `${key}\n`)
  t.match(hello, out.split('\n')[0])
  t.match(out, /^✔ authentication: /m)
  t.match(out, /^✔ search index: 0 explorations, indexed \(built-in vectors\)$/m)

  const { searchIndex } = await cli.backend()
  const state = { embedder: 'openai', version: '1', explorations: 3 }
  searchIndex.state = async () => ({ ...state, state: 'waiting', pending: 2, answering: null, reason: 'no answer in time' })
  t.match((await cli.run('doctor')).out, /^! search index: 2 of 3 explorations .* no answer in time.* → Check the embedder/m)
  searchIndex.state = async () => ({ ...state, state: 'complete', pending: 0, answering: 'openai', questions: 'the service answered 401' })
  t.match((await cli.run('doctor')).out, /^! search index: 3 explorations, .* by words alone: the service answered 401 → Check the embedder/m)
  t.match((await cli.run(['doctor', '--url', url])).out, /^– search index: checked only on the machine of the server$/m)
})

t.test('what makes no sense is refused with a sentence', async (t) => {
  const cli = commandLine(t)
  const file = join(cli.data, '..', 'token')
  writeFileSync(file, 'x'.repeat(100_000))
  for (const [args, words, code] of [
    [['--url', 'ftp://x/mcp'], /address of an MCP endpoint/, 2],
    [['--url', url, '--token-file', '/nowhere'], /cannot be read/, 2],
    [['--url', url, '--token-file', file], /too long/, 1]
  ] as const) t.match(await cli.run(['doctor', ...args]), { code, out: '', err: words })
})
