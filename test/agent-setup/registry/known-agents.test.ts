/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { SecretReference } from '../../../src/agent-setup/registry/agent.js'
import { apply } from '../../../src/agent-setup/install/apply.js'
import { fileSystem } from '../../../src/agent-setup/file-system.js'
import { readTree } from '../../../src/agent-setup/config-files/edit.js'
import { at } from '../../../src/agent-setup/config-files/tree.js'
import { readEntry } from '../../../src/agent-setup/install/entry-template.js'
import { detect, detectManual, fileOf, locate } from '../../../src/agent-setup/registry/paths.js'
import { planRegistration, planRemoval } from '../../../src/agent-setup/install/plan.js'
import { agents } from '../../../src/agent-setup/registry/known-agents.js'

const URL = 'https://planning.example/mcp'
const TOKEN = 'svc_pat_ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const H = { headers: { Authorization: `Bearer ${TOKEN}` } }

// Where each keeps its servers on Linux, and what is written there: the wire of this table.
const PINS: Record<string, [file: string, path: string[], entry: unknown]> = {
  'claude-code': ['.claude.json', ['mcpServers'], { type: 'http', url: URL, ...H }],
  cursor: ['.cursor/mcp.json', ['mcpServers'], { url: URL, ...H }],
  vscode: ['.config/Code/User/mcp.json', ['servers'], { type: 'http', url: URL, ...H }],
  codex: ['.codex/config.toml', ['mcp_servers'], { url: URL, http_headers: H.headers }],
  gemini: ['.gemini/settings.json', ['mcpServers'], { httpUrl: URL, ...H }],
  qwen: ['.qwen/settings.json', ['mcpServers'], { httpUrl: URL, ...H }],
  windsurf: ['.codeium/windsurf/mcp_config.json', ['mcpServers'], { serverUrl: URL, ...H }],
  zed: ['.config/zed/settings.json', ['context_servers'], { url: URL, ...H }],
  cline: ['.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', ['mcpServers'],
    { type: 'streamableHttp', url: URL, disabled: false, ...H }],
  'cline-cli': ['.cline/data/settings/cline_mcp_settings.json', ['mcpServers'], {
    type: 'streamableHttp', url: URL, disabled: false, ...H
  }],
  roo: ['.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json', ['mcpServers'],
    { type: 'streamable-http', url: URL, ...H }],
  opencode: ['.config/opencode/opencode.json', ['mcp'], {
    type: 'remote',
    url: URL,
    enabled: true,
    oauth: false,
    ...H
  }],
  goose: ['.config/goose/config.yaml', ['extensions'],
    { enabled: true, type: 'streamable_http', name: 'exploration', uri: URL, timeout: 300, ...H }],
  amp: ['.config/amp/settings.json', ['amp.mcpServers'], { url: URL, ...H }],
  copilot: ['.copilot/mcp-config.json', ['mcpServers'], { type: 'http', url: URL, tools: ['*'], ...H }],
  kiro: ['.kiro/settings/mcp.json', ['mcpServers'], { url: URL, ...H }],
  junie: ['.junie/mcp/mcp.json', ['mcpServers'], { url: URL, ...H }]
}

t.strictSame(Object.keys(PINS), agents.map(({ id }) => id))

for (const agent of agents) {
  t.test(agent.name, async (t) => {
    const machine = { platform: 'linux', home: t.testdir(), env: {}, fileSystem } as const
    const [file, servers, entry] = PINS[agent.id]!
    const read = (text: string) => at(readTree(agent.format, text), [...servers, 'exploration'])!
    const secret: SecretReference = { kind: 'token', value: TOKEN }
    const plan = await planRegistration(agent, { name: 'exploration', url: URL, scope: 'user', secret }, machine)
    t.equal(plan.file, join(machine.home, file))
    const { registration } = await apply(plan, fileSystem)
    const written = read(readFileSync(plan.file, 'utf8'))
    t.strictSame(plain(written), entry)
    t.match(readEntry(agent, written), { url: URL, authorization: `Bearer ${TOKEN}`, mismatches: [] })
    t.ok(detect(machine).includes(agent), 'found by its file')
    await apply(await planRemoval(agent, registration!, machine), fileSystem)
    t.strictSame(readdirSync(machine.home), [], 'nothing is left')

    for (const kind of ['file', 'command', 'variable', 'prompt'] as const) {
      const reference = { name: 'exploration', url: URL, secret: { kind, value: 'WHERE' }, scope: 'user' } as const
      const plan = await planRegistration(agent, reference, machine)
      if (!agent.secret[kind]) {
        t.match(plan.problem, { reason: 'unsupported' })
        continue
      }
      const { registration } = await apply(plan, fileSystem)
      t.match(readFileSync(plan.file, 'utf8'), 'WHERE')
      t.match(await planRegistration(agent, reference, machine, registration), { diff: '', problem: undefined }, 'again changes nothing')
      await apply(await planRemoval(agent, registration!, machine), fileSystem)
      t.strictSame(readdirSync(machine.home), [], `nothing is left of a ${kind}`)
    }
  })
}

t.test('references are spelled as each agent reads them', async (t) => {
  const machine = { platform: 'linux', home: t.testdir(), env: {}, fileSystem } as const
  const spelled = async (id: string, secret: SecretReference) => {
    const agent = agents.find((agent) => agent.id === id)!
    const plan = await planRegistration(agent, { name: 'x', url: URL, scope: 'user', secret }, machine)
    return plain(at(readTree(agent.format, plan.after!), [...agent.servers, 'x'])!) as Record<string, unknown>
  }
  const variable = { kind: 'variable', value: 'T' } as const
  t.match(await spelled('claude-code', variable), { headers: { Authorization: 'Bearer ${T}' } })
  t.match(await spelled('cursor', variable), { headers: { Authorization: 'Bearer ${env:T}' } })
  t.match(await spelled('windsurf', variable), { headers: { Authorization: 'Bearer ${env:T}' } })
  t.match(await spelled('opencode', variable), { headers: { Authorization: 'Bearer {env:T}' } })
  t.match(await spelled('opencode', { kind: 'file', value: '~/t' }), { headers: { Authorization: 'Bearer {file:~/t}' } })
  t.strictSame(await spelled('codex', variable), { url: URL, bearer_token_env_var: 'T' })
  t.strictSame(await spelled('claude-code', { kind: 'command', value: 'c --x' }), {
    type: 'http', url: URL, headersHelper: 'c --x'
  })
  t.match(await spelled('vscode', { kind: 'prompt', value: 'p' }), { headers: { Authorization: 'Bearer ${input:p}' } })
})

t.test('what VS Code asks for stands beside the servers', async (t) => {
  const machine = { platform: 'linux', home: t.testdir(), env: {}, fileSystem } as const
  const vscode = agents.find(({ id }) => id === 'vscode')!
  const file = join(machine.home, '.config/Code/User/mcp.json')
  const before = '{\n\t"inputs": [\n\t\t{ "id": "other", "type": "promptString" }, // theirs\n\t],\n\t"servers": {}\n}\n'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, before)
  const secret = { kind: 'prompt', value: 'exploration-token' } as const
  const { registration } = await apply(await planRegistration(vscode, { name: 'exploration', url: URL, scope: 'user', secret }, machine), fileSystem)
  t.strictSame(plain(at(readTree('json', readFileSync(file, 'utf8')), ['inputs', { id: 'exploration-token' }])!),
    { type: 'promptString', id: 'exploration-token', description: `Token for ${URL}`, password: true })
  await apply(await planRemoval(vscode, registration!, machine), fileSystem)
  t.equal(readFileSync(file, 'utf8'), before)
})

t.test('what the agent wrote into our entry stays when it is renewed, and is no change of ours', async (t) => {
  const machine = { platform: 'linux', home: t.testdir(), env: {}, fileSystem } as const
  const cline = agents.find(({ id }) => id === 'cline-cli')!
  const wanted = { name: 'exploration', url: URL, scope: 'user', secret: { kind: 'token', value: TOKEN } } as const
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
  const here = (
    platform: NodeJS.Platform, env = {}
  ) => ({ platform, home: platform === 'win32' ? 'C:\\Users\\ada' : '/Users/ada', env, fileSystem: none })
  const user = (id: string, platform: NodeJS.Platform, env = {}) =>
    fileOf(agents.find((agent) => agent.id === id)!, 'user', here(platform, env))
  t.equal(user('vscode', 'darwin'), '/Users/ada/Library/Application Support/Code/User/mcp.json')
  t.equal(user('vscode', 'win32'), 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json')
  t.equal(user('vscode', 'win32', { APPDATA: 'D:\\Roaming' }), 'D:\\Roaming\\Code\\User\\mcp.json')
  t.equal(user('goose', 'win32'), 'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml')
  t.equal(user('goose', 'darwin'), '/Users/ada/.config/goose/config.yaml')
  t.equal(user('zed', 'linux', { XDG_CONFIG_HOME: '/x' }), '/x/zed/settings.json')
  t.equal(user('codex', 'linux', { CODEX_HOME: '/codex' }), '/codex/config.toml')
  t.equal(user('claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }), '/c/.claude.json')
  t.equal(user('opencode', 'linux', { OPENCODE_CONFIG: '/o.json' }), '/o.json')
  t.equal(locate('$NOT_SET/x', here('linux')), undefined)
  t.equal(
    user('opencode', 'linux', { XDG_CONFIG_HOME: 'rel', OPENCODE_CONFIG: 'rel/o.json' }),
    '/Users/ada/.config/opencode/opencode.json',
    'a relative folder counts as none'
  )
  t.equal(user('codex', 'linux', { CODEX_HOME: '.' }), '/Users/ada/.codex/config.toml')
  t.equal(locate('<appdata>/Zed', { platform: 'win32', home: 'C:\\h', env: { APPDATA: 'rel' } }), 'C:\\h\\AppData\\Roaming\\Zed')
  t.strictSame(detectManual({
    ...here('darwin'), fileSystem: { ...fileSystem, exists: (path) => path.endsWith('/Application Support/Claude') }
  })
    .map(({ id }) => id), ['claude-desktop'])
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

/** Maps as objects, for comparing. */
function plain (tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(plain)
  return tree instanceof Map ? Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)])) : tree
}
