/**
 * The command line: its commands, and running them. The code of a command is loaded when it is called, so that one such
 * as `keys list` does not wait for the server's code.
 */
import { Command, CommanderError } from 'commander'
import { WorkbenchError } from '../client-testing/exit-codes.js'
import { SERVER } from '../config/server-info.js'
import { Refusal } from '../lib/errors.js'
import { createAddCommand } from './add-command.js'
import { agentCommands, doctorCommand } from './agents/agent-commands.js'
import type { CliContext } from './cli-context.js'
import { applicationCommands, deviceCommands } from './credentials/application-commands.js'
import { credentialCommands } from './credentials/credential-commands.js'
import { historyCommands, proposalCommands } from './data/change-commands.js'
import { dataCommands } from './data/data-commands.js'
import { memberCommands, signInLinkCommand, userCommands } from './people/people-commands.js'
import { stripControlChars, stripControlCharsKeepLines } from './print/print.js'
import { auditCommand, operationCommands, serveCommands } from './serve/serve-commands.js'
import { workbenchCommands } from './testing/workbench-commands.js'

/** Creates the parser, which throws Commander's error. The order of the commands is that of --help. */
export function program (context: CliContext): Command {
  const root = new Command('exploration-mcp')
    .description('Product-planning data for AI agents over MCP, with the credentials to reach it.')
    .version(SERVER.version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => { context.stdout.write(text) }, writeErr: (text) => { context.stderr.write(text) }
    })
    .helpCommand(false)
  const families = [
    serveCommands, dataCommands, proposalCommands, historyCommands, userCommands, memberCommands, credentialCommands,
    applicationCommands, signInLinkCommand, deviceCommands, auditCommand, agentCommands, operationCommands,
    doctorCommand, workbenchCommands
  ]
  const command = createAddCommand(context)
  for (const add of families) add(root, command)
  return root
}

/**
 * Runs one command line and returns its exit code: 0, 1 for a refusal (one sentence on stderr), 2 for wrong usage, and
 * those of src/client-testing/exit-codes.ts.
 */
export async function main (args: readonly string[], context: CliContext): Promise<number> {
  try {
    await program(context).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its message already. Requested help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    context.stderr.write(`${reason(error)}\n`)
    return error instanceof WorkbenchError ? error.exitCode : 1
  }
}

function reason (error: unknown): string {
  if (error instanceof Refusal) return stripControlCharsKeepLines(error.message)
  return `Internal error: ${stripControlChars(error instanceof Error ? error.message : String(error))}`
}
