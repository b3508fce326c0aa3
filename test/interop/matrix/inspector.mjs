// The command line of the MCP Inspector as a command for `grade`: four processes, one after the other; the first failure ends it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const INSPECTOR = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))
// The Inspector needs a newer Node than this one; MATRIX_NODE names it.
const NODE = process.env.MATRIX_NODE ?? process.execPath

for (const args of [
  ['--method', 'tools/list'],
  ['--method', 'tools/call', '--tool-name', 'find_explorations', '--tool-arg', 'query=refund'],
  ['--method', 'resources/list'],
  ['--method', 'resources/read', '--uri', 'service://test/workspaces']
]) {
  const { status, signal, stdout, stderr } = spawnSync(NODE, [INSPECTOR, '--cli', process.env.MCP_URL, '--transport', 'http',
    '--header', `Authorization: Bearer ${process.env.MCP_TOKEN}`, ...args], { encoding: 'utf8', timeout: 20_000, maxBuffer: 64 * 1024 * 1024 })
  process.stdout.write(stdout.slice(0, 4000))
  process.stderr.write(stderr.slice(-2000))
  if (signal !== null) process.kill(process.pid, signal)
  if (status !== 0) process.exit(status)
}
