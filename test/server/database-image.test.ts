// A new data folder begins with a prepared database. What nobody needs of it is left out: the server starts on the rest, again and again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { PROGRAM } from '../helpers/program.js'

const MAX_LOG_FILES = 2

const start = async (t: Test, folder: string, whileRunning: (hello: { endpoint: string, key?: string }) => Promise<void>) => {
  const child = spawn(process.execPath, [...PROGRAM, 'serve', '--data', folder, '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  await whileRunning(JSON.parse(line))
  child.kill()
  t.same(await ended, [0, null])
}

const post = (endpoint: string, key: string | undefined): Promise<Response> => fetch(endpoint, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': '2026-07-28'
  },
  body: '{}'
})

const statusOf = async (endpoint: string, key: string | undefined): Promise<number> => (await post(endpoint, key)).status

t.test('a data folder that was made from the prepared database', async (t) => {
  const folder = t.testdir()
  let key: string | undefined
  await start(t, folder, async (hello) => {
    key = hello.key
    t.match(key, /^svc_key_/)
    t.equal(await statusOf(hello.endpoint, key), 400, 'the key is let in')
  })
  t.same(readdirSync(join(folder, 'database/base')), ['5'], 'one database, and none to copy further ones from')
  t.ok(readdirSync(join(folder, 'database/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length <= MAX_LOG_FILES)
  await start(t, folder, async ({ endpoint, key: another }) => {
    t.equal(another, undefined, 'a later start makes no key')
    t.equal(await statusOf(endpoint, key), 400)
    t.equal(await statusOf(endpoint, 'svc_key_x'), 401)
  })
  await start(t, `${folder}/other`, async ({ endpoint }) => {
    const refused = await post(endpoint, key)
    t.equal(refused.status, 401)
    t.match(await refused.text(), /This credential is of another deployment/, 'each data folder is a deployment of its own')
  })
})
