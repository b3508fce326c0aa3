import { lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { apply } from '../../src/agent-setup/install/apply.js'
import { detect } from '../../src/agent-setup/registry/detect.js'
import { fileSystem } from '../../src/agent-setup/file-system.js'
import { planRegistration, planRemoval } from '../../src/agent-setup/install/plan.js'
import { agents } from '../../src/agent-setup/registry/known-agents.js'

// Each agent's file as such files are met, all in one home folder.
const FILES: Record<string, string> = {
  '.claude.json': '{\n  "numStartups": 7,\n  "projects": {\n    "/work": {\n      "mcpServers": {},\n      "history": []\n    }\n  },\n  "userID": "x"\n}',
  '.cursor/mcp.json': '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "url": "https://x.example/mcp" },\r\n\t},\r\n}\r\n',
  '.config/Code/User/mcp.json': '{\n\t"inputs": [],\n\t"servers": {\n\t\t// none yet\n\t}\n}',
  '.codex/config.toml': 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "npx"\n\n[mcp_servers.other.env]\nA = "b"\n\n[projects."/work"]\n' +
    'trust_level = "trusted"\n',
  'dotfiles/gemini.json': '{\n    "ui": {"theme": "x"}, // kept in a repository\n}\n',
  '.qwen/settings.json': '',
  '.codeium/windsurf/mcp_config.json': '{\n  "mcpServers": {}\n}\n',
  '.config/zed/settings.json': '// Zed settings\n//\n{\n  "ui_font_size": 16,\n  "theme": {\n    "mode": "system",\n  },\n}\n',
  '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json': '{\n  "mcpServers": {\n    \n  }\n}\n',
  '.cline/data/settings/cline_mcp_settings.json': '{"mcpServers":{"other":{"command":"x","autoApprove":[]}}}',
  '.config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json': '{\n  "mcpServers": {\n    "z": { "command": "x" }\n  }\n}',
  '.config/opencode/opencode.jsonc': '{ "$schema": "https://opencode.ai/config.json" } // all of it\n',
  '.config/goose/config.yaml': 'GOOSE_MODEL: x # mine\nextensions:\n  developer:\n    enabled: true\n    type: builtin\n# the end\n',
  '.config/amp/settings.json': '{\n  "amp.mcpServers": { "other": { "url": "https://x.example/mcp" } },\n  "amp.notifications.enabled": false\n}\n',
  '.copilot/mcp-config.json': '{\n  "mcpServers": {\n    "other": {\n      "type": "local",\n      "tools": [\n        "*"\n      ]\n    }\n  }\n}',
  '.kiro/settings/mcp.json': '{\n  "mcpServers": {\n  }\n}\n',
  '.junie/mcp/mcp.json': '{}\n'
}

t.test('every agent at once: registered, and the home folder is as it was afterwards', async (t) => {
  const home = t.testdir()
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text, { mode: path.startsWith('.claude') ? 0o600 : 0o644 })
  }
  mkdirSync(join(home, '.gemini'))
  symlinkSync('../dotfiles/gemini.json', join(home, '.gemini/settings.json'))
  const machine = { platform: 'linux', home, env: {}, fileSystem } as const
  const look = () => Object.fromEntries(readdirSync(home, { recursive: true, withFileTypes: true })
    .map((one) => join(one.parentPath, one.name))
    .map((path) => [relative(home, path), lstatSync(path).isFile() ? `${statSync(path).mode & 0o777} ${readFileSync(path, 'latin1')}` : 'folder or link'])
    .sort())
  const before = look()

  t.strictSame(detect(machine), agents, 'all are found')
  const registrations = []
  for (const agent of agents) {
    const secret = { kind: 'token', value: 'svc_pat_ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' } as const
    const plan = await planRegistration(agent, { name: 'exploration', url: 'https://planning.example/mcp', scope: 'user', secret }, machine)
    t.equal(plan.problem, undefined, agent.name)
    const { registration, backup } = await apply(plan, machine.fileSystem)
    t.ok(backup, 'there is a backup')
    registrations.push({ agent, registration: registration! })
  }
  const between = look()
  for (const path of Object.keys(FILES)) t.match(between[path], 'https://planning.example/mcp', path)
  for (const { agent, registration } of registrations) await apply(await planRemoval(agent, registration, machine), machine.fileSystem)
  t.strictSame(look(), before)
})
