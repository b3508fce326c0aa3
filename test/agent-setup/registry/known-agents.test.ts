// The wire of the table of agents: where each keeps its servers and what init writes there, by the command, and as doctor sees it.
/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { apply } from '../../../src/agent-setup/install/apply.js'
import { credentialsPath, tokenFileOf } from '../../../src/agent-setup/credentials/credentials-file.js'
import { fileSystem } from '../../../src/agent-setup/file-system.js'
import { readTree } from '../../../src/agent-setup/config-files/edit.js'
import { at, valueOf } from '../../../src/agent-setup/config-files/tree.js'
import { detectManual, fileOf, locate } from '../../../src/agent-setup/registry/paths.js'
import { planRegistration, planRemoval } from '../../../src/agent-setup/install/plan.js'
import { agents } from '../../../src/agent-setup/registry/known-agents.js'
import { build } from '../../helpers/build.js'
import { commandLine } from '../../helpers/command-line.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'

const { app, key } = await build(t, { rateLimitReadPerMinute: '10000' })
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

const bearer = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } })
const H = bearer(key)

// On Linux: the user's file, the way to the entry, what it says with the token, and what instead of that with a reference to it.
type Pin = [file: string, path: string[], fields: object, secret: object, reference?: object]
const PINS: Record<string, Pin> = {
  'claude-code': ['.claude.json', ['mcpServers'], { type: 'http', url }, H, { headersHelper: /^printf '\{"Authorization":"Bearer %s"\}' "\$\(cat '.*'\)"$/ }],
  cursor: ['.cursor/mcp.json', ['mcpServers'], { url }, H, bearer('${env:EXPLORATION_MCP_TOKEN}')],
  vscode: ['.config/Code/User/mcp.json', ['servers'], { type: 'http', url }, H, bearer('${input:exploration-token}')],
  codex: ['.codex/config.toml', ['mcp_servers'], { url }, { http_headers: H.headers }, { bearer_token_env_var: 'EXPLORATION_MCP_TOKEN' }],
  gemini: ['.gemini/settings.json', ['mcpServers'], { httpUrl: url }, H, bearer('${EXPLORATION_MCP_TOKEN}')],
  qwen: ['.qwen/settings.json', ['mcpServers'], { httpUrl: url }, H, bearer('${EXPLORATION_MCP_TOKEN}')],
  windsurf: ['.codeium/windsurf/mcp_config.json', ['mcpServers'], { serverUrl: url }, H, bearer('${env:EXPLORATION_MCP_TOKEN}')],
  zed: ['.config/zed/settings.json', ['context_servers'], { url }, H],
  cline: ['.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', ['mcpServers'],
    { type: 'streamableHttp', url, disabled: false }, H],
  'cline-cli': ['.cline/data/settings/cline_mcp_settings.json', ['mcpServers'], { type: 'streamableHttp', url, disabled: false }, H],
  roo: ['.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json', ['mcpServers'],
    { type: 'streamable-http', url }, H, bearer('${env:EXPLORATION_MCP_TOKEN}')],
  opencode: ['.config/opencode/opencode.json', ['mcp'], { type: 'remote', url, enabled: true, oauth: false }, H,
    { headers: { Authorization: /^Bearer \{file:.*\/tokens\/.*\}$/ } }],
  goose: ['.config/goose/config.yaml', ['extensions'], { enabled: true, type: 'streamable_http', name: 'exploration', uri: url, timeout: 300 }, H],
  amp: ['.config/amp/settings.json', ['amp.mcpServers'], { url }, H, bearer('${EXPLORATION_MCP_TOKEN}')],
  copilot: ['.copilot/mcp-config.json', ['mcpServers'], { type: 'http', url, tools: ['*'] }, H, bearer('${EXPLORATION_MCP_TOKEN}')],
  kiro: ['.kiro/settings/mcp.json', ['mcpServers'], { url }, H, bearer('${EXPLORATION_MCP_TOKEN}')],
  junie: ['.junie/mcp/mcp.json', ['mcpServers'], { url }, H]
}
t.strictSame(Object.keys(PINS), agents.map(({ id }) => id))

interface Report { agents: Array<{ agent: string, change: string, verified?: boolean }> }

t.test('each agent: init writes, doctor tries, again nothing changes, and uninstall leaves nothing', async (t) => {
  const folder = join(t.testdir({ project: {} }), 'project')
  const cli = commandLine(t, { home: join(folder, '../home'), data: join(folder, '../none'), folder, env: { EXPLORATION_MCP_TOKEN: key } })
  const inFile = (id: string, file: string, path: string[]) =>
    valueOf(at(readTree(agents.find((agent) => agent.id === id)!.format, readFileSync(file, 'utf8')), path)!)
  const connect = async (ids: string[], flags: string[]): Promise<Report> => {
    const { code, out, err } = await cli.run(
      ['init', '--yes', '--json', '--url', url, '--token-file', '-', '--agent', ids.join(), ...flags], key)
    t.equal(code, 0, err)
    t.notMatch(out, key)
    return JSON.parse(out)
  }
  const referring = Object.keys(PINS).filter((id) => PINS[id]![4])
  for (const [ids, flags] of [[Object.keys(PINS), []], [referring, ['--reference']]] as const) {
    for (const isAgain of [false, true]) {
      const { agents: done } = await connect([...ids], [...flags])
      t.strictSame(done.map(({ agent, verified }) => [agent, verified]), ids.map((id) => [id, true]))
      if (isAgain) t.ok(done.every(({ change }) => change === 'unchanged'), 'again changes nothing')
    }
    for (const id of ids) {
      const [file, servers, fields, secret, reference] = PINS[id]!
      const written = inFile(id, join(cli.home, file), [...servers, 'exploration'])
      t.match(written, { ...fields, ...flags.length > 0 ? reference : secret }, id)
      t.strictSame(Object.keys(written as object).sort(), Object.keys({ ...fields, ...flags.length > 0 ? reference : secret }).sort(), id)
    }
    const { out } = await cli.run(['doctor', '--url', url])
    for (const id of ids) {
      t.match(out, new RegExp(id === 'vscode' && flags.length > 0
        ? `^– agent ${id}: .*asks for the token`
        : `^✔ agent ${id}: .* works: ${tools.length} tools$`, 'm'))
    }
    t.notMatch(out, key)
    if (flags.length > 0) {
      t.strictSame(inFile('vscode', join(cli.home, PINS['vscode']![0]), ['inputs']),
        [{ type: 'promptString', id: 'exploration-token', description: `Token for ${url}`, password: true }])
    }
    await cli.run('uninstall --yes --keep-token')
    const left = readdirSync(cli.home, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.config/exploration-mcp'))
    t.strictSame(left, ['.config'], 'nothing is left but the token')
  }
  // A project's file refers to a variable before a file of this machine.
  await connect(['claude-code', 'opencode'], ['--scope', 'project'])
  t.match(inFile('claude-code', join(folder, '.mcp.json'), ['mcpServers', 'exploration']), bearer('${EXPLORATION_MCP_TOKEN}'))
  t.match(inFile('opencode', join(folder, 'opencode.json'), ['mcp', 'exploration']), bearer('{env:EXPLORATION_MCP_TOKEN}'))
})

t.test('what the agent wrote into our entry stays when it is renewed, and is no change of ours', async (t) => {
  const machine = { platform: 'linux', home: t.testdir(), env: {}, fileSystem } as const
  const cline = agents.find(({ id }) => id === 'cline-cli')!
  const wanted = { name: 'exploration', url, scope: 'user', secret: { kind: 'token', value: key } } as const
  const first = await apply(await planRegistration(cline, wanted, machine), fileSystem)
  const file = join(machine.home, '.cline/data/settings/cline_mcp_settings.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"disabled": false', '"disabled": true,\n      "autoApprove": ["ping"]'))
  t.equal((await planRegistration(cline, wanted, machine, first.registration)).diff, '')
  const renewed = await planRegistration(cline, { ...wanted, secret: { kind: 'token', value: `svc_pat_${'N'.repeat(32)}` } }, machine, first.registration)
  const { registration } = await apply(renewed, fileSystem)
  t.match(JSON.parse(readFileSync(file, 'utf8')), {
    mcpServers: { exploration: { disabled: true, autoApprove: ['ping'], headers: { Authorization: `Bearer svc_pat_${'N'.repeat(32)}` } } }
  })
  await apply(await planRemoval(cline, registration!, machine), fileSystem)
  t.strictSame(readdirSync(machine.home), [])
})

t.test('places on each platform', async (t) => {
  const none = { ...fileSystem, exists: () => false }
  const here = (platform: NodeJS.Platform, env = {}) =>
    ({ platform, home: platform === 'win32' ? 'C:\\Users\\ada' : '/Users/ada', env, fileSystem: none })
  for (const [id, platform, file, env] of [
    ['vscode', 'darwin', '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['vscode', 'win32', 'D:\\Roaming\\Code\\User\\mcp.json', { APPDATA: 'D:\\Roaming' }],
    ['goose', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
    ['goose', 'darwin', '/Users/ada/.config/goose/config.yaml'],
    ['zed', 'linux', '/x/zed/settings.json', { XDG_CONFIG_HOME: '/x' }],
    ['codex', 'linux', '/codex/config.toml', { CODEX_HOME: '/codex' }],
    ['claude-code', 'linux', '/c/.claude.json', { CLAUDE_CONFIG_DIR: '/c' }],
    ['opencode', 'linux', '/o.json', { OPENCODE_CONFIG: '/o.json' }],
    // A relative folder counts as none.
    ['opencode', 'linux', '/Users/ada/.config/opencode/opencode.json', { XDG_CONFIG_HOME: 'rel', OPENCODE_CONFIG: 'rel/o.json' }],
    ['codex', 'linux', '/Users/ada/.codex/config.toml', { CODEX_HOME: '.' }],
    ['zed', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json', { APPDATA: 'rel' }]
  ] as Array<[string, NodeJS.Platform, string, object?]>) {
    t.equal(fileOf(agents.find((agent) => agent.id === id)!, 'user', here(platform, env)), file, `${id} ${platform}`)
  }
  t.equal(locate('$NOT_SET/x', here('linux')), undefined)
  for (const [platform, folder, env] of [
    ['linux', '/Users/ada/.config/exploration-mcp'],
    ['linux', '/x/exploration-mcp', { XDG_CONFIG_HOME: '/x' }],
    ['linux', '/Users/ada/.config/exploration-mcp', { XDG_CONFIG_HOME: 'relative' }],
    ['darwin', '/Users/ada/Library/Application Support/exploration-mcp'],
    ['darwin', '/x/exploration-mcp', { XDG_CONFIG_HOME: '/x' }],
    ['win32', 'C:\\Users\\ada\\AppData\\Roaming\\exploration-mcp']
  ] as Array<[NodeJS.Platform, string, object?]>) t.equal(credentialsPath(here(platform, env)), `${folder}/credentials.json`)
  t.equal(tokenFileOf(here('linux'), 'http://127.0.0.1:8080/mcp', '../../evil'), '/Users/ada/.config/exploration-mcp/tokens/127.0.0.1-8080-..-..-evil')
  const exists = (path: string) => path.endsWith('/Application Support/Claude')
  t.strictSame(detectManual({ ...here('darwin'), fileSystem: { ...fileSystem, exists } }).map(({ id }) => id), ['claude-desktop'])
})

t.test('the file that is there is taken, else the one whose folder is', async (t) => {
  const home = t.testdir(
    { '.config': { opencode: { 'opencode.jsonc': '{}' }, Cursor: { User: { globalStorage: { 'saoudrizwan.claude-dev': {} } } } } }
  )
  const machine = { platform: 'linux', home, env: {}, fileSystem } as const
  const user = (id: string) => fileOf(agents.find((agent) => agent.id === id)!, 'user', machine)
  t.equal(user('opencode'), join(home, '.config/opencode/opencode.jsonc'))
  t.equal(user('cline'), join(home, '.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'))
})
