// A home folder of its own for some agents, with which `init` registered our server.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { nodeProgram } from '../newer-node.mjs'
import { commandOf, QUIET } from './command-lines.mjs'

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url))
const PATIENCE = 180_000

/** `flags` are those of `init`, which computes for half a second however many agents it is told. */
export const makeHome = async (ids, { url, key, flags = [] }) => {
  const home = await mkdtemp(join(tmpdir(), 'interop-agents-'))
  const project = join(home, 'project')
  await mkdir(project)
  await writeFile(join(home, 'key.txt'), key, { mode: 0o600 })
  const own = { PATH: process.env.PATH, HOME: home }
  const ours = async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--yes', '--json'], { cwd: project, env: own })
    return JSON.parse(stdout)
  }
  const { agents } = await ours('init', '--agent', ...ids, '--url', url, '--token-file', join(home, 'key.txt'), ...flags)
  const start = (id, args, env = {}) => {
    const [command, ...before] = commandOf(id, nodeProgram())
    const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
    return spawn(command, [...before, ...args], {
      cwd: project,
      env: { ...QUIET, ...own, TERM: 'dumb', npm_config_cache: cache, EXPLORATION_MCP_TOKEN: key, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL'
    })
  }
  return {
    home,
    project,
    /** What `init` says of an agent. */
    registered: (id) => agents[ids.indexOf(id)],
    start,
    /** All that it says. */
    async say (...words) {
      const child = start(...words)
      child.stdin.end()
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return `${out}\n${errors}`.replace(/\x1b\[\d*m/g, '') // eslint-disable-line no-control-regex
    },
    uninstall: () => ours('uninstall', '--keep-token'),
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
