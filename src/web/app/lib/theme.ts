/** The theme of the pages. A cookie repeats it for the server, so that the first picture has its colours. */
import type { Theme } from '../../../access/sign-in/web-sessions.js'
import { THEME_COOKIE } from '../../theme-cookie.js'
import { BASE_PATH } from './base-path.js'

const YEAR_SECONDS = 31_536_000

export const applyTheme = (theme: Theme): void => {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const seconds = theme === 'system' ? 0 : YEAR_SECONDS
  document.cookie =
    `${THEME_COOKIE}=${theme}; path=${BASE_PATH || '/'}; max-age=${seconds}; samesite=lax${secure}`
}
