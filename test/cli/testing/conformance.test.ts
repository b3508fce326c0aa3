// The conformance command: asks first, and tells what a server fails from what only the fixture of the suite has.
import { createServer } from 'node:http'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { SKILL_SCENARIOS, type Scenario } from '../../../src/cli/testing/conformance/official-suite.js'
import { mint } from '../../../src/access/credentials/secret.js'
import { bearerProxy } from '../../../src/cli/testing/conformance/bearer-proxy.js'
import { baseline, everyFormat, FORMATS } from '../../client-testing/report-files.js'
import { build } from '../../helpers/build.js'
import { commandLine } from '../../helpers/command-line.js'
import { listeningPort } from '../../helpers/listening-port.js'
import { startRewritingServer } from '../../defects/rewriting-server.js'
import { JSON_RPC_1, JSON_RPC_2, jsonRpcServer } from '../../helpers/json-rpc-server.js'

/**
 * Instead of npx and of the suite: what it lists (of both revisions, with one that is not scored, and one for clients), the results of
 * scenarios, and files that say what it was asked, and what npx and the suite were given.
 */
const NPX = `#!/bin/sh
env > "\${0%/*}/npx-environment"
[ -e "\${0%/*}/offline" ] || echo "\${0%/*}:/usr/bin:/bin"
`
const SUITE = `#!/bin/sh
here=\${0%/*}
[ "$1" = list ] && exec cat "$here/list"
printf '%s\\n' "$@" > "$here/arguments"
env > "$here/environment"
while [ $# -gt 0 ]; do
  case $1 in --output-dir) to=$2;; --scenario) only=$2;; --spec-version) revision=$2;; --requirements) revision=$2;; esac
  shift
done
echo $revision $only >> "$here/asked"
for file in "$here"/checks/\${only:-*}; do
  own=$to/server-\${file##*/}-2026-01-01T00-00-00
  [ -f "$file" ] && mkdir "$own" && cp "$file" "$own/checks.json"
done
`
const LIST = ([pending, ...required]: string[]): string => `Required for a revision:

Server scenarios (test against a server):
${required.map((name) => `  - ${name}\n`).join('')}
Client scenarios (test against a client):
  - initialize

Run and reported, but never scored:
  extension (1):
    - auth/dpop [client]
  pending (1):
    - ${pending} [server]
`

const suite = (t: Test, results: Record<string, object[]>, key?: string, more: Record<string, string> = {}) => {
  const checks = Object.fromEntries(Object.entries(results).map(([name, found]) => [name, JSON.stringify(found)]))
  const dir = t.testdir({ npx: NPX, conformance: SUITE, checks, list: LIST(Object.keys(results).filter((name) => !name.startsWith('sep-2640-'))) })
  for (const name of ['npx', 'conformance']) chmodSync(join(dir, name), 0o755)
  const env = { PATH: `${dir}:/usr/bin:/bin`, ...more, ...key !== undefined && { EXPLORATION_MCP_TOKEN: key } }
  return {
    dir,
    run: (url: string, ...more: string[]) => commandLine(t, { env, data: join(dir, 'data') }).run(['conformance', '--url', url, ...more]),
    asked: () => existsSync(join(dir, 'asked')) ? readFileSync(join(dir, 'asked'), 'utf8').trim().split('\n') : []
  }
}
const PASSED = { id: 'passed', status: 'SUCCESS' }
const FAILED = { id: 'failed', status: 'FAILURE', errorMessage: 'There is no tool of this name.' }

const SKILLS = Object.fromEntries(SKILL_SCENARIOS.map((name) => [name, [PASSED]]))
const RESULTS = {
  'some-empty-scenario': [],
  ping: [PASSED],
  'logging-set-level': [PASSED],
  'tools-list': [PASSED],
  'server-sse-multiple-streams': [PASSED],
  'tools-call-simple-text': [PASSED, FAILED],
  'prompts-list': [FAILED],
  'resources-list': [PASSED],
  'resources-read-text': [FAILED],
  caching: [FAILED],
  ...SKILLS
}

const { app, key } = await build(t)
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

t.test('a server is asked only what it has everything for; the rest is not exercised, and fails nothing', async (t) => {
  const only = suite(t, RESULTS, key)
  const { code, out, err } = await only.run(url)
  t.strictSame([code, err], [0, ''])
  const asked = ['logging-set-level', 'ping', 'resources-list', 'server-sse-multiple-streams', 'some-empty-scenario', 'tools-list']
  t.strictSame(only.asked().sort(), [
    ...asked.map((name) => `2025-11-25 ${name}`),
    ...[...asked, 'sep-2640-skills-directory', 'sep-2640-skills-enumeration'].sort().map((name) => `2026-07-28 ${name}`)
  ])
  t.match(out, /^tools-call-simple-text +– not exercised +– not exercised$/m)
  t.match(out, /^resources-list +✓ 1\/1/m)
  t.match(out, /^some-empty-scenario +– \(pending\) +– \(pending\)$/m)
  t.match(out, /^sep-2640-skills-enumeration +· +✓ 1\/1 \(extension\)$/m, 'the server lists skills, in 2026-07-28')
  t.match(out, /^sep-2640-skills-manifest +· +– not exercised \(extension\)$/m, 'and does not list their files among its resources')
  t.match(out, /^total +5 scenarios, 5\/5 checks +7 scenarios, 7\/7 checks/m)
  t.match(out, /Not exercised: the server lacks what these scenarios use/)
  t.notMatch(out, 'There is no tool of this name', 'nothing frightens')

  const failing = suite(t, { 'tools-call-simple-text': [FAILED], ping: [{ ...FAILED, errorMessage: `no ping for ${key}` }], ...SKILLS }, key)
  const { words, read } = everyFormat(failing.dir)
  t.match(await failing.run(url, ...words), { code: 1, err: '2 checks of the official suite failed or warned.\n', out: /no ping for/ })
  const report = read(t)
  const failed = ['2025-11-25/ping', '2026-07-28/ping']
  t.match(report, { command: 'conformance', subject: url, summary: { passed: 2, failed: 2 } })
  t.match(report.checks.filter(({ status }) => status === 'failed'), failed.map((id) => ({ id, detail: /no ping/ })))
  for (const format of FORMATS) t.notOk(readFileSync(join(failing.dir, `report.${format}`), 'utf8').includes(key), format)
  t.match(await failing.run(url, '--baseline', baseline(failing.dir, failed)), { code: 0, err: '' })
  const stale = '2026-07-28/sep-2640-skills-enumeration'
  t.match(await failing.run(url, '--baseline', baseline(failing.dir, [...failed, stale])), { code: 1, err: `passes now: ${stale}` })
  t.match(await failing.run(url, '--report', `json=${failing.dir}/nowhere/x`), { code: 2, err: /is not there/ })
})

t.test('a server of one era with tools and nothing else is asked for nothing else', async (t) => {
  const url = await jsonRpcServer(t, (method, id) => ({
    body: {
      jsonrpc: '2.0',
      id,
      ...method === 'initialize'
        ? { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } } }
        : method === 'tools/list' ? { result: { tools: [] } } : { error: { code: -32601, message: 'Method not found' } }
    }
  }))
  const only = suite(t, RESULTS)
  const { code, out } = await only.run(url, '--json')
  t.equal(code, 0)
  t.strictSame(only.asked(), ['2025-11-25 ping', '2025-11-25 tools-list', '2025-11-25 some-empty-scenario'])
  const { scenarios } = JSON.parse(out) as { scenarios: Scenario[] }
  t.match(Object.fromEntries(scenarios.map(({ name, revision, notExercised }) => [`${revision} ${name}`, notExercised])), {
    '2025-11-25 resources-list': 'the server has no resources',
    '2025-11-25 server-sse-multiple-streams': 'the server has no sessions with tools',
    '2025-11-25 logging-set-level': 'the server has no logging',
    '2026-07-28 ping': 'the server does not speak 2026-07-28'
  })
})

t.test('a server that has everything is asked by one command for each revision', async (t) => {
  const { url } = await startRewritingServer(undefined).then((server) => {
    t.teardown(() => server.close())
    return server
  })
  const whole = suite(t, RESULTS)
  await whole.run(url)
  t.strictSame(whole.asked(), ['2025-11-25', '2026-07-28', ...SKILL_SCENARIOS.map((name) => `2026-07-28 ${name}`)])
})

t.test('where no MCP server answers: one sentence, 7, and the suite does not run', async (t) => {
  const { run, asked } = suite(t, {})
  t.match(await run('http://127.0.0.1:1/mcp'), { code: 7, out: '', err: /^No server answers at http:\/\/127\.0\.0\.1:1\/mcp: .*\n$/ })
  for (const [version, answer] of [['2.0', JSON_RPC_2], ['1.0', JSON_RPC_1]] as const) {
    const url = await jsonRpcServer(t, answer)
    t.match(await run(url), { code: 7, out: '', err: `it answers JSON-RPC ${version}, and knows no method of MCP.` })
  }
  t.match(await run(url.replace('/mcp', '/elsewhere')), { code: 7, out: '', err: `Use ${url}` })
  t.match(await run(url), { code: 1, out: '', err: /needs a valid credential/ })
  t.strictSame(asked(), [])
})

t.test('what stands in the URL reaches no shell, and no secret the suite; without a network it is not fetched', async (t) => {
  const token = mint('api_key')
  const { dir, run } = suite(t, { 'some-empty-scenario': [], ping: [FAILED] }, token, { DATABASE_URL: 'postgres://u:hunter2@h/x' })
  t.match(await run('http://127.0.0.1:1/mcp;touch$IFS$HOME/pwned;'), { code: 1, err: /^(?!.*Warning)[^]*signs in it/ })
  const target = await jsonRpcServer(t, (_method, id) => ({ body: { jsonrpc: '2.0', id, result: { supportedVersions: ['2026-07-28'] } } }))
  writeFileSync(join(dir, 'offline'), '')
  t.match(await run(target), { code: 1, err: /npx did not fetch the suite/ })
  rmSync(join(dir, 'offline'))
  t.match(await run(`${target};cd\t;touch%20${dir}/pwned;`), { code: 1, err: /checks? of the official suite failed/ })
  t.notOk(existsSync(join(dir, 'pwned')))
  const [first, ...args] = readFileSync(join(dir, 'arguments'), 'utf8').split('\n')
  t.equal(first, 'server')
  t.match(args[args.indexOf('--url') + 1], /^http:\/\/localhost:\d+\/[0-9a-f]{32}\/mcp$/, 'nothing of the address but that of the proxy')
  for (const name of ['npx-environment', 'environment']) {
    const environment = readFileSync(join(dir, name), 'utf8')
    t.match(environment, /^PATH=/m)
    t.notMatch(environment, token)
    t.notMatch(environment, 'hunter2')
  }
  t.match(await suite(t, {}, 'x\ny').run('http://127.0.0.1:1/mcp'), { code: 1, err: /no bearer token/ })
})

t.test('its proxy adds the credential, passes on no path but its own, and sends a limited request again when the time of its Retry-After is over', async (t) => {
  const seen: unknown[] = []
  const target = createServer((request, reply) => {
    const { authorization, origin } = request.headers
    seen.push([authorization, origin])
    text(request).then((body) => seen.length === 1
      ? reply.writeHead(429, { 'retry-after': '0' }).end()
      : request.url === '/limited' ? reply.writeHead(429).end() : reply.end(body), t.error)
  })
  const url = `http://127.0.0.1:${await listeningPort(t, target)}/mcp`
  const waited: number[] = []
  const proxy = await bearerProxy(new URL(url), 'svc_key_X', (seconds) => waited.push(seconds))
  const limited = await bearerProxy(new URL('/limited', url), undefined)
  t.teardown(() => Promise.all([proxy.close(), limited.close()]))
  const own = new URL(proxy.url).origin
  t.equal(await (await fetch(proxy.url, { method: 'POST', body: 'sent', headers: { origin: own } })).text(), 'sent')
  t.equal(await (await fetch(proxy.url, { method: 'POST', body: 'sent', headers: { origin: 'https://evil.example' } })).text(), 'sent')
  const sent = ['Bearer svc_key_X', new URL(url).origin]
  t.strictSame(seen, [sent, sent, ['Bearer svc_key_X', 'https://evil.example']])
  t.strictSame([waited, proxy.limited()], [[0], 0])
  t.equal((await fetch(limited.url)).status, 429)
  t.equal(limited.limited(), 1)
  t.equal((await fetch(new URL('/mcp', proxy.url))).status, 404, 'without the path of its URL nothing is passed on')
  t.match(new URL(proxy.url).pathname, /^\/[0-9a-f]{32}\/mcp$/)
  t.strictSame(seen.slice(3), [[undefined, undefined]])
})
