/** How a command is added to the command line: with the options that every command has. */
import type { Command } from 'commander'
import type { CliContext } from './cli-context.js'
import type { CommandHandler } from './command-handler.js'
import { settings, type SettingOptions } from './serve/setting-options.js'

/**
 * Adds a command, with the options that every command has, and returns it. `load` imports the command's code when it is
 * called, and `name` is that of the handler in it. The command's argument becomes the option of the same name.
 */
export type AddCommand = <Name extends string>(
  parent: Command, usage: string, description: string, load: () => Promise<Record<Name, CommandHandler<never>>>,
  name: Name
) => Command

/** Returns the function that adds commands which run in this context. */
export const createAddCommand = (context: CliContext): AddCommand => (parent, usage, description, load, name) => {
  const added = parent.command(usage).description(description)
    .option('--data <dir>', 'the data folder (DATA_DIR, .data)')
    .option('--database-url <url>', 'use a PostgreSQL database instead of the data folder (DATABASE_URL)')
    .option('--database-url-file <file>', 'a file that contains the database URL with its password ' +
      '(DATABASE_URL_FILE)')
    .option('--json', 'print JSON')
  return added.action(async (argument: unknown) => {
    const parsed = added.opts<SettingOptions & { json?: boolean }>()
    const [positional] = added.registeredArguments
    const { [name]: run } = await load()
    const options = { ...parsed, ...positional && { [positional.name()]: argument }, json: parsed.json === true }
    await run(options as never, context, settings(parsed))
  })
}
