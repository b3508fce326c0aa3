/**
 * Defines the command line. The code of a command is loaded when it is called, so that a command such as `keys list`
 * does not wait for the server's code.
 */
import { Command } from 'commander'
import { SERVER } from '../config/server-info.js'
import { createAddCommand } from './add-command.js'
import { agentCommands, doctorCommand } from './agents/agent-commands.js'
import type { CliContext } from './cli-context.js'
import { applicationCommands, deviceCommands } from './credentials/application-commands.js'
import { credentialCommands } from './credentials/credential-commands.js'
import { historyCommands, proposalCommands } from './data/change-commands.js'
import { dataCommands } from './data/data-commands.js'
import { memberCommands, signInLinkCommand, userCommands } from './people/people-commands.js'
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
