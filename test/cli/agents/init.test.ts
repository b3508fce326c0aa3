// From key to connected agent, and back: the command line against a server of its own, on a machine of its own.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { Stored } from '../../../src/agent-setup/credentials/credentials-file.js'
import { Refusal } from '../../../src/lib/errors.js'
import { readingTools as productTools } from '../../helpers/reading-tools.js'
import { commandLine, noDatabase, type CommandLine } from '../../helpers/command-line.js'

const CURSOR = '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "url": "https://x.example/mcp", },\r\n\t},\r\n}\r\n'
const CODEX = 'model = "o9" # mine\n\n[mcp_servers.other]\nurl = "https://x.example/mcp"\n'

interface Report {
  url: string
  dry_run: boolean
  tokens: Array<{ name: string, id: string, expires_at: string }>
  agents: Array<{ agent: string, file: string, change: string, secret: string, verified?: boolean, tools?: number, problem?: string }>
  warnings: string[]
}

// One server for all machines.
const server = commandLine(t)
await server.json('users create --email ann@example.com --name Ann')
await server.serve()
const { credentials } = await server.backend()
const { createToken, revoke, verify } = credentials
const made: Array<{ token: string, id: string }> = []
credentials.createToken = async (given) => {
  const created = await createToken(given)
  made.push(created)
  return created
}

const machine = (t: Test, around: Parameters<typeof commandLine>[1] = {}) => {
  const { testdirName } = t
  t.testdir({ project: {} })
  const folder = join(testdirName, 'project')
  const cli = commandLine(t, { data: server.data, home: join(testdirName, 'home'), folder, openBackend: noDatabase, ...around })
  const file = (path: string) => join(cli.home, path)
  const stored = () => JSON.parse(readFileSync(file('.config/exploration-mcp/credentials.json'), 'utf8')) as Stored
  const first = made.length
  const run: CommandLine['run'] = async (line, stdin) => {
    const outcome = await cli.run(line, stdin)
    for (const { token } of made) t.notOk((outcome.out + outcome.err).includes(token), 'no secret is shown')
    return outcome
  }
  return {
    ...cli,
    folder,
    run,
    file,
    read: (path: string) => readFileSync(file(path), 'utf8'),
    write (path: string, text: string) {
      mkdirSync(dirname(file(path)), { recursive: true })
      writeFileSync(file(path), text)
    },
    /** Names of all files, for seeing that none came or went. */
    all: () => readdirSync(cli.home, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name)).sort(),
    stored,
    /** In clear, as the credentials file has it. */
    token: (name = 'testhost') => Object.values(stored().servers)[0]!.tokens[name]!.token,
    /** Those that were made for this machine and are not revoked. */
    async active () {
      const works = await Promise.all(made.slice(first).map(async ({ token }) => 'principal' in await verify(token) ? [token] : []))
      return works.flat()
    },
    async init (line = '', stdin?: string): Promise<Report> {
      const { code, out, err } = await run(`init --yes --json ${line}`.trim().split(' '), stdin)
      if (code !== 0) throw new Error(`exit ${code}: ${err}`)
      return JSON.parse(out)
    }
  }
}

t.test('found, registered, tried out; again without a change; taken back to the byte', async (t) => {
  const here = machine(t)
  here.write('.cursor/mcp.json', CURSOR)
  here.write('.codex/config.toml', CODEX)
  mkdirSync(here.file('.claude'))
  const before = here.all()

  const first = await here.init()
  t.match(first.agents.map(({ agent, change, verified, tools, secret }) => ({ agent, change, verified, tools, secret })), [
    { agent: 'claude-code', change: 'created', verified: true, tools: productTools.length, secret: 'token' },
    { agent: 'cursor', change: 'changed', verified: true, tools: productTools.length, secret: 'token' },
    { agent: 'codex', change: 'changed', verified: true, tools: productTools.length, secret: 'token' }
  ])
  t.match(first.tokens, [{ name: 'testhost', id: String, expires_at: /Z$/ }], 'one for the host')
  const credentials = here.file('.config/exploration-mcp/credentials.json')
  t.equal(statSync(credentials).mode & 0o777, 0o600)
  t.equal(statSync(dirname(credentials)).mode & 0o777, 0o700)
  t.match(JSON.parse(here.read('.claude.json')), {
    mcpServers: { exploration: { type: 'http', url: first.url, headers: { Authorization: `Bearer ${here.token()}` } } }
  })
  for (const backup of here.all().filter((path) => path.endsWith('.bak'))) t.equal(statSync(backup).mode & 0o777, 0o600)
  t.equal(here.read('.cursor/mcp.json.exploration-mcp.bak'), CURSOR)
  t.equal(here.read('.cursor/mcp.json'), CURSOR.replace('", },', `", },\r\n\t\t"exploration": {\r\n\t\t\t"url": "${first.url}",\r\n` +
    `\t\t\t"headers": {\r\n\t\t\t\t"Authorization": "Bearer ${here.token()}"\r\n\t\t\t}\r\n\t\t},`))

  const bytes = here.all().map((path) => readFileSync(path, 'utf8'))
  const second = await here.init()
  t.strictSame(
    second.agents.map(({ change, verified }) => [change, verified]),
    [['unchanged', true], ['unchanged', true], ['unchanged', true]]
  )
  t.strictSame(here.all().map((path) => readFileSync(path, 'utf8')), bytes)
  t.equal((await here.active()).length, 1, 'no second token')

  const gone = await here.json<{ agents: object[], revoked: string[] }>('uninstall --yes')
  t.equal(gone.agents.length, 3)
  t.strictSame(gone.revoked, [first.tokens[0]!.id])
  t.strictSame(here.all(), before)
  t.equal(here.read('.cursor/mcp.json'), CURSOR)
  t.equal(here.read('.codex/config.toml'), CODEX)
  t.strictSame(await here.active(), [])
  t.match(await here.run('uninstall --yes'), { code: 0, out: 'There is nothing to undo.\n' })
})

t.test('nothing without a yes', async (t) => {
  const here = machine(t)
  here.write('.cursor/mcp.json', CURSOR)
  const untouched = async (what: string) => {
    t.strictSame(here.all(), [here.file('.cursor/mcp.json')], what)
    t.equal(here.read('.cursor/mcp.json'), CURSOR)
    t.strictSame(await here.active(), [])
  }
  t.match(await here.run('init'), { code: 1, out: /^Cursor\n(?:.*\n)*\+.*"exploration"/m, err: /^Nothing was changed.*--yes/ })
  await untouched('not asked')
  t.match(await here.run('init --dry-run'), {
    code: 0, out: /would be changed[^]*To be created|To be created[^]*would be changed/
  })
  t.match(JSON.parse((await here.run('init --dry-run --json')).out), { dry_run: true, agents: [{ diff: /svc_pat_NEW/ }], tokens: [] })
  await untouched('dry run')
  t.match(await here.type('init', 'n\n'), { code: 1, err: /Change this file\? \[y\/N\]/ })
  t.match(await here.type('init', ''), { code: 1 }, 'the end of the input')
  await untouched('no')
  t.match(await here.run('init --json'), { code: 1, out: '', err: /--dry-run/ })
  t.match(await here.type('init', 'y\n'), { code: 0, out: new RegExp(`✔ Cursor: .*verified: ${productTools.length} tools`) })
  t.match(await here.run('uninstall'), { code: 1, err: /--yes/ })
  t.match(await here.run('uninstall --dry-run'), { code: 0, out: /Nothing was changed/ })
  t.match(await here.type('uninstall', 'yes\n'), { code: 0, out: /is revoked/ })
  await untouched('there and back')
})

t.test('agents by name', async (t) => {
  const here = machine(t)
  t.match(await here.run('init --yes'), { code: 1, err: /No coding agent was found.*claude-code, cursor/ })
  t.match(await here.run('init --yes --agent cursor,emacs'), {
    code: 1, err: /No agent is called "emacs"\. Known are claude-code/
  })
  t.notOk(existsSync(here.file('.config')))
  const named = await here.init('--agent cursor,gemini --agent zed')
  t.strictSame(named.agents.map(({ agent }) => agent), ['cursor', 'gemini', 'zed'])
  const left = await here.json<{ revoked: string[] }>('uninstall --yes --agent gemini')
  t.strictSame(left.revoked, [], 'others use it')
  t.notOk(existsSync(here.file('.gemini/settings.json')))
  t.ok(here.read('.cursor/mcp.json'))
  t.match(await here.run('uninstall --yes --agent emacs'), { code: 1, err: /Known are/ })
  const others = await here.init('--agent claude-desktop,cursor') as Report & { instructions: object[] }
  t.match(others.instructions, [{ agent: 'claude-desktop', text: new RegExp(`${new URL('/oauth/mcp', others.url).href}: you sign in there`) }])
  t.equal((await here.run('init --scope galaxy')).code, 2)
})

t.test('a token for each agent', async (t) => {
  const here = machine(t)
  await here.init('--agent cursor,gemini --per-agent')
  t.strictSame(Object.keys(Object.values(here.stored().servers)[0]!.tokens).sort(), ['cursor@testhost', 'gemini@testhost'])
  t.not(here.token('cursor@testhost'), here.token('gemini@testhost'))
  await here.init('--agent cursor,gemini')
  t.equal((await here.active()).length, 2, 'what is not said stays')
  await here.init('--agent cursor,gemini --reference')
  t.match(here.read('.cursor/mcp.json'), /TOKEN_CURSOR\}/)
  t.match(here.read('.gemini/settings.json'), /TOKEN_GEMINI\}/, 'a variable for each token')
  await here.init('--agent cursor,gemini --no-per-agent --no-reference')
  t.strictSame(await here.active(), [here.token()], 'back to one: those that nothing uses are revoked')
})

t.test('a project\'s file never holds a secret', async (t) => {
  const here = machine(t)
  mkdirSync(here.file('.claude'))
  mkdirSync(here.file('.codeium/windsurf'), { recursive: true })
  const project = await here.init('--scope project')
  t.match(project.agents, [{ agent: 'claude-code', secret: 'variable', verified: true }, { agent: 'windsurf', change: 'skipped' }])
  const file = join(here.folder, '.mcp.json')
  // eslint-disable-next-line no-template-curly-in-string
  t.match(readFileSync(file, 'utf8'), 'Bearer ${EXPLORATION_MCP_TOKEN}')
  t.notOk(readFileSync(file, 'utf8').includes(here.token()))
  t.match((await here.run('init --yes --scope project')).out, /export EXPLORATION_MCP_TOKEN="\$\(cat '.*'\)"/)
  t.match(await here.run('init --yes --scope project --agent windsurf'), { code: 1, out: /✖ Windsurf: .*project/ })
  await here.init('--agent claude-code')
  t.equal((await here.json<{ agents: object[] }>('uninstall --yes')).agents.length, 2, 'both scopes are known')
  t.notOk(existsSync(file))
})

t.test('agents that point at the token', async (t) => {
  const here = machine(t)
  const report = await here.init('--agent claude-code,opencode --reference')
  t.match(report.agents, [{ secret: 'command', verified: true }, { secret: 'file', verified: true }])
  const [file] = here.all().filter((path) => path.includes('/tokens/'))
  t.equal(readFileSync(file!, 'utf8'), here.token())
  t.equal(statSync(file!).mode & 0o777, 0o600)
  for (const path of ['.claude.json', '.config/opencode/opencode.json']) t.notOk(here.read(path).includes('svc_pat_'), path)
  const old = here.token()
  t.match((await here.init('--rotate')).agents, [{ change: 'unchanged', verified: true }, { change: 'unchanged', verified: true }])
  t.not(here.token(), old)
  t.equal(readFileSync(file!, 'utf8'), here.token())
  t.match((await here.init('--agent claude-code,opencode')).agents, [{ change: 'unchanged' }, { change: 'unchanged' }], 'what is not said stays')
  await here.init('--agent claude-code,opencode --no-reference')
  t.notOk(existsSync(file!), 'held again: nothing points at it')
  t.match(here.read('.claude.json'), here.token())
  await here.run('uninstall --yes')
  t.strictSame(here.all(), [])
})

t.test('a credential that exists', async (t) => {
  const here = machine(t)
  const given = (await credentials.createKey({ user: 'ann@example.com', name: 'given', scope: 'read' })).key
  here.write('token', `${given}\n`)
  const report = await here.init(`--agent cursor --token-file ${here.file('token')}`)
  t.match(report.tokens, [{ kind: 'api_key' }])
  t.equal(here.token(), given)
  t.match(await here.init('--agent gemini --token-file -', given), { agents: [{ verified: true }] })
  const other = (await credentials.createKey({ user: 'ann@example.com', name: 'other', scope: 'read' })).key
  t.match(await here.run('init --yes --agent cursor --token-file -', other), { code: 1, err: /init --rotate --token-file/ })
  t.match(await here.run('init --yes --rotate --token-file -', given), { code: 1, err: /already/ })
  await here.init('--rotate --token-file -', other)
  t.match(here.read('.cursor/mcp.json'), other)
  t.match(await credentials.verify(given), { refused: 'unknown' })
  t.match(await here.run('init --yes --token-file -', 'two words'), { code: 1, err: /is no credential of this server/ })
  t.match(await here.run('init --yes --token-file -', 'svc_pat_unknown'), { code: 1, err: /cut or mistyped/ })
  t.match(await here.run('init --yes --token-file -', `svc_pat_${'A'.repeat(32)}`), { code: 1, err: /refuses this credential/ })
  t.match(await here.run('init --yes --token-file /nowhere'), { code: 2, err: /cannot be read/ })
  t.match(await here.run('init --yes --per-agent --token-file -', other), { code: 1, err: /--per-agent/ })
})

t.test('a token that the server does not take any more is replaced, everywhere', async (t) => {
  const here = machine(t)
  const first = await here.init('--agent cursor,gemini')
  await here.json(`tokens revoke ${first.tokens[0]!.id}`)
  const second = await here.init('--agent cursor')
  t.match(second.agents, [{ agent: 'cursor', change: 'changed', verified: true }, { agent: 'gemini', change: 'changed', verified: true }])
  t.not(second.tokens[0]!.id, first.tokens[0]!.id)
})

t.test('warns of a token that ends soon, and in whose name', async (t) => {
  const here = machine(t)
  const { token } = await credentials.createToken({ user: 'ann@example.com', name: 'short', expiresIn: 3 * 86_400_000 })
  t.match((await here.init('--agent cursor --token-file -', token)).warnings, [/testhost expires on .*--rotate/])

  await here.json('users create --email bob@example.com --name Bob')
  const ask = (line = '') => here.run(`init --dry-run --agent gemini --name other ${line}`.trim().split(' '))
  t.match(await ask(), { code: 0 }, 'the kept token needs no one')
  t.match(await ask('--user bob@example.com'), { code: 1, err: /belongs to ann@.*--rotate --user/ })
  await here.run('uninstall --yes')
  t.match(await ask(), { code: 1, err: /--user: ann@example\.com, bob@example\.com/ })
  t.match(await ask('--user BOB@example.com'), { code: 0, out: /token testhost of bob@/ })
  t.match(await ask('--user eve@example.com'), { code: 1, err: /no user "eve@example\.com"/ })
  await credentials.createKey({ user: 'ann@example.com', name: 'first start', scope: 'read' })
  t.match(await ask(), { code: 0, out: /of ann@/ }, 'whom the first start gave its key')
})

t.test('a file that others can read is made private, and that is said', async (t) => {
  const here = machine(t)
  here.write('.cursor/mcp.json', CURSOR)
  chmodSync(here.file('.cursor/mcp.json'), 0o644)
  const mode = () => statSync(here.file('.cursor/mcp.json')).mode & 0o777
  t.match(JSON.parse((await here.run('init --dry-run --json')).out), { warnings: [/mcp\.json: it would be made private/] })
  t.equal(mode(), 0o644)
  t.match((await here.init()).warnings, [/mcp\.json holds the token .*: it was made private \(0600\)\.$/])
  t.equal(mode(), 0o600)
  t.strictSame((await here.init()).warnings, [])
  chmodSync(here.file('.cursor/mcp.json'), 0o640)
  t.match((await here.init()).warnings, [/made private/], 'opened again, without another change')
  t.equal(mode(), 0o600)
  t.match(await here.run('uninstall --yes'), { code: 0 })
  t.equal(mode(), 0o644, 'taken back')
})

t.test('credentials that others may read, or that are damaged or of a version to come, are not used; a link to them stays one', async (t) => {
  const here = machine(t)
  await here.init('--agent cursor')
  const file = here.file('.config/exploration-mcp/credentials.json')
  const good = readFileSync(file, 'utf8')
  for (const [mode, line] of [[0o644, 'init --yes'], [0o640, 'uninstall --yes'], [0o604, 'init --rotate --yes']] as const) {
    chmodSync(file, mode)
    t.match(await here.run(line), { code: 1, err: /chmod 600/ }, line)
  }
  chmodSync(file, 0o600)
  for (const text of ['', '[]', '{"version":2,"servers":{}}', '{"version":1,"servers":{"x":{}}}']) {
    writeFileSync(file, text)
    t.match(await here.run('uninstall --yes'), { code: 1, err: /move it away/ }, text)
    t.equal(readFileSync(file, 'utf8'), text)
  }
  writeFileSync(here.file('kept'), good, { mode: 0o600 })
  rmSync(file)
  symlinkSync(here.file('kept'), file)
  await here.init('--agent gemini')
  t.match(here.read('kept'), '"gemini"')
})

t.test('an entry that is not ours, or not any more, is left alone', async (t) => {
  const here = machine(t)
  const foreign = '{"mcpServers": {"exploration": {"url": "https://x.example/mcp"}}}'
  here.write('.cursor/mcp.json', foreign)
  const refused = await here.run('init --yes --agent cursor,gemini')
  t.match(refused, {
    code: 1, out: /✖ Cursor: [^]*there already[^]*"exploration"[^]*✔ Gemini/, err: /Cursor: not registered/
  })
  t.equal(here.read('.cursor/mcp.json'), foreign)
  t.match((await here.init('--agent cursor --name plans')).agents, [{ change: 'changed' }])

  here.write('.gemini/settings.json', here.read('.gemini/settings.json').replace('"headers"', '"timeout": 5, "headers"'))
  const mine = here.read('.gemini/settings.json')
  t.match(await here.run('uninstall --yes'), { code: 1, out: /✖ Gemini CLI: .*by hand[^]*is revoked/ })
  t.equal(here.read('.gemini/settings.json'), mine)
  t.equal(here.read('.cursor/mcp.json'), foreign)
  t.notOk(existsSync(here.file('.config/exploration-mcp')))
})

t.test('a token that nothing came to use is revoked again', async (t) => {
  const here = machine(t)
  here.write('.cursor/mcp.json', '{ nonsense')
  t.match(await here.run('init --yes'), { code: 1, out: /✖ Cursor: .*line 1/ })
  t.strictSame(await here.active(), [])
  t.strictSame(here.all(), [here.file('.cursor/mcp.json')])
})

t.test('a server that does not run, one that is not here, and one that is gone', async (t) => {
  // No one listens on port 1.
  const here = commandLine(t, { env: { PORT: '1' } })
  await here.json('users create --email ann@example.com --name Ann')
  mkdirSync(join(here.home, '.cursor'))
  const idle = await here.run('init --yes')
  t.match(idle, {
    code: 0, out: /! Cursor: .*created, but not verified: http:\/\/127\.0\.0\.1:1 does not answer[^]*is not running/
  })
  t.match(await here.run('uninstall --yes'), { code: 0, out: /is revoked/ })

  const nowhere = commandLine(t, { data: join(here.home, 'none') })
  t.match(await nowhere.run('init --yes --agent cursor'), { code: 1, err: /no server here.*--url/ })
  for (const [url, code, err] of [
    ['ftp://x.example', 2, /address of an MCP endpoint/], ['http://u:p@x.example', 2, /Do not put a credential into the URL/],
    ['http://127.0.0.1:1/mcp', 1, /cannot be reached \(ECONNREFUSED\)/], ['http://127.0.0.1:1/mcp --user x', 1, /leave --user out/]
  ] as const) t.match(await nowhere.run(`init --yes --agent cursor --url ${url}`), { code, err }, url)
})

t.test('rotation: new, handed over, tried out, and only then is the old one ended', async (t) => {
  const here = machine(t)
  t.match(await here.run('init --yes --rotate'), { code: 1, err: /nothing to rotate/ })
  await here.init('--agent cursor,gemini')
  const old = here.token()
  t.match(await here.run('init --rotate --yes --agent cursor'), { code: 1, err: /leave --agent out/ })
  t.match(await here.run('init --rotate --dry-run'), { code: 0, out: /a new token testhost/ })
  t.equal(here.token(), old)

  const steps: string[] = []
  const usual = { ...credentials }
  t.teardown(() => Object.assign(credentials, usual))
  credentials.createToken = async (made) => { steps.push('made'); return usual.createToken(made) }
  credentials.revoke = async (...given) => { steps.push('revoked'); return revoke(...given) }
  credentials.verify = async (secret) => { if (secret !== old && steps.at(-1) !== 'used') steps.push('used'); return verify(secret) }
  const rotated = await here.init('--rotate')
  t.match(rotated.agents, [{ change: 'changed', verified: true }, { change: 'changed', verified: true }])
  t.strictSame(steps, ['made', 'used', 'revoked'])
  for (const path of ['.cursor/mcp.json', '.gemini/settings.json']) t.ok(here.read(path).includes(here.token()), path)
  t.strictSame(await here.active(), [here.token()])
})

t.test('rotation: whatever fails, the old token works and everything is as it was', async (t) => {
  const here = machine(t)
  await here.init('--agent cursor,gemini')
  const old = here.token()
  const bytes = (): string[] => ['.cursor/mcp.json', '.gemini/settings.json'].map(here.read)
  const before = bytes()
  const asBefore = async (what: string) => {
    t.strictSame(bytes(), before, what)
    t.equal(here.token(), old, what)
    t.strictSame(await here.active(), [old], what)
  }
  const usual = { ...credentials }

  credentials.createToken = async () => { throw new Refusal('No more tokens today.') }
  t.match(await here.run('init --rotate --yes'), { code: 1, err: /No more tokens today\..*put back/ })
  Object.assign(credentials, usual)
  await asBefore('no token')

  credentials.verify = async (secret) => secret === old ? verify(secret) : { refused: 'unknown' }
  t.match(await here.run('init --rotate --yes'), {
    code: 1, err: /Cursor would not get through with the new token: .*put back as it was: the old token goes on working/
  })
  Object.assign(credentials, usual)
  await asBefore('the first agent does not get through')

  let tried = 0
  credentials.verify = async (secret) => {
    if (secret !== old && ++tried === 1) here.write('.gemini/settings.json', '{ broken meanwhile')
    return verify(secret)
  }
  const gemini = here.read('.gemini/settings.json')
  t.match(await here.run('init --rotate --yes'), { code: 1, err: /settings\.json.*line 1/ })
  Object.assign(credentials, usual)
  t.ok(here.read('.cursor/mcp.json').includes(old), 'what could be put back is')
  here.write('.gemini/settings.json', gemini)
  t.match(await here.init('--rotate'), { agents: [{ verified: true }, { verified: true }] }, 'run again, it ends')
  t.equal((await here.active()).length, 1)

  credentials.revoke = async () => { throw new Refusal('Not now.') }
  const replaced = here.token()
  t.match(await here.run('init --rotate --yes'), { code: 0, out: /old token .* still works.*Not now/ })
  Object.assign(credentials, usual)
  t.strictSame(await here.active(), [replaced, here.token()])
  await here.init('--agent cursor')
  t.strictSame(await here.active(), [here.token()], 'the next run ends it')

  here.write('.cursor/mcp.json', here.read('.cursor/mcp.json').replace('exploration', 'mine'))
  here.write('.gemini/settings.json', here.read('.gemini/settings.json').replace('httpUrl', 'url'))
  const last = here.token()
  t.match(await here.run('init --rotate --yes'), { code: 1, err: /Nothing was changed, and the token goes on working/ })
  t.strictSame(await here.active(), [last])
})

t.test('rotation: killed in between, it goes on', async (t) => {
  const here = machine(t)
  const { url } = await here.init('--agent cursor,gemini')
  const old = here.token()
  // What a kill leaves in the worst moment: the new token kept, one agent's file written, and that not noted yet.
  const { token, id, expires_at: expires } = await credentials.createToken({ user: 'ann@example.com', name: 'testhost' })
  const stored = here.stored()
  stored.servers[url]!.next['testhost'] = { token, id, kind: 'personal_access_token', expires_at: expires }
  writeFileSync(here.file('.config/exploration-mcp/credentials.json'), JSON.stringify(stored))
  here.write('.cursor/mcp.json', here.read('.cursor/mcp.json').replace(old, token))

  t.match(await here.run('init --yes --agent cursor'), { code: 1, err: /interrupted.*--rotate/ })
  await here.init('--rotate')
  t.equal(here.token(), token, 'no third one')
  for (const path of ['.cursor/mcp.json', '.gemini/settings.json']) t.ok(here.read(path).includes(token), path)
  t.strictSame(await here.active(), [token])
})

t.test('two at once', async (t) => {
  const here = machine(t)
  const [one, other] = await Promise.all([here.run('init --yes --agent cursor'), here.run('init --yes --agent cursor')])
  const codes = [one, other].map(({ code }) => code).sort()
  t.ok(codes[0] === 0, 'one at least gets through')
  if (codes[1] === 1) t.match(one.err + other.err, /under way/)
  t.strictSame(await here.active(), [here.token()])
})
