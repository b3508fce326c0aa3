import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import { readingTools as tools } from './helpers/reading-tools.js'
import { KEY, SELF_SIGNED } from './agent-setup/certificates.js'
import { proxy } from './agent-setup/misbehaving.js'
import { PROGRAM } from './helpers/program.js'

// The program as it is built, on the embedded database: one server for most of it, as a first start takes seconds of computing.
function start (t: Test, data: string, ...args: string[]) {
  // The home of no one's agents.
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env
  const child = spawn(
    process.execPath,
    [...PROGRAM, ...args, '--data', data],
    { env: { PATH, NODE_EXTRA_CA_CERTS, HOME: `${data}-home`, LOG_LEVEL: 'fatal' } }
  )
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end()
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    .then(([[code, signal], out, err]) => ({ code, signal, out, err }))
  return { child, ended }
}

async function serve (t: Test, data: string) {
  const server = start(t, data, 'serve', '--port', '0')
  const [hello] = await Promise.race([once(server.child.stdout, 'data'), server.ended.then((ended) => { throw new Error(ended.err) })])
  return { ...server, hello: String(hello) }
}

/** What others of the machine can open in a folder. */
const open = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => (statSync(join(folder, path)).mode & 0o077) !== 0)

t.test('a server of the sample', async (t) => {
  // What a first start leaves that was killed while it made the database.
  const data = join(t.testdir({ data: { 'database.unfinished': { PG_VERSION: '' } } }), 'data')
  const first = await serve(t, data)
  t.match(first.hello, /svc_key_/)
  t.notOk(existsSync(join(data, 'database.unfinished')))

  await t.test('commands beside it, and no second server', async (t) => {
    const users = await start(t, data, 'users', 'list', '--json').ended
    t.match(users, { code: 0, err: '' })
    const piped = spawn(process.execPath, [...PROGRAM, 'audit', '--ndjson', '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] })
    piped.stdout.destroy()
    const [[exit], said] = await Promise.all([once(piped, 'exit'), text(piped.stderr)])
    t.match({ exit, said }, { exit: 0, said: '' }, 'a reader that closes the pipe is no error')
    t.match(await start(t, data, 'serve', '--port', '0').ended, {
      code: 1, out: '', err: new RegExp(`in use by process ${first.child.pid}`)
    })
  })

  await t.test('init on the sample connects an agent as it is, and uninstall takes it back', async (t) => {
    const home = (path: string) => join(`${data}-home`, path)
    for (const agent of ['.cursor', '.claude']) mkdirSync(home(agent), { recursive: true })
    const done = await start(t, data, 'init', '--yes', '--json').ended
    t.match(done, { code: 0, err: '' })
    t.match(JSON.parse(done.out).agents, [{ agent: 'claude-code', verified: true, tools: tools.length }, {
      agent: 'cursor', verified: true, tools: tools.length
    }])
    const token = /svc_pat_[A-Z2-7]{32}/.exec(readFileSync(home('.claude.json'), 'utf8'))?.[0] ?? ''
    t.ok(token)
    t.notOk(done.out.includes(token))
    t.equal(statSync(home('.config/exploration-mcp/credentials.json')).mode & 0o777, 0o600)
    t.match(await start(t, data, 'uninstall', '--yes').ended, { code: 0, err: '' })
    for (const path of ['.claude.json', '.cursor/mcp.json', '.config/exploration-mcp']) t.notOk(existsSync(home(path)), path)
  })

  await t.test('doctor, over TLS with a certificate that only its process trusts', async (t) => {
    const folder = t.testdir({ 'ca.pem': SELF_SIGNED, token: /svc_key_\w+/.exec(first.hello)![0] })
    const beside = (name: string) => join(folder, name)
    const { url } = await proxy(t, /http:\S+/.exec(first.hello)![0], { tls: { key: KEY, cert: SELF_SIGNED } })
    process.env['NODE_EXTRA_CA_CERTS'] = beside('ca.pem')
    t.teardown(() => { delete process.env['NODE_EXTRA_CA_CERTS'] })
    // Through a proxy it waits for the server's sign of life, fifteen seconds; each line comes as it is found.
    const { child } = start(t, data, 'doctor', '--url', url, '--token-file', beside('token'))
    let out = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        if (out.includes('clock:')) resolve()
      })
      child.once('exit', () => resolve())
    })
    t.match(out, /^✔ tls: TLSv1\.\d, certificate valid until 2120-01-01$/m)
    t.match(out, /^✔ workspaces: 3 visible$/m)
    t.notMatch(out, '✖')
  })

  await t.test('a kill, a graceful stop, and no one else can open its files', async (t) => {
    first.child.kill('SIGKILL')
    await first.ended
    const second = await serve(t, data)
    const [, command = ''] = /^ {2}(.* sign-in-link .*)$/m.exec(second.hello) ?? []
    const { PATH } = process.env
    const signIn = spawn('sh', ['-c', command], { cwd: t.testdir(), env: { PATH }, stdio: ['ignore', 'pipe', 'inherit'] })
    const base = /pages are at (\S+)\. /.exec(second.hello)?.[1] ?? 'none'
    t.match(await text(signIn.stdout), `${base}/sign-in#token=svc_link_`, 'the command runs as it is printed, in any folder')
    t.strictSame(open(data), [], 'no one else can open anything of it while it serves')
    second.child.kill('SIGTERM')
    t.match(await second.ended, { code: 0, signal: null, err: '' })
    t.notOk(existsSync(join(data, 'management.sock')))

    t.strictSame(open(data), [], 'no one else can open anything of it')
    chmodSync(join(data, 'database'), 0o755)
    chmodSync(join(data, 'database/PG_VERSION'), 0o666)
    t.match(await start(t, data, 'keys', 'list', '--json').ended, { code: 0, out: /first start/ }, 'a command without a server')
    t.strictSame(open(data), [], 'nor of a folder of an earlier version')
  })
})

t.test('wrong usage exits 2 and touches nothing', async (t) => {
  const data = join(t.testdir(), 'data')
  t.match(await start(t, data, 'keys', 'create').ended, { code: 2, out: '', err: /required option/ })
  t.notOk(existsSync(data))
})
