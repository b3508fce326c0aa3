import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { Refusal } from '../../src/lib/errors.js'
import { SERVER } from '../../src/config/server-info.js'
import { mint } from '../../src/access/credentials/secret.js'
import { commandLine } from '../helpers/command-line.js'
import { listeningPort } from '../helpers/listening-port.js'
import { ALPHA, alphaLine, textOf, userLine } from '../helpers/planning-data.js'

const CREATE_USER = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann Example']

const served = commandLine(t)
await served.serve()

t.test('while a server owns the folder', async (t) => {
  const cli = served
  t.match(await cli.run('users list'), { out: 'There are no users yet.\n' })
  await cli.json('import -', textOf([alphaLine]))

  const user = await cli.json<{ id: string }>(CREATE_USER)
  t.match(user, { id: String, email: 'ann@example.com', name: 'Ann Example', kind: 'person' })
  t.match(
    await cli.json('users create --email bot@example.com --name Bot --kind service_account --owner ann@example.com'),
    { kind: 'service_account' }
  )
  t.match(await cli.json('members add --user ann@example.com --workspace alpha --role editor'), {
    user_id: user.id, workspace_id: ALPHA, role: 'editor'
  })
  t.match(await cli.json('users list'), [{ id: user.id, memberships: 1, owner: null }, { memberships: 0, owner: 'ann@example.com' }])
  t.match(await cli.json('users set-admin --user ann@example.com'), { server_admin: true })
  t.match(await cli.json('users sign-out --user ann@example.com --passkeys'), { user: { id: user.id }, sessions: 0, passkeys: 0 })
  t.match(await cli.json('users deactivate --user bot@example.com'), { deactivated_at: String })
  t.match(await cli.json('users activate --user bot@example.com'), { deactivated_at: null })
  const link = await cli.json<{ url: string }>('sign-in-link --user ann@example.com')
  t.same(Object.keys(link), ['url', 'expires_at'])
  t.match(link.url, /^http:\/\/localhost:\d+\/sign-in#token=svc_link_[A-Z2-7]{52}$/)
  t.match(await cli.run('sign-in-link --user ann@example.com'), { out: /signs in Ann Example <ann@example\.com>, once, until/ })

  const key = await cli.json<{ id: string, expires_at: string }>('keys create --user ann@example.com --name ci --scope read_write --workspace alpha --expires-in 90d')
  t.same(Object.keys(key), ['id', 'name', 'key', 'scope', 'expires_at'])
  t.match(key, { name: 'ci', key: /^svc_key_/, scope: 'read_write' })
  t.ok(Math.abs(Date.parse(key.expires_at) - Date.now() - 90 * 86_400_000) < 60_000)
  t.match(await cli.json('keys create --user ann@example.com --name forever --scope read'), { expires_at: null })
  t.match(await cli.json('keys list --user ann@example.com'), [{ id: key.id, workspace_ids: [ALPHA] }, { workspace_ids: null }])
  t.match(await cli.json(`keys revoke ${key.id}`), { id: key.id, revoked_at: String })
  t.match(await cli.json('members remove --user ann@example.com --workspace alpha'), { user_id: user.id })

  const token = await cli.json<{ id: string }>('tokens create --user ann@example.com --name laptop')
  t.same(Object.keys(token), ['id', 'name', 'token', 'expires_at'])
  t.match(await cli.json('tokens list'), [{ id: token.id }])
  t.match(await cli.json(`tokens revoke ${token.id}`), { revoked_at: String })

  const file = `${cli.data}.ndjson`
  writeFileSync(file, textOf([userLine('one'), userLine('two')]))
  t.match(await cli.json(['import', file]), { file, total: 2 })
  t.match(await cli.json('import -', textOf([userLine('three')])), { file: '-', total: 1 })
  t.equal((await cli.json<unknown[]>('users list')).length, 5)
  t.match(await cli.run(['import', file, '-'], 'bad\n'), { code: 1, out: /2 records/, err: /^-: .*ine 1: .*JSON/ })

  t.equal(cli.opened(), 1, 'only the owner opens the database')
})

t.test('with no server each command opens the database, also one that is no folder, on a socket of its own', async (t) => {
  const cli = commandLine(t)
  for (const [index, words] of [[], ['--database-url', 'postgres://db.example/x']].entries()) {
    await cli.json([...CREATE_USER.map((word) => word.replace('ann@', `ann${index}@`)), ...words])
    t.match(await cli.json(['users', 'list', ...words]), Array.from({ length: index + 1 }, (_, n) => ({ email: `ann${n}@example.com` })))
    t.equal(cli.opened(), 2 * (index + 1))
  }
})

t.test('refusals exit 1 with one sentence, wrong usage exits 2, help exits 0', async (t) => {
  const cli = commandLine(t)
  t.match(await cli.run('keys create --user nobody --name x --scope read'), {
    code: 1, out: '', err: /^There is no user "nobody"\. exploration-mcp users list shows who there is/
  })
  t.match(await cli.run('import /nowhere/at-all'), {
    code: 1, out: '', err: 'There is no file /nowhere/at-all.\n'
  })
  t.match(await cli.run(['import', cli.home]), { code: 1, err: /No plans were found here\. These formats are read/ })
  const usage = [
    'users create --email a@b.c', 'keys create --user u --name n --scope god', 'keys create --user u --name n --scope read --expires-in soon',
    'audit --limit 0', 'audit --since yesterday', 'serve --port http', 'keys list --colour red', 'nothing', 'import', 'keys', 'users list extra'
  ]
  for (const line of usage) t.match(await cli.run(line), { code: 2, out: '', err: /./ }, line)
  t.match(await cli.run('--help'), { code: 0, out: /Usage: exploration-mcp/ })
  t.same(await cli.run('--version'), { code: 0, out: `${SERVER.version}\n`, err: '' })
  t.match(await cli.run('keys create --help'), { code: 0, out: /--expires-in/ })
  t.equal(cli.opened(), 2, 'nothing is opened for a line that makes no sense')
})

t.test('people read tables, in which no record steers the terminal', async (t) => {
  const cli = served
  t.match(
    await cli.run(['users', 'create', '--email', 'eve@example.com', '--name', 'E\u001b[2Jve\u202e']),
    { out: /E\\u001b\[2Jve\\u202e/ }
  )
  const { out } = await cli.run('users list')
  const [head, ...rows] = out.split('\n')
  t.ok(rows.some((row) => row.indexOf('eve@example.com') === head?.indexOf('EMAIL')))
  t.notOk(out.includes('\u001b') || out.includes('\u202e'))
  t.ok((await cli.json<Array<{ name: string }>>('users list')).some(({ name }) => name === 'E\u001b[2Jve\u202e'))
  for (const name of ['Ann', '初期', 'Jose\u0301 🚀']) await cli.json(['users', 'create', '--email', `x${name.length}@example.com`, '--name', name])
  t.match((await cli.run('users list')).out, /初期 {16}person[^]*Ann {17}person[^]*Jose\u0301 🚀 {13}person/u, 'where characters are two columns wide, or none')
  t.match(await cli.run('keys create --user eve@example.com --name k --scope read'), { out: /^svc_key_[^\n]+\n\nThis is the only time/ })
  t.match(await cli.run('keys list'), { out: /k +eve@example\.com +svc_key_\S+… +read +all +never +never +active\n/ })
})

t.test('the lines of a refusal are lines, and nothing in them steers a terminal', async (t) => {
  const cli = commandLine(t)
  ;(await cli.backend()).importRecords = async () => { throw new Refusal('Line 1: \u001b[2J.\nLine 2: it is not JSON.\nNothing was imported.') }
  t.match(await cli.run('import -', 'x'), {
    code: 1, err: '-: Line 1: \\u001b[2J.\nLine 2: it is not JSON.\nNothing was imported.\n'
  })
})

t.test('plain http beyond this machine: no credential is sent without --allow-http', async (t) => {
  const seen: string[] = []
  const server = createServer((request, reply) => {
    seen.push(request.headers.authorization ?? 'none')
    request.resume()
    reply.writeHead(401).end()
  })
  // An address of this machine that is not loopback by its name.
  const url = `http://0.0.0.0:${await listeningPort(t, server)}/mcp`
  const token = mint('personal_access_token', 'ABCDEF')
  const cli = commandLine(t, { env: { EXPLORATION_MCP_TOKEN: token } })
  mkdirSync(join(cli.home, '.cursor'))
  const refused = { code: 1, err: /is plain http: .*--allow-http/ }
  for (const line of [`init --yes --url ${url}`, `init --yes --json --url ${url}`, `init --dry-run --url ${url} --token-file -`, `conformance --url ${url}`]) {
    t.match(await cli.run(line, token), refused, line)
  }
  const doctor = await cli.run(`doctor --url ${url}`)
  t.match(doctor, { code: 1, out: /✖ tls: plain http.*so nothing is sent → .*--allow-http/ })
  t.match(doctor.out, /^✔ credential: a personal access token of deployment ABCDEF, its checksum fits$/m)
  t.match(JSON.parse((await cli.run(`doctor --json --url ${url}`)).out), { ok: false })
  t.strictSame(seen, [], 'nothing at all was sent')

  t.match(await cli.run(`init --yes --allow-http --url ${url} --token-file -`, token), {
    code: 1, err: /refuses this credential/
  })
  t.match(await cli.run(`doctor --allow-http --url ${url}`), { out: /! tls: plain http/ })
  t.ok(seen.includes(`Bearer ${token}`))

  // What was registered at such an address is taken out; its end waits for leave to say so in clear.
  const folder = join(cli.home, '.config/exploration-mcp')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const tokens = { host: { token, id: 'one', kind: 'personal_access_token', expires_at: null } }
  const kept = { version: 1, servers: { [url]: { tokens, next: {}, retired: [], registrations: [] } } }
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(kept), { mode: 0o600 })
  seen.length = 0
  t.match(await cli.run('uninstall --yes'), { code: 1, out: /The token one still works: .*plain http.*--allow-http/ })
  t.strictSame(seen, [])
  t.match(await cli.run('uninstall --yes --allow-http'), { code: 1, out: /did not revoke/ })
  t.equal(seen.length, 1)

  // EXPLORATION_MCP_TOKEN goes to whatever server these commands name: without TLS they say so.
  const warning = `Warning: the token of EXPLORATION_MCP_TOKEN goes to ${new URL(url).origin} without TLS`
  const [bare, file] = [commandLine(t), join(cli.home, 'session.ndjson')]
  const client = [process.execPath, '-e', 'fetch(process.env.MCP_URL, { method: "POST" }).then((reply) => reply.text())']
  const record = (output: string) => ['record', '--to', url, '--output', output, '--', ...client]
  t.match(await cli.run(record(file)), refused, 'record')
  t.match(await cli.run(['record', '--allow-http', ...record(file).slice(1)]), { code: 0, err: warning })
  t.equal(seen.at(-1), `Bearer ${token}`)
  t.match(await bare.run(['record', '--allow-http', '--to', url, '--output', `${file}2`, '--', 'true']), { err: /Warning: what clients send goes to/ })
  t.match(await cli.run(['replay', file, '--url', url]), refused, 'replay')
  t.match(await cli.run(['replay', file, '--allow-http', '--url', url]), { err: warning })
  t.match(await cli.run(['conformance', '--allow-http', '--url', url]), { code: 1, err: warning })
  t.notMatch((await bare.run(['conformance', '--allow-http', '--url', url])).err, 'Warning', 'without a token nothing is sent')
})

t.test('a sign-in link needs the web application and a known address', async (t) => {
  const first = commandLine(t)
  await first.json(CREATE_USER)
  const link = (env: Record<string, string>) =>
    commandLine(t, { env, data: first.data, openBackend: async () => ({ ...await first.backend(), close: async () => {} }) }).run('sign-in-link --user ann@example.com')
  t.match(await link({ WEB: 'off' }), { code: 1, err: /^WEB is off/ })
  t.match(await link({ PORT: '0' }), { code: 1, err: /its port is not known/ })
  t.match(await link({ PUBLIC_URL: 'https://plans.example/base' }), { out: /https:\/\/plans\.example\/base\/sign-in#token=svc_link_/ })
})

t.test('clients', async (t) => {
  const cli = served
  const open = await cli.json<{ client_id: string }>('clients create --name Open --redirect-uri https://app.example/cb http://localhost/cb')
  t.same(Object.keys(open), ['client_id', 'name', 'redirect_uris', 'created_at'])
  const closed = await cli.json<{ client_id: string, client_secret: string }>('clients create --name Closed --redirect-uri https://app.example/cb --confidential')
  t.match(closed, { client_id: /^[0-9a-f-]{36}$/, client_secret: /^svc_secret_/, name: 'Closed', redirect_uris: ['https://app.example/cb'] })
  t.match(await cli.json('clients list'), [{ id: closed.client_id, confidential: true }, { id: open.client_id, confidential: false }])
  t.notMatch((await cli.run('clients list')).out, /svc_secret/)
  t.match(await cli.json(`clients revoke ${open.client_id}`), { revoked_at: String })
  t.match(await cli.run('clients create --name X --redirect-uri http://app.example/cb'), { code: 1, err: /has to be https/ })
  t.match(await cli.run('clients revoke nothing'), { code: 1 })
  t.match(await cli.run('clients create --name Shown --redirect-uri https://app.example/cb --confidential'), { out: /client_id .*\nclient_secret svc_secret_.*only time/s })
  t.same(await cli.json('connections list --user ann@example.com'), [])
  t.match(await cli.run('connections list'), { out: /No applications are connected/ })
  t.match(await cli.run('connections revoke nothing'), { code: 1, err: /There is no connection/ })
})
