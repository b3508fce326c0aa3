/**
 * The command line of a coding agent as a command for `grade`: `node agent.mjs AGENT`. It gets a home folder of its own whose configuration
 * names the server, and is asked for the state of its servers, which makes it connect: as much as an agent does without a model.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { askCodex, commandOf, QUIET } from '../agents/command-lines.mjs'

const { MCP_URL: url, MCP_TOKEN: token, MATRIX_NODE, PATH } = process.env
const headers = { Authorization: `Bearer ${token}` }
const json = (value) => JSON.stringify(value, undefined, 2)

/** Per agent: the file of its configuration, what it is asked, and how it says that it is connected. */
const AGENTS = {
  'claude-code': {
    file: '.claude.json',
    content: json({ mcpServers: { test: { type: 'http', url, headers } } }),
    ask: ['mcp', 'list'],
    connected: /^test: .*Connected/m,
    env: { MCP_TIMEOUT: '8000' }
  },
  codex: {
    file: '.codex/config.toml',
    content: `[mcp_servers.test]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\nstartup_timeout_sec = 8\n`,
    ask: ['app-server'],
    connected: /"tools":\{"/
  },
  gemini: {
    file: '.gemini/settings.json',
    content: json({ mcpServers: { test: { httpUrl: url, headers, timeout: 8000 } } }),
    ask: ['mcp', 'list'],
    connected: /test: .*- Connected/
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    content: json({ mcp: { test: { type: 'remote', url, headers, enabled: true, timeout: 8000, oauth: false } } }),
    ask: ['mcp', 'list'],
    connected: /test\s+connected/
  },
  qwen: {
    file: '.qwen/settings.json',
    content: json({ mcpServers: { test: { httpUrl: url, headers, timeout: 8000 } } }),
    ask: ['mcp', 'list'],
    connected: /test: .*- Connected/
  }
}

const id = process.argv[2]
const { file, content, ask, connected, env = {} } = AGENTS[id]
const [command, ...before] = commandOf(id, MATRIX_NODE)

const home = mkdtempSync(join(tmpdir(), 'matrix-agent-'))
const path = join(home, file)
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, content, { mode: 0o600 })
const project = join(home, 'project')
mkdirSync(project)

const child = spawn(command, [...before, ...ask], {
  cwd: project,
  env: { ...QUIET, PATH, HOME: home, TERM: 'dumb', npm_config_cache: process.env.npm_config_cache, ...env },
  stdio: ['pipe', 'pipe', 'pipe']
})
process.once('SIGTERM', () => {
  child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
  process.exit(143)
})

const errors = text(child.stderr)
const ended = new Promise((resolve) => { child.once('exit', (code, signal) => resolve({ code, signal })) })
let said
if (id === 'codex') said = await askCodex(child)
else {
  child.stdin.end()
  said = await text(child.stdout)
}
const { code, signal } = await ended
const all = `${said ?? ''}\n${await errors}`.replace(/\x1b\[[\d;]*m/g, '') // eslint-disable-line no-control-regex
rmSync(home, { recursive: true, force: true, maxRetries: 5 })
if (signal !== null && !(id === 'codex' && said !== undefined)) process.kill(process.pid, signal)
console.log(all.slice(0, 4000))
if (!connected.test(all)) {
  console.error(`Error: ${id} does not say that it is connected: ${all.trim().split('\n').at(-1)?.slice(0, 300)}`)
  process.exit(code || 1)
}
