// A restore from an earlier state makes revoked credentials valid again; `credentials replay` and `credentials end` end them.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { openBackend } from '../../src/server/open-backend.js'
import { modernRequest } from '../helpers/build.js'
import { commandLine, type CommandLine } from '../helpers/command-line.js'
import { ownDatabase, SERVER } from '../helpers/database.js'

interface Counts { ended: { keys: number, tokens: number, connections: number, sessions: number } }

/** Takes a copy of what is stored, and puts it back, while no server runs. */
interface Backups { cli: CommandLine, save (): void, restore (): void }

const embedded = (t: Test): Backups => {
  const cli = commandLine(t, { openBackend })
  const copy = join(cli.data, '..', 'copy')
  return {
    cli,
    save: () => { cpSync(cli.data, copy, { recursive: true, preserveTimestamps: true }) },
    restore () {
      rmSync(cli.data, { recursive: true })
      cpSync(copy, cli.data, { recursive: true, preserveTimestamps: true })
    }
  }
}

// The system of scripts/services, whose pg_dump is that of the server.
const SERVICES = join(tmpdir(), 'exploration-mcp-trixie')
const PROGRAMS = '/usr/lib/postgresql/17/bin'

const postgres = async (t: Test, server: string): Promise<Backups> => {
  const url = await ownDatabase(t, server)
  const cli = commandLine(t, { openBackend, env: { DATABASE_URL: url } })
  const name = new URL(url).pathname.slice(1)
  const inside = (program: string, args: string[], input?: Buffer): Buffer =>
    execFileSync('chroot', [SERVICES, `${PROGRAMS}/${program}`, ...args], { input, maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'pipe'] })
  let dump: Buffer
  return {
    cli,
    save () { dump = inside('pg_dump', ['--format=custom', `--dbname=${url}`]) },
    restore () {
      inside('dropdb', ['--force', `--maintenance-db=${server}`, name])
      inside('createdb', [`--maintenance-db=${server}`, name])
      inside('pg_restore', ['--exit-on-error', `--dbname=${url}`], dump)
    }
  }
}

/** What the log says, and what is alive, before and after. */
const afterRestore = async (t: Test, { cli, save, restore }: Backups): Promise<void> => {
  const user = 'users create --email ada@example.com --name Ada --server-admin'
  let serving = await cli.serve('serve --port 0 --no-sample --json')
  await cli.json(user)
  await cli.json('users create --email grace@example.com --name Grace')
  const keyOf = (email: string, name: string) => cli.json<{ id: string, key: string }>(`keys create --user ${email} --name ${name} --scope read`)
  const [lost, kept, graces] = [await keyOf('ada@example.com', 'lost'), await keyOf('ada@example.com', 'kept'), await keyOf('grace@example.com', 'hers')]
  const token = await cli.json<{ id: string, token: string }>('tokens create --user ada@example.com --name lost')
  const statusOf = async (secret: string): Promise<number> => {
    const { endpoint } = JSON.parse(serving.hello) as { endpoint: string }
    const { status } = await fetch(endpoint, modernRequest(secret, 'tools/list'))
    return status
  }
  /** A session of Grace in the pages. */
  const page = async () => {
    const { url } = await cli.json<{ url: string }>('sign-in-link --user grace@example.com')
    const { origin } = new URL((JSON.parse(serving.hello) as { endpoint: string }).endpoint)
    const headers = { 'content-type': 'application/json', origin, 'x-exploration-mcp': 'web', 'sec-fetch-site': 'same-origin' }
    const signedIn = await fetch(`${origin}/web/v1/sign-in/link`, { method: 'POST', headers, body: JSON.stringify({ token: url.split('#token=')[1] }) })
    const [, secret] = /exploration_session_\d+=([^;]+)/.exec(signedIn.headers.getSetCookie().join()) ?? []
    return async () => {
      const { endpoint } = JSON.parse(serving.hello) as { endpoint: string }
      // Its name has the port.
      const headers = { cookie: `exploration_session_${new URL(endpoint).port}=${secret}` }
      return (await fetch(new URL('/web/v1/session', endpoint), { headers })).status
    }
  }
  const session = await page()
  t.equal(await session(), 200)
  await serving.stop()
  save()

  serving = await cli.serve('serve --port 0 --no-sample --json')
  await cli.json(`keys revoke ${lost.id}`)
  await cli.json(`tokens revoke ${token.id}`)
  await cli.json('users sign-out --user grace@example.com')
  await cli.json('users deactivate --user grace@example.com')
  for (const secret of [lost.key, token.token, graces.key]) t.equal(await statusOf(secret), 401)
  const log = join(cli.data, '..', 'audit.ndjson')
  writeFileSync(log, (await cli.run('audit --ndjson')).out)
  await serving.stop()
  restore()

  serving = await cli.serve('serve --port 0 --no-sample --json')
  for (const secret of [lost.key, token.token, kept.key, graces.key]) t.equal(await statusOf(secret), 200, 'alive after the restore')
  t.equal(await session(), 200)
  t.same(await cli.json<Counts>(['credentials', 'replay', '--audit', log]), { ended: { keys: 2, tokens: 1, connections: 0, sessions: 1 } })
  for (const secret of [lost.key, token.token, graces.key]) t.equal(await statusOf(secret), 401, 'dead at the next call')
  t.equal(await session(), 401)
  t.equal(await statusOf(kept.key), 200, 'what was not revoked goes on')
  writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)))
  t.same(await cli.json<Counts>(['credentials', 'replay', '--audit', `${log}.gz`]), { ended: { keys: 0, tokens: 0, connections: 0, sessions: 0 } }, 'once')
  t.match(await cli.json('audit --action credentials/'), [{ action: 'credentials/replayed' }, { action: 'credentials/replayed' }])

  const second = await cli.json<{ token: string }>('tokens create --user ada@example.com --name second')
  await cli.json('users activate --user grace@example.com')
  const other = await page()
  const later = new Date().toISOString()
  const fresh = await keyOf('ada@example.com', 'fresh')
  t.match(await cli.run(['credentials', 'end', '--issued-before', later]), { code: 1, err: 'Nothing was changed: there is no terminal to ask for confirmation. Add --yes to do it.\n' })
  t.equal(await statusOf(kept.key), 200)
  t.same(await cli.json<Counts>(['credentials', 'end', '--issued-before', later, '--yes']), { ended: { keys: 2, tokens: 1, connections: 0, sessions: 1 } })
  for (const secret of [kept.key, graces.key, second.token]) t.equal(await statusOf(secret), 401)
  t.equal(await other(), 401)
  t.equal(await statusOf(fresh.key), 200, 'what is newer goes on')
  await serving.stop()
}

t.test('a data folder that is copied back', async (t) => { await afterRestore(t, embedded(t)) })

const noDump = SERVER === undefined ? 'no TEST_DATABASE_URL' : !existsSync(`${SERVICES}${PROGRAMS}/pg_dump`) && 'no pg_dump of this server'
t.test('a dump of PostgreSQL', { skip: noDump }, async (t) => { await afterRestore(t, await postgres(t, SERVER!)) })

t.test('what is no audit log, no time, no yes', async (t) => {
  const folder = t.testdir({
    'records.ndjson': '{"type":"workspace"}\n',
    'audit.csv': 'id,at,action\n1,2026-01-01T00:00:00Z,x\n',
    'empty.ndjson': '',
    'half.ndjson': `${JSON.stringify({ at: '2026-01-01T00:00:00Z', action: 'ping', outcome: 'ok' })}\n{"at":"never","action":"ping","outcome":"ok"}\n`
  })
  const cli = commandLine(t, { data: join(folder, 'data') })
  await cli.serve('serve --port 0 --no-sample')
  const replay = (name: string) => cli.run(['credentials', 'replay', '--audit', join(folder, name)])
  const WHAT = 'Give what "audit --ndjson" printed, or the NDJSON of the page Audit log. Nothing was ended.\n'
  for (const [name, reason] of [
    ['records.ndjson', 'Line 1 is no event of an audit log.'], ['audit.csv', 'Line 1 is no event of an audit log.'],
    ['half.ndjson', 'Line 2 is no event of an audit log.'], ['empty.ndjson', 'There is no event.']
  ] as const) {
    t.same(await replay(name), { code: 1, out: '', err: `${reason} ${WHAT}` })
  }
  t.match(await replay('absent'), { code: 1, err: /^There is no file \S+absent\.\n$/ })
  t.match(await cli.run(['credentials', 'replay']), { code: 2, err: /--audit/ })
  t.match(await cli.run(['credentials', 'end', '--yes']), { code: 2, err: /--issued-before/ })
  t.match(await cli.run(['credentials', 'end', '--issued-before', 'soon', '--yes']), { code: 2, err: /Give a time \(2026-07-28T09:30:00Z\), a date, or how long ago \(24h, 7d\)\./ })
  t.match(await cli.type(['credentials', 'end', '--issued-before', '2026-01-01'], 'no\n'), { code: 1, err: /End all keys[^]*Nothing was changed/ })
})
