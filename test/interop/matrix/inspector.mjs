// The command line of the MCP Inspector as a command for `grade`: four processes, one after the other; the first failure ends it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSPECTOR } from '../newer-node.mjs'

// The Inspector needs a newer Node than this one; MATRIX_NODE names it.
const NODE = process.env.MATRIX_NODE ?? process.execPath

// Its own time limits are a minute and more; those of a configuration file are the four seconds of the other clients. `grade` ends what hangs.
const folder = mkdtempSync(join(tmpdir(), 'matrix-inspector-'))
const config = join(folder, 'mcp.json')
const { MCP_URL: url, MCP_TOKEN: token } = process.env
writeFileSync(config, JSON.stringify({
  mcpServers: {
    test: { type: 'streamable-http', url, headers: { Authorization: `Bearer ${token}` }, connectionTimeout: 8000, requestTimeout: 4000 }
  }
}), { mode: 0o600 })
const remove = () => rmSync(folder, { recursive: true, force: true })
process.once('exit', remove)

for (const args of [
  ['--method', 'tools/list'],
  ['--method', 'tools/call', '--tool-name', 'find_explorations', '--tool-arg', 'query=refund'],
  ['--method', 'resources/list'],
  ['--method', 'resources/read', '--uri', 'service://test/workspaces']
]) {
  const { status, signal, stdout, stderr } = spawnSync(NODE, [INSPECTOR, '--cli', '--config', config, '--server', 'test', ...args],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  process.stdout.write(stdout.slice(0, 4000))
  process.stderr.write(stderr.slice(-2000))
  if (signal !== null) {
    remove()
    process.kill(process.pid, signal)
  }
  // Code 5 is its way to say that a tool failed, after it printed the result.
  if (status !== 0 && !(status === 5 && stdout.includes('"isError": true'))) process.exit(status)
}
