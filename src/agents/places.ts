/** Where a place of the table is on this machine. */
import { posix, win32 } from 'node:path'
import type { Agent, Place, Scope } from './agent.js'
import type { Machine } from './machine.js'

/** The path, or nothing where the place hangs on a variable that is not set. */
export const locate = (place: Place, { platform, home, env }: Pick<Machine, 'platform' | 'home' | 'env'>): string | undefined => {
  const { join } = platform === 'win32' ? win32 : posix
  const [root = '', ...below] = place.split('/')
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const data = () => {
    if (platform === 'darwin') return join(home, 'Library', 'Application Support')
    if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming')
    return config
  }
  const start = root === '~' ? home : root === '<config>' ? config : root === '<data>' ? data() : env[root.slice(1)]
  return start ? join(start, ...below) : undefined
}

/** The file that an entry of this agent goes into; nothing where it has none of that scope. */
export const fileOf = (agent: Agent, scope: Scope, machine: Machine, projectFolder?: string): string | undefined => {
  const { join } = machine.platform === 'win32' ? win32 : posix
  const candidates = scope === 'user'
    ? agent.user.map((place) => locate(place, machine)).filter((path) => path !== undefined)
    : (agent.project ?? []).map((path) => join(projectFolder ?? '.', path))
  return candidates.find((path) => machine.disk.exists(path)) ?? candidates.find((path) => machine.disk.exists(join(path, '..'))) ?? candidates[0]
}
