/** The commands around the coding agents of a machine: connecting, disconnecting, checking. */
import { Option, type Command } from 'commander'
import type { AddCommand } from '../add-command.js'
import { ALLOW_HTTP, reportFiles, YES } from '../option-values.js'

export const agentCommands = (root: Command, command: AddCommand): void => {
  command(root, 'init', 'connect the coding agents of this machine',
    async (...call) => (await import('./init.js')).init(...call))
    .option('--agent <name...>', 'the agents to connect; default: those found on this machine')
    .addOption(new Option(
      '--scope <scope>', 'configure the agents for this user or for the project in this folder'
    ).choices(['user', 'project'])
      .default('user'))
    .option('--name <name>', 'the name of the server in the agents', 'exploration')
    .option('--url <url>', 'the MCP endpoint of a server; default: the server of this data folder')
    .option('--token-file <file>', 'a file that contains an existing credential, - for standard input')
    .option('--user <user>', 'the owner of a token that is created here: id or e-mail address')
    .option('--per-agent', 'create one token per agent instead of one for this host')
    .option('--no-per-agent', 'go back to one token for this host')
    .option('--reference', 'write a reference to the token instead of the token into the files of agents that ' +
      'support it')
    .option('--no-reference', 'go back to writing the token itself')
    .option('--rotate', 'replace the token that the agents use by a new one')
    .option('--no-browser', 'print the address where a person approves this machine, and do not open it')
    .option('--allow-http', ALLOW_HTTP)
    .option('--dry-run', 'show what would change, and change nothing')
    .option(...YES)

  command(root, 'uninstall', 'undo what init did',
    async (...call) => (await import('./uninstall.js')).uninstall(...call))
    .option('--agent <name...>', 'the agents to disconnect; default: all')
    .option('--url <url>', 'only for this server')
    .option('--keep-token', 'do not revoke the token')
    .option('--allow-http', ALLOW_HTTP)
    .option('--dry-run', 'show what would change, and change nothing')
    .option(...YES)
}

export const doctorCommand = (root: Command, command: AddCommand): void => {
  reportFiles(command(root, 'doctor', 'check the connection from this machine to a server and explain each failure',
    async (...call) => (await import('./doctor.js')).doctor(...call)))
    .option('--url <url>', 'the MCP endpoint; default: the server of this machine')
    .option('--oauth-url <url>', 'the address where people sign in; default: /oauth/mcp beside the endpoint')
    .option('--token-file <file>', 'a file that holds the credential to use (or EXPLORATION_MCP_TOKEN)')
    .option('--allow-http', ALLOW_HTTP)
}
