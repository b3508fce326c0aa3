/**
 * The type of the function that runs a command: it gets the options, the context, and the options that are
 * settings.
 */
import type { Flags } from '../config/config.js'
import type { CliContext } from './cli-context.js'

export type CommandHandler<Options = unknown> = (
  options: Options & { json: boolean }, context: CliContext, flags: Flags
) => Promise<void>
