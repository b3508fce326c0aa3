/** The command lines that pages show to people who are not signed in. */
import type { Config } from '../config/config.js'
import { commandLine } from '../lib/text/command-line.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

/**
 * The command line as it runs on this machine, where only people on this machine see the pages. Other people do not
 * learn the folders of the server: they see the plain name with `forOthers`.
 */
export const shownCommand = (
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>, words: string, forOthers = words
): string => publicUrl === undefined && isLoopbackHost(host) ? commandLine(words) : `exploration-mcp ${forOthers}`

export const signInCommand = (config: Pick<Config, 'host' | 'publicUrl'>): string =>
  shownCommand(config, 'sign-in-link', 'sign-in-link --user YOUR-ADDRESS')
