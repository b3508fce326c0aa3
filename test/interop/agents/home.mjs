// A home folder of its own for one agent, with our server registered in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { apply } from '../../../dist/agents/apply.js'
import { openDisk } from '../../../dist/agents/disk.js'
import { planRegistration, planRemoval } from '../../../dist/agents/plan.js'
import { agents } from '../../../dist/agents/table.js'
import { COMMAND_LINES, QUIET } from './command-lines.mjs'

const PATIENCE = 40_000

export const makeHome = async (id, { url, key, secret = () => ({ kind: 'token', value: key }), scope = 'user', env = {} }) => {
  const home = await mkdtemp(join(tmpdir(), 'interop-agents-'))
  const project = join(home, 'project')
  await mkdir(project)
  await writeFile(join(home, 'token'), key, { mode: 0o600 })
  const disk = openDisk()
  const machine = { platform: process.platform, home, env: {}, disk }
  const agent = agents.find((agent) => agent.id === id)
  const wanted = { name: 'exploration', url, scope, projectFolder: project, secret: secret(home) }
  const { registration } = await apply(await planRegistration(agent, wanted, machine), disk)
  const start = (args) => {
    const [command, ...before] = COMMAND_LINES[id]
    const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
    return spawn(command, [...before, ...args], {
      cwd: project,
      env: { ...QUIET, PATH: process.env.PATH, HOME: home, TERM: 'dumb', npm_config_cache: cache, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL'
    })
  }
  return {
    home,
    project,
    file: registration.file,
    start,
    /** All that it says, with how it ended. */
    async say (...args) {
      const child = start(args)
      child.stdin.end()
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return `${out}\n${errors}`.replace(/\x1b\[\d*m/g, '') // eslint-disable-line no-control-regex
    },
    async uninstall () { await apply(await planRemoval(agent, registration, machine), disk) },
    async remove () { await rm(home, { recursive: true, force: true, maxRetries: 5 }) }
  }
}
