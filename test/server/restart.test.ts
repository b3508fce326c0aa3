// The program on a data folder: a first start, which begins with a prepared database; the folder, copied as a backup is while no one serves
// from it, for the next start; and a folder of another deployment.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { PROGRAM } from '../helpers/program.js'
import { session, wireTo } from '../helpers/wire.js'

const MAX_LOG_FILES = 2
// A guard, far above what it takes: a new large part is noticed. Figures: npm run bench -- embedded.
const MAX_PEAK_MB = 330

interface Hello { endpoint: string, key?: string, pid: number | undefined }

const start = async (t: Test, folder: string, whileRunning: (hello: Hello) => Promise<void>) => {
  const child = spawn(process.execPath, [...PROGRAM, 'serve', '--data', folder, '--port', '0', '--json'], {
    // However busy the machine is: no request is refused for it.
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  await whileRunning({ ...JSON.parse(line) as { endpoint: string, key?: string }, pid: child.pid })
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

/** Megabytes, of a process on Linux. */
const peakMemory = (pid: number | undefined): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

t.test('a data folder from its first start on', async (t) => {
  const [folder, copy, other] = ['data', 'copy', 'other'].map((name) => join(t.testdir(), name)) as [string, string, string]
  let key = ''
  let headers = {}

  await t.test('a first start with the sample data', async (t) => start(t, folder, async (hello) => {
    key = hello.key ?? ''
    t.match(key, /^svc_key_/)
    if (process.platform === 'linux') {
      const peak = peakMemory(hello.pid)
      t.ok(peak > 50 && peak < MAX_PEAK_MB, `${Math.round(peak)} MB`)
    }
    t.equal(await statusOf(hello.endpoint, key), 400, 'the key is let in')
    headers = await session(wireTo(t, hello.endpoint, key))
  }))

  await t.test('what no one needs of the prepared database is left out', async (t) => {
    t.same(readdirSync(join(folder, 'database/base')), ['5'], 'one database, and none to copy further ones from')
    t.ok(readdirSync(join(folder, 'database/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length <= MAX_LOG_FILES)
  })

  cpSync(folder, copy, { recursive: true })
  rmSync(folder, { recursive: true })
  await t.test('a copied data folder serves what there was: the key, the session, the secret that signed it', async (t) =>
    start(t, copy, async ({ endpoint, key: another }) => {
      t.equal(another, undefined, 'a later start makes no key')
      t.equal(await statusOf(endpoint, key), 400)
      t.equal(await statusOf(endpoint, 'svc_key_x'), 401)
      const reply = await wireTo(t, endpoint, key).post({
        id: 1, method: 'tools/call', params: { name: 'find_explorations', arguments: { query: 'instalments' } }
      }, headers)
      t.match(await reply.message(), { result: { structuredContent: { explorations: [{ title: /instalments/ }] } } })
    }))

  await t.test('each data folder is a deployment of its own', async (t) => start(t, other, async ({ endpoint }) => {
    const refused = await post(endpoint, key)
    t.equal(refused.status, 401)
    t.match(await refused.text(), /This credential is of another deployment/)
  }))
})
