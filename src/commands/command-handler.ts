/** What runs a command: its own options, its surroundings, and those flags that are settings. */
import type { Flags } from '../config.js'
import type { CliContext } from './cli-context.js'

export type CommandHandler<Options = unknown> = (
  options: Options & { json: boolean }, context: CliContext, flags: Flags
) => Promise<void>
