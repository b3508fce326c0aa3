/**
 * The cookie that tells the server the theme of a browser. No imports but types: both sides use it. It is no secret and
 * grants nothing.
 */

import type { Theme } from '../access/sign-in/web-sessions.js'

export const THEME_COOKIE = 'exploration_theme'

/** Reads the theme from a `Cookie` header; `system` when there is none. */
export const readTheme = (cookies: string | undefined): Theme => {
  const value = /(?:^|;\s*)exploration_theme=(light|dark)(?:;|$)/.exec(cookies ?? '')?.[1]
  return value === 'light' || value === 'dark' ? value : 'system'
}
