/** The cookie with the theme of a browser, which grants nothing. No imports but types: both sides use it. */

import type { Theme } from '../access/sign-in/web-sessions.js'

export const THEME_COOKIE = 'exploration_theme'

export const readTheme = (cookies: string | undefined): Theme => {
  const value = /(?:^|;\s*)exploration_theme=(light|dark)(?:;|$)/.exec(cookies ?? '')?.[1]
  return value === 'light' || value === 'dark' ? value : 'system'
}
