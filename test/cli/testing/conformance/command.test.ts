// The conformance command: asks first, and tells what a server fails from what only the fixture of the suite has.
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SKILL_SCENARIOS } from '../../../../src/cli/testing/conformance/official-suite.js'
import { bearerProxy } from '../../../../src/cli/testing/conformance/bearer-proxy.js'
import { build } from '../../../helpers/build.js'
import { commandLine } from '../../../helpers/command-line.js'
import { JSON_RPC_1, JSON_RPC_2, jsonRpcServer } from '../../../helpers/json-rpc-server.js'

/** Instead of npx: the results of scenarios, of all or of the one that is named, and a file that says that it ran. */
const npx = (results: Record<string, object[]>): string => `#!${process.execPath}
import { mkdirSync, writeFileSync } from 'node:fs'
writeFileSync(new URL('ran', import.meta.url), '')
const folder = process.argv[process.argv.indexOf('--output-dir') + 1]
const named = process.argv[process.argv.indexOf('--scenario') + 1]
for (const [name, checks] of Object.entries(${JSON.stringify(results)})) {
  if (process.argv.includes('--scenario') ? name !== named : name.startsWith('sep-2640-')) continue
  mkdirSync(folder + '/server-' + name + '-2026-01-01T00-00-00', { recursive: true })
  writeFileSync(folder + '/server-' + name + '-2026-01-01T00-00-00/checks.json', JSON.stringify(checks))
}
`

const suite = (t: Test, results: Record<string, object[]>, key?: string) => {
  const dir = t.testdir({ npx: npx(results), 'package.json': '{"type":"module"}' })
  chmodSync(join(dir, 'npx'), 0o755)
  const env = { PATH: dir, ...key !== undefined && { EXPLORATION_MCP_TOKEN: key } }
  return {
    run: (url: string) => commandLine(t, { env, data: join(dir, 'data') }).run(['conformance', '--url', url]),
    ran: () => existsSync(join(dir, 'ran'))
  }
}
const PASSED = { id: 'passed', status: 'SUCCESS' }
const FAILED = { id: 'failed', status: 'FAILURE', errorMessage: 'There is no tool of this name.' }

t.test('what only the fixture has is not exercised, and fails nothing', async (t) => {
  const { app, key } = await build(t)
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  const only = suite(t, {
    ping: [PASSED],
    'tools-call-simple-text': [PASSED, FAILED],
    'prompts-list': [FAILED],
    'resources-list': [PASSED],
    'resources-read-text': [FAILED],
    caching: [FAILED],
    'some-empty-scenario': [],
    'sep-2640-skills-enumeration': [PASSED],
    'sep-2640-skills-directory': [PASSED],
    'sep-2640-skills-manifest': [FAILED]
  }, key)
  const { code, out, err } = await only.run(url)
  t.strictSame([code, err], [0, ''])
  t.match(out, /^tools-call-simple-text +– not exercised +– not exercised$/m)
  t.match(out, /^prompts-list +– not exercised/m)
  t.match(out, /^resources-list +✓ 1\/1/m)
  t.match(out, /^resources-read-text +– not exercised/m)
  t.match(out, /^some-empty-scenario +– +–$/m)
  t.match(out, /^sep-2640-skills-enumeration +· +✓ 1\/1 \(extension\)$/m, 'the server lists skills, in 2026-07-28')
  t.match(out, /^sep-2640-skills-manifest +· +– not exercised \(extension\)$/m, 'and does not list their files among its resources')
  t.match(out, /^total +2 scenarios, 2\/2 checks +4 scenarios, 4\/4 checks/m)
  t.match(out, /Not exercised: what uses tools, prompts or resources of the fixture/)
  t.notMatch(out, 'There is no tool of this name', 'nothing frightens')

  const skills = Object.fromEntries(SKILL_SCENARIOS.map((name) => [name, []]))
  const failing = suite(t, { ping: [FAILED], 'tools-call-simple-text': [FAILED], ...skills }, key)
  t.match(await failing.run(url), { code: 1, err: '2 checks of the official suite failed or warned.\n' })
})

t.test('where no MCP server answers: one sentence, 7, and the suite does not run', async (t) => {
  const { run, ran } = suite(t, {})
  t.match(await run('http://127.0.0.1:1/mcp'), { code: 7, out: '', err: /^No server answers at http:\/\/127\.0\.0\.1:1\/mcp: .*\n$/ })
  for (const [version, answer] of [['2.0', JSON_RPC_2], ['1.0', JSON_RPC_1]] as const) {
    const url = await jsonRpcServer(t, answer)
    t.match(await run(url), { code: 7, out: '', err: `it answers JSON-RPC ${version}, and knows no method of MCP.` })
  }
  const { app } = await build(t)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  t.match(await run(`${base}/elsewhere`), { code: 7, out: '', err: `Use ${base}/mcp` })
  t.match(await run(`${base}/mcp`), { code: 1, out: '', err: /needs a valid credential/ })
  t.notOk(ran())
})

t.test('a limited request is sent again when the time of its Retry-After is over', async (t) => {
  let asked = 0
  const bodies: unknown[] = []
  const target = await jsonRpcServer(t, (method, id) => {
    bodies.push([method, id])
    return asked++ === 0 ? { status: 429, body: {} } : { body: { jsonrpc: '2.0', id, result: {} } }
  }, { 'retry-after': '0' })
  const waited: number[] = []
  const proxy = await bearerProxy(new URL(target), undefined, (seconds) => waited.push(seconds))
  t.teardown(() => proxy.close())
  const reply = await fetch(proxy.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' }) })
  t.match(await reply.json(), { id: 7, result: {} })
  t.strictSame([waited, proxy.limited(), bodies], [[0], 0, [['ping', 7], ['ping', 7]]])
})
