// serve --platform-url: a front as an operator starts it.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tools } from '../../src/planning/tools/index.js'
import { modern } from '../helpers/build.js'
import { commandLine, noDatabase } from '../helpers/command-line.js'
import { json, oddPlatform, status } from '../helpers/odd-platform.js'
import { until } from '../helpers/until.js'
import { frontOf, platformServer, TOKEN } from '../helpers/platform.js'
import { readingTools } from '../helpers/reading-tools.js'
import { wireTo } from '../helpers/wire.js'

const endpointIn = (hello: string): string => JSON.parse(hello).endpoint

t.test('it needs no database and no folder, and doctor says how its platform is', async (t) => {
  const platform = await platformServer(t)
  const cli = commandLine(t, { env: { PLATFORM_TOKEN: TOKEN }, openBackend: noDatabase })
  const { hello, stop } = await cli.serve(`serve --port 0 --platform-url ${platform.url} --json`)
  const url = endpointIn(hello)
  const reply = await wireTo(t, url, platform.key).modern('tools/call', { name: 'list_workspaces', arguments: {} })
  t.match(await reply.message(), { result: { structuredContent: { workspaces: Array } } })
  t.equal(cli.opened(), 0)
  t.throws(() => statSync(cli.data), 'not even a folder')
  const doctor = async () => (await cli.run(['doctor', '--url', url])).out
  t.match(await doctor(), /^✔ platform: ok$/m)
  t.match((await cli.run(['doctor', '--url', `${platform.url}/mcp`])).out, /^– platform: the server has a database of its own$/m)
  await platform.app.close()
  // The answer of /readyz is kept for a second.
  let report = ''
  await until(async () => (report = await doctor()).includes('platform: away'))
  t.match(report, /^✖ platform: away → .*PLATFORM_URL/m)
  t.equal((await stop()).code, 0)
})

t.test('an embedded server lets fronts in when it says so; on one machine by the token of its folder, which goes to no other machine', async (t) => {
  const folder = t.testdir()
  const home = (env: Record<string, string>) => commandLine(t, { env, data: join(folder, 'data') })
  const file = join(folder, 'data/platform-token')
  const closed = await home({}).serve('serve --port 0 --no-sample --json')
  t.equal((await fetch(new URL('/api/v1/platform', endpointIn(closed.hello)))).status, 404)
  t.throws(() => statSync(file))
  await closed.stop()
  await (await home({ PLATFORM_API: 'true' }).serve()).stop()
  const token = readFileSync(file, 'utf8').trim()
  t.ok(token.length >= 32)
  t.equal(statSync(file).mode & 0o777, 0o600)
  const odd = await oddPlatform(t, json({ name: 'x', version: '1' }))
  await (await home({}).serve(`serve --port 0 --platform-url ${odd.url}`)).stop()
  const env = { PLATFORM_TOKEN_FILE: file, PLATFORM_URL: `${odd.url}/api/v1` }
  await (await commandLine(t, { env, data: join(folder, 'other') }).serve('serve --port 0')).stop()
  t.same(odd.headers.map(({ authorization }) => authorization), [`Bearer ${token}`, `Bearer ${token}`], 'or of a file that is named')
  t.same(odd.asked, ['GET /api/v1/platform', 'GET /api/v1/platform'])
})

t.test('a platform that is away is waited for; one that does not let it in is not', async (t) => {
  const odd = await oddPlatform(t, status(503))
  const cli = commandLine(t, { env: { PLATFORM_TOKEN: TOKEN } })
  const { hello, stop } = await cli.serve(`serve --port 0 --platform-url ${odd.url} --json`)
  t.equal((await wireTo(t, endpointIn(hello), 'svc_key_ABCDEFGH').modern('tools/list')).status, 503)
  await stop()
  odd.next(status(401))
  t.match(await cli.run(`serve --port 0 --platform-url ${odd.url}`), {
    code: 1, err: /does not let this gateway in. Check PLATFORM_TOKEN/
  })
  odd.next(status(404))
  t.match(await cli.run(`serve --port 0 --platform-url ${odd.url}`), { code: 1, err: /check PLATFORM_URL/ })
})

t.test('what does not go together is refused, without a secret', async (t) => {
  const url = 'http://127.0.0.1:1'
  for (const [line, env, err] of [
    [`serve --platform-url ${url}`, { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1/x' }, /A gateway has no database/],
    ['serve', { PLATFORM_URL: 'ftp://x' }, /PLATFORM_URL must match/],
    ['serve', { PLATFORM_URL: 'http://platform.example', PLATFORM_TOKEN: TOKEN }, /^PLATFORM_URL is plain http to another machine: .*ALLOW_HTTP=true/],
    ['serve', { PLATFORM_URL: url, PLATFORM_TOKEN: 'short' }, /PLATFORM_TOKEN must have at least 32/],
    [`serve --platform-url ${url}`, { VALKEY_URL: 'redis://127.0.0.1:1' }, /SESSION_SECRET is not set/],
    ['users list', { PLATFORM_URL: url }, /run the command there/]
  ] as Array<[string, Record<string, string>, RegExp]>) {
    const refused = await commandLine(t, { env }).run(line)
    t.match(refused, { code: 1, err }, line)
    t.notMatch(refused.err, 'hunter2')
  }
})

t.test('agents only read at a gateway, whatever its platform lets them do', async (t) => {
  const platform = await platformServer(t)
  const { db, people, credentials, app, url } = platform
  const [workspace] = await db.query<{ id: string }>("update workspaces set agents = 'report' where slug = 'kiln' returning id")
  const { id: user } = await people.createUser({ email: 'writer@example.com', name: 'Writer', kind: 'person' })
  await people.addMember({ user, workspace: workspace!.id, role: 'editor' })
  const { key } = await credentials.createKey({ user, name: 'builder', scope: 'read_write' })
  const list = async (server: typeof app) => (await modern<{ result: { tools: Array<{ name: string }> } }>(server, key, 'tools/list')).body.result.tools.map(({ name }) => name)
  t.same(await list(app), tools.map(({ name }) => name), 'the platform itself')

  const front = await frontOf(t, url)
  t.same(await list(front.app), readingTools.map(({ name }) => name))
  t.match((await modern<{ error: object }>(front.app, key, 'tools/call', { name: 'claim_item', arguments: {} })).body.error, { code: -32602 })
  t.match((await modern(front.app, key, 'server/discover')).text, /"tools":\{\}/, 'its list does not change')
})
