import { writeFileSync } from 'node:fs'
import t from 'tap'
import { ALPHA } from '../helpers/ports.js'
import { commandLine } from '../helpers/command-line.js'

const CREATE_USER = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann Example']

for (const served of [false, true]) {
  t.test(served ? 'while a server owns the folder' : 'with no server', async (t) => {
    const cli = commandLine(t)
    if (served) await cli.serve()

    const user = await cli.json<{ id: string }>(CREATE_USER)
    t.match(user, { id: String, email: 'ann@example.com', name: 'Ann Example', kind: 'person' })
    t.match(await cli.json('users create --email bot@example.com --name Bot --kind service_account --owner ann@example.com'), { kind: 'service_account' })
    t.match(await cli.json('members add --user ann@example.com --workspace alpha --role editor'), { user_id: user.id, workspace_id: ALPHA, role: 'editor' })
    t.match(await cli.json('users list'), [{ id: user.id, memberships: 1, owner: null }, { memberships: 0, owner: 'ann@example.com' }])
    t.match(await cli.json('members remove --user ann@example.com --workspace alpha'), { user_id: user.id })

    const key = await cli.json<{ id: string, expires_at: string }>('keys create --user ann@example.com --name ci --scope read_write --workspace alpha --expires-in 90d')
    t.same(Object.keys(key), ['id', 'name', 'key', 'scope', 'expires_at'])
    t.match(key, { name: 'ci', key: /^svc_key_/, scope: 'read_write' })
    t.ok(Math.abs(Date.parse(key.expires_at) - Date.now() - 90 * 86_400_000) < 60_000)
    t.match(await cli.json('keys create --user ann@example.com --name forever --scope read'), { expires_at: null })
    t.match(await cli.json('keys list --user ann@example.com'), [{ id: key.id, workspace_ids: [ALPHA] }, { workspace_ids: null }])
    t.match(await cli.json(`keys revoke ${key.id}`), { id: key.id, revoked_at: String })

    const token = await cli.json<{ id: string }>('tokens create --user ann@example.com --name laptop')
    t.same(Object.keys(token), ['id', 'name', 'token', 'expires_at'])
    t.match(await cli.json('tokens list'), [{ id: token.id }])
    t.match(await cli.json(`tokens revoke ${token.id}`), { revoked_at: String })

    t.same(await cli.json('audit --user ann@example.com --since 24h --limit 5'), [])
    t.match(cli.ports.asked[0], { user: 'ann@example.com', since: /Z$/, limit: 5 })

    const file = `${cli.data}.ndjson`
    writeFileSync(file, 'one\ntwo\n')
    t.match(await cli.json(['import', file]), { file, total: 2 })
    t.match(await cli.json('import -', 'three\n'), { file: '-', total: 1 })
    t.same(cli.ports.imported, ['one', 'two', 'three'])
    t.match(await cli.run(['import', file, '-'], 'bad\n'), { code: 1, out: /2 records/, err: '-: line 1: not JSON\n' })

    t.equal(cli.opened() === 1, served, 'only the owner opens the database')
  })
}

t.test('refusals exit 1 with one sentence, wrong usage exits 2, help exits 0', async (t) => {
  const cli = commandLine(t)
  t.same(await cli.run('keys create --user nobody --name x --scope read'), { code: 1, out: '', err: 'There is no user nobody.\n' })
  t.match(await cli.run('import /nowhere/at-all'), { code: 1, out: '', err: '/nowhere/at-all cannot be read (ENOENT).\n' })
  t.match(await cli.run(['import', '/']), { code: 1, err: /is a folder/ })
  const usage = [
    'users create --email a@b.c', 'keys create --user u --name n --scope god', 'keys create --user u --name n --scope read --expires-in soon',
    'audit --limit 0', 'audit --since yesterday', 'serve --port http', 'keys list --colour red', 'nothing', 'import', 'keys', 'users list extra'
  ]
  for (const line of usage) t.match(await cli.run(line), { code: 2, out: '', err: /./ }, line)
  t.match(await cli.run('--help'), { code: 0, out: /Usage: exploration-mcp/ })
  t.match(await cli.run('keys create --help'), { code: 0, out: /--expires-in/ })
  t.equal(cli.opened(), 1, 'nothing is opened for a line that makes no sense')
})

t.test('faults of the configuration are one line each', async (t) => {
  const cli = commandLine(t, { env: { PORT: 'x', LOG_LEVEL: 'loud' } })
  t.match(await cli.run('users list'), { code: 1, out: '', err: /^PORT must be an integer\.\nLOG_LEVEL must be one of .*\.\n$/ })
})

t.test('people read tables, in which no record steers the terminal', async (t) => {
  const cli = commandLine(t)
  t.match(await cli.run('users list'), { out: 'There are no users yet.\n' })
  t.match(await cli.run(['users', 'create', '--email', 'eve@example.com', '--name', 'E\u001b[2Jve\u202e']), { out: /E\\u001b\[2Jve\\u202e/ })
  const { out } = await cli.run('users list')
  const [head, row] = out.split('\n')
  t.equal(head?.indexOf('EMAIL'), row?.indexOf('eve@example.com'))
  t.notOk(out.includes('\u001b') || out.includes('\u202e'))
  t.match(await cli.json('users list'), [{ name: 'E\u001b[2Jve\u202e' }])
  t.match(await cli.run('keys create --user eve@example.com --name k --scope read'), { out: /^svc_key_[^\n]+\n\nThis is the only time/ })
  t.match(await cli.run('keys list'), { out: /k +eve@example\.com +svc_… +read +all +never +never +active\n/ })
})

t.test('a database that is no folder is opened for each command, on a socket of its own', async (t) => {
  const cli = commandLine(t)
  const url = ['--database-url', 'postgres://db.example/x']
  await cli.json([...CREATE_USER, ...url])
  t.match(await cli.json(['users', 'list', ...url]), [{ email: 'ann@example.com' }])
  t.equal(cli.opened(), 2)
})

t.test('progress is drawn on a terminal only', async (t) => {
  const cli = commandLine(t)
  t.equal((await cli.run('import -', 'one\n')).err, '')
})
