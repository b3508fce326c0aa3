/** Finds the known agents and their files on this machine, by the path patterns of the table. */
import { posix, win32 } from 'node:path'
import type { Agent, ConfigScope, ManualAgent, PathPattern } from './agent.js'
import { agents, manualAgents } from './known-agents.js'
import type { Host } from '../file-system.js'

/** The path; undefined for a pattern of another platform, or of a variable that is not set to an absolute path. */
export const locate = (
  place: PathPattern, { platform, home, env }: Pick<Host, 'platform' | 'home' | 'env'>
): string | undefined => {
  const { join, isAbsolute } = of(platform)
  const [root = '', ...below] = place.split('/')
  // A relative path counts as not set (XDG Base Directory Specification): it would mean the current folder.
  const folderIn = (name: string): string | undefined => {
    const folder = env[name]
    return folder !== undefined && isAbsolute(folder) ? folder : undefined
  }
  const config = folderIn('XDG_CONFIG_HOME') ?? join(home, '.config')
  const roaming = platform === 'win32' ? folderIn('APPDATA') ?? join(home, 'AppData', 'Roaming') : undefined
  const roots: Record<string, string | undefined> = {
    '~': home,
    '<config>': config,
    '<appdata>': roaming,
    '<data>': roaming ?? (platform === 'darwin' ? join(home, 'Library', 'Application Support') : config)
  }
  const start = root.startsWith('$') ? folderIn(root.slice(1)) : roots[root]
  return start ? join(start, ...below) : undefined
}

export const fileOf = (agent: Agent, scope: ConfigScope, host: Host, projectFolder = '.'): string | undefined => {
  const { join } = of(host.platform)
  if (scope === 'project') return likeliest((agent.project ?? []).map((path) => join(projectFolder, path)), host)
  const named = agent.user.find((place) => place.startsWith('$') && locate(place, host) !== undefined)
  if (named !== undefined) return locate(named, host)
  return likeliest(agent.user.map((place) => locate(place, host)).filter((path) => path !== undefined), host)
}

const likeliest = (paths: string[], { platform, fileSystem }: Host): string | undefined => {
  for (const above of ['.', '..', '../..']) {
    const found = paths.find((path) => fileSystem.exists(of(platform).join(path, above)))
    if (found !== undefined) return found
  }
  return paths[0]
}

const of = (platform: NodeJS.Platform) => platform === 'win32' ? win32 : posix

export const detect = (host: Host): Agent[] => agents.filter((agent) => isHere(agent, host))

export const detectManual = (host: Host): ManualAgent[] => manualAgents.filter((agent) => isHere(agent, host))

const isHere = ({ detectedBy }: { detectedBy: readonly string[] }, host: Host): boolean =>
  detectedBy.some((sign) => {
    const path = locate(sign, host)
    return path !== undefined && host.fileSystem.exists(path)
  })
