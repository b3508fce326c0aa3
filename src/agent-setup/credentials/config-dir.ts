/** The folder of this user's credentials: below the platform's folder for configuration. */
import { posix, win32 } from 'node:path'
import type { Host } from '../host.js'

/**
 * `$XDG_CONFIG_HOME/exploration-mcp`, if that is set to an absolute path; else `%APPDATA%\exploration-mcp` on
 * Windows, `~/Library/Application Support/exploration-mcp` on macOS and `~/.config/exploration-mcp` elsewhere.
 */
export const configDir = ({ platform, home, env }: Pick<Host, 'platform' | 'home' | 'env'>): string => {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix
  const named = env['XDG_CONFIG_HOME']
  return join(named !== undefined && isAbsolute(named) ? named : usual(), 'exploration-mcp')

  function usual (): string {
    const appData = env['APPDATA']
    if (platform === 'win32') {
      return appData !== undefined && isAbsolute(appData) ? appData : join(home, 'AppData', 'Roaming')
    }
    return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
  }
}
