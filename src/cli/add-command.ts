/** How a command is added to the command line: with the options that every command has. */
import type { Command } from 'commander'
import type { CliContext, CommandHandler } from './cli-context.js'
import { settingsOf } from './serve/setting-options.js'

/** `run` loads the code of a command that needs much. It gets the command's argument as the option of that name. */
export type AddCommand = (parent: Command, usage: string, description: string, run: CommandHandler<never>) => Command

export const createAddCommand = (context: CliContext): AddCommand => (parent, usage, description, run) => {
  const added = parent.command(usage).description(description)
    .option('--data <dir>', 'the data folder (DATA_DIR, .data)')
    .option('--database-url <url>', 'use a PostgreSQL database instead of the data folder (DATABASE_URL)')
    .option('--database-url-file <file>', 'a file that contains the database URL with its password ' +
      '(DATABASE_URL_FILE)')
    .option('--json', 'print JSON')
  return added.action(async (argument: unknown) => {
    const [positional] = added.registeredArguments
    const { json = false, ...given } = added.opts<{ json?: boolean }>()
    const options = { ...given, ...positional && { [positional.name()]: argument }, json }
    await run(options as never, context, settingsOf(added))
  })
}
