import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { DataFolder, ownerOf, socketIn } from '../../src/server/data-folder.js'
import { ManagementClient } from '../../src/cli/management-client.js'
import { serveManagement } from '../../src/server/serve-management.js'
import { commandLine } from '../helpers/command-line.js'
import { userLine, textOf } from '../helpers/planning-data.js'

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

t.test('a secret is made once and kept for the owner alone', async (t) => {
  const folder = (await DataFolder.take(join(t.testdir(), 'data'), 1))!
  t.teardown(() => folder.release())
  const secret = await folder.secret('session-secret')
  t.equal(await folder.secret('session-secret'), secret)
  t.not(await folder.secret('other'), secret)
  writeFileSync(join(folder.path, 'session-secret'), 'cut')
  t.not(await folder.secret('session-secret'), 'cut', 'one that was half written is made anew')
})

t.test('an owner that is killed in an import: that says so, no lock is left, and its socket stands in no one’s way', async (t) => {
  const cli = commandLine(t)
  const script = fileURLToPath(new URL(`../helpers/folder-owner${extname(import.meta.url)}`, import.meta.url))
  const owner = spawn(process.execPath, [...process.execArgv, script, cli.data], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => owner.kill('SIGKILL'))
  await once(owner.stdout, 'data')
  t.equal(await DataFolder.take(cli.data, 1), undefined)
  t.equal(await ownerOf(cli.data), `process ${owner.pid}`)
  t.same(await cli.json('users list'), [], 'the owner answers')
  const importing = cli.run('import -', textOf([userLine('ann')]))
  await once(owner.stdout, 'data')
  owner.kill('SIGKILL')
  // It holds the folder until the kernel has ended it.
  await once(owner, 'exit')
  t.match(await importing, { code: 1, out: '', err: /^-: The server stopped before it was done\. .*\n$/ })
  t.equal(cli.opened(), 0)
  t.ok(statSync(socketIn(cli.data)).isSocket(), 'the dead socket is there')
  t.match(await cli.run('users list'), { code: 0 })
  t.equal(cli.opened(), 1)
  t.throws(() => statSync(socketIn(cli.data)), 'and is cleaned up')
  t.equal(readFileSync(join(cli.data, 'lock'), 'utf8'), '')
})

t.test('a folder that was open to others, and its socket, are for their user alone, however long its path', { skip: process.platform !== 'linux' }, async (t) => {
  const backend = await commandLine(t).backend()
  for (const name of ['short', 'long'.repeat(50)]) {
    const path = join(t.testdir(), name)
    mkdirSync(path, { mode: 0o755 })
    const folder = (await DataFolder.take(path, 1))!
    t.equal(mode(path), '700')
    const served = await serveManagement(socketIn(folder.path), backend)
    t.equal(mode(served.socket), '600')
    const client = await ManagementClient.connect(served.socket)
    t.match(await client?.call('GET /users'), { users: [] })
    await client?.close()
    await served.close()
    t.equal(await ManagementClient.connect(served.socket), undefined)
    await folder.release()
  }
})
