// What someone meets who has not read anything: an empty folder, a name that does not exist, a person that need not be named.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'

const READING = [
  'audit', 'audit --ndjson', 'keys list', 'tokens list', 'users list', 'clients list', 'connections list', 'device list', 'reindex --state',
  'reindex', 'sign-in-link', 'sign-in-link --user a@example.com', 'keys create --name x --scope read', 'tokens create --name x',
  'members add --user a@example.com --workspace alpha --role viewer', 'users set-admin --user a@example.com'
]

t.test('commands that need data make none', async (t) => {
  const cli = commandLine(t)
  rmSync(cli.data, { recursive: true })
  for (const line of READING) {
    t.same(await cli.run(line), {
      code: 1,
      out: '',
      err: `There is no data folder ${cli.data} here. Start the server once (exploration-mcp serve), or name the folder with --data.\n`
    }, line)
    t.notOk(existsSync(cli.data), line)
  }
  mkdirSync(cli.data)
  t.match(await cli.run('audit'), { code: 1, err: /^There is no data in the folder / })
  t.same(readdirSync(cli.data), [])
  // As a server leaves it that found its port in use.
  writeFileSync(join(cli.data, 'lock'), '')
  t.match(await cli.run('audit'), { code: 1, err: /^There is no data in the folder / })
  t.match(await cli.run('export --output a.ndjson'), { code: 1, err: /There is no data in the folder/ })
  t.same(readdirSync(cli.data), ['lock'])
  t.equal(cli.opened(), 0)
  t.match(await cli.run('users create --email a@example.com --name A'), { code: 0 }, 'this one begins')
})

t.test('a data folder that cannot be made is one sentence, at once', async (t) => {
  const top = t.testdir({ file: '' })
  for (const [data, reason] of [
    [join(top, 'file'), 'there is a file of this name'], [join(top, 'file/below'), 'a part of its path is a file, not a folder'],
    ['/proc/none/below', 'it does not exist']
  ] as const) {
    const cli = commandLine(t, { data: join(top, 'data'), env: { DATA_DIR: data } })
    const refused = { code: 1, out: '', err: `The data folder ${data} cannot be used: ${reason}. Name another with --data.\n` }
    t.same(await cli.run('serve --port 0'), refused)
    t.same(await cli.run('users create --email a@example.com --name A'), refused)
  }
})

t.test('the only administrator need not be named', async (t) => {
  const cli = commandLine(t)
  await cli.json('users create --email ann@example.com --name Ann')
  t.match(await cli.run('keys create --name x --scope read'), { code: 1, err: /^There is no server administrator\. .* exploration-mcp users list / })
  await cli.json('users create --email eve@example.com --name Eve --server-admin')
  const serving = await cli.serve()
  t.match(serving.hello, /\n {2}exploration-mcp sign-in-link\n/)
  t.match(await cli.run('sign-in-link'), { code: 0, out: /signs in Eve <eve@example\.com>/ })
  t.match(await cli.json('keys create --name x --scope read'), { name: 'x' })
  t.match(await cli.json('tokens create --name y'), { name: 'y' })
  await cli.json('users set-admin --user ann@example.com')
  t.same(await cli.run('sign-in-link'), {
    code: 1,
    out: '',
    err: 'There are several server administrators. Choose the person with --user: ann@example.com, eve@example.com.\n'
  })
  t.match(await cli.run('sign-in-link --user x@example.com'), { code: 1, err: /^There is no user "x@example\.com"\. exploration-mcp users list shows who there is, / })
})
