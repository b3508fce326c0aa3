/** Opens a page in the browser of the person at this terminal. */
import { isPlainHttp } from '../../agent-setup/credentials/http-client.js'
import type { CliContext } from '../cli-context.js'

/** Only for someone at the terminal of a machine with a screen; http of another machine could be anybody's page. */
export const openPage = (
  { env, host: { platform }, stderr, openInBrowser }: CliContext, page: URL, allowHttp: boolean
): void => {
  if (!stderr.isTTY || !hasScreen(env, platform) || (isPlainHttp(page) && !allowHttp)) return
  openInBrowser(page.href).then(() => stderr.write('The page opens in your browser.\n'), () => {})
}

// Without a screen, a desktop's programs start a text browser in this terminal.
const hasScreen = (env: CliContext['env'], platform: string): boolean => {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI']) return false
  return platform === 'darwin' || platform === 'win32' ||
    Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'])
}
