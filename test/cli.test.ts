// The program as it is built, in processes of its own: a first start, which begins with a prepared database; commands beside it; and what
// the system sees of them: signals, exit codes, modes of files. Then its folder, moved, for the next start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { DataFolder } from '../src/server/data-folder.js'
import { openBackend } from '../src/server/open-backend.js'
import { KEY, SELF_SIGNED } from './agent-setup/certificates.js'
import { proxy } from './agent-setup/misbehaving.js'
import { commandLine } from './helpers/command-line.js'
import { testConfig } from './helpers/config.js'
import { PROGRAM } from './helpers/program.js'
import { session, wireTo } from './helpers/wire.js'

const MAX_LOG_FILES = 2
// A guard, far above what it takes: a new large part is noticed. Figures: npm run bench -- embedded.
const MAX_PEAK_MB = 330
const { PATH } = process.env

function start (t: Test, data: string, args: string[], env: Record<string, string> = {}) {
  // The home of no one's agents.
  const child = spawn(process.execPath, [...PROGRAM, ...args, '--data', data], { env: { PATH, HOME: `${data}-home`, LOG_LEVEL: 'fatal', ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end()
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    .then(([[code, signal], out, err]) => ({ code, signal, out, err }))
  return { child, ended }
}

async function serve (t: Test, data: string) {
  const server = start(t, data, ['serve', '--port', '0'])
  const [said] = await Promise.race([once(server.child.stdout, 'data'), server.ended.then((ended) => { throw new Error(ended.err) })])
  const hello = String(said)
  return { ...server, hello, url: /http:\S+/.exec(hello)![0], key: /svc_key_\w+/.exec(hello)?.[0] }
}

/** What others of the machine can open in a folder. */
const open = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => (statSync(join(folder, path)).mode & 0o077) !== 0)

/** Megabytes, of a process on Linux. */
const peakMemory = (pid: number | undefined): number => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

t.test('a server of the sample', async (t) => {
  // What a first start leaves that was killed while it made the database.
  const folder = t.testdir({ data: { 'database.unfinished': { PG_VERSION: '' } } })
  const [data, moved] = [join(folder, 'data'), join(folder, 'moved')]
  const first = await serve(t, data)
  const key = first.key ?? ''
  const headers = await session(wireTo(t, first.url, key))

  await t.test('what no one needs of the prepared database is left out', async (t) => {
    t.notOk(existsSync(join(data, 'database.unfinished')))
    t.same(readdirSync(join(data, 'database/base')), ['5'], 'one database, and none to copy further ones from')
    t.ok(readdirSync(join(data, 'database/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length <= MAX_LOG_FILES)
    if (process.platform !== 'linux') return
    const peak = peakMemory(first.child.pid)
    t.ok(peak > 50 && peak < MAX_PEAK_MB, `${Math.round(peak)} MB`)
  })

  await t.test('commands beside it: as the start prints one, in any folder; one whose reader closes the pipe; wrong usage', async (t) => {
    const [, command = ''] = /^ {2}(.* sign-in-link .*)$/m.exec(first.hello) ?? []
    const signIn = spawn('sh', ['-c', command], { cwd: t.testdir(), env: { PATH }, stdio: ['ignore', 'pipe', 'inherit'] })
    const piped = spawn(process.execPath, [...PROGRAM, 'audit', '--ndjson', '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] })
    piped.stdout.destroy()
    const base = /pages are at (\S+)\. /.exec(first.hello)?.[1] ?? 'none'
    const [[exit], said, link] = await Promise.all([once(piped, 'exit'), text(piped.stderr), text(signIn.stdout)])
    t.match(link, `${base}/sign-in#token=svc_link_`)
    t.match({ exit, said }, { exit: 0, said: '' })
    t.match(await start(t, data, ['keys', 'create']).ended, { code: 2, out: '', err: /required option/ })
  })

  await t.test('doctor, over TLS with a certificate that only its process trusts', async (t) => {
    const files = t.testdir({ 'ca.pem': SELF_SIGNED, token: key })
    const { url } = await proxy(t, first.url, { tls: { key: KEY, cert: SELF_SIGNED } })
    // Through a proxy it waits for the server's sign of life, fifteen seconds; each line comes as it is found.
    const { child } = start(t, data, ['doctor', '--url', url, '--token-file', join(files, 'token')], { NODE_EXTRA_CA_CERTS: join(files, 'ca.pem') })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
    while (!out.includes('clock:') && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    t.match(out, /^✔ tls: TLSv1\.\d, certificate valid until 2120-01-01$/m)
    t.match(out, /^✔ workspaces: 3 visible$/m)
    t.notMatch(out, '✖')
  })

  await t.test('stopped, and its folder moved: it serves what there was, to no one else of the machine', async (t) => {
    t.strictSame(open(data), [], 'no one else can open anything of it while it serves')
    first.child.kill('SIGTERM')
    t.match(await first.ended, { code: 0, signal: null, err: '' })
    t.strictSame(open(data), [], 'no one else can open anything of it')
    renameSync(data, moved)
    chmodSync(join(moved, 'database'), 0o755)
    chmodSync(join(moved, 'database/PG_VERSION'), 0o666)

    // In this process, which makes files for its user alone as the program does.
    const umask = process.umask(0o077)
    t.teardown(() => process.umask(umask))
    const cli = commandLine(t, { data: moved, openBackend })
    const { hello, stop } = await cli.serve('serve --port 0')
    t.notMatch(hello, 'svc_key_', 'a later start makes no key')
    const reply = await wireTo(t, /http:\S+/.exec(hello)![0], key).post({
      id: 1, method: 'tools/call', params: { name: 'list_workspaces', arguments: {} }
    }, headers)
    t.match(await reply.message(), { result: { structuredContent: { workspaces: [{}, {}, {}] } } }, 'the key, the session, its secret')
    t.match(await stop(), { code: 0, err: '' })
    t.notOk(existsSync(join(moved, 'management.sock')))
    t.strictSame(open(moved), [], 'nor of a folder of an earlier version')
  })

  await t.test('each data folder is a deployment of its own', async (t) => {
    const other = (await DataFolder.take(join(folder, 'other'), process.pid))!
    const backend = await openBackend(testConfig(), other)
    t.teardown(async () => { await backend.close(); await other.release() })
    t.match(await backend.credentials.verify(key), { refused: 'foreign' })
  })
})
