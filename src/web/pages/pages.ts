/** The pages of the web application, ready to be served. */
import type { Config } from '../../config/config.js'
import { readBuiltApp, type BuiltApp } from './built-app.js'
import { publicPathOf } from '../../http/public-path.js'
import { createShell, type Shell } from './shell.js'

export interface Pages { app: BuiltApp, shell: Shell }

/**
 * Reads the pages from what `npm run build` made.
 * @returns undefined when they were not built
 */
export const readPages = (config: Pick<Config, 'publicUrl'>): Pages | undefined => {
  const app = readBuiltApp()
  return app && {
    app, shell: createShell(app, publicPathOf(config))
  }
}
