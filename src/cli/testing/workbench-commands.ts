/** The commands that test servers and clients of MCP. */
import { Option, type Command } from 'commander'
import type { AddCommand } from '../add-command.js'
import { ALLOW_HTTP, collect, reportFiles, reporting, seconds, speed } from '../option-values.js'

const TOKEN_FILE = 'a file that holds the credential to send to the server; without it, EXPLORATION_MCP_TOKEN is ' +
  'sent there'

export const workbenchCommands = (root: Command, command: AddCommand): void => {
  reportFiles(command(root, 'conformance', 'run the official conformance suite against a server',
    async (...call) => (await import('./conformance.js')).conformance(...call)))
    .requiredOption('--url <url>', 'the MCP endpoint, such as http://127.0.0.1:8080/mcp')
    .option('--token-file <file>', TOKEN_FILE)
    .option('--allow-http', ALLOW_HTTP)

  const surface = root.command('surface').description('what a server shows to its clients, kept in a file')
  for (const [name, description] of [
    ['lock', 'write all that a server shows, per era and credential, into a lock file'],
    ['diff', 'report what a server shows otherwise than the lock file, by class: breaking, behaviour, text, suspicious']
  ] as const) {
    reportFiles(command(surface, `${name} <url>`, description,
      async (...call) => (await import('./surface.js'))[name](...call)))
      .option('--token-file <name=file>', 'a credential of this name, in a file; may be repeated. Without it, ' +
        'EXPLORATION_MCP_TOKEN is sent', collect)
      .option('--lock <file>', 'the lock file', 'mcp-surface.lock.json')
      .option('--allow-http', ALLOW_HTTP)
      .option('--all', 'print what is unchanged too')
  }

  reporting(command(
    root, 'audit-auth <url>', 'grade the authorization of a server from outside: metadata, registration, codes, tokens',
    async (...call) => (await import('./audit-auth.js')).auditAuthCommand(...call)
  ))
    .option('--non-interactive', 'ask no person to sign in: what needs one is not exercised')

  reporting(command(
    root, 'grade [command...]', 'run an MCP client against a correct server and against servers that misbehave, and ' +
      'report by clause; without a command: grade any client that connects',
    async (...call) => (await import('./grade.js')).grade(...call)
  ))
    .option('--profile <names>', 'how the server misbehaves: names, comma-separated, or all; one run for each')
    .option('--list-profiles', 'print the profiles')
    .option('--authorization', 'give the client no token: an authorization server stands in front, with profiles of ' +
      'its own')
    .option('--for <seconds>', 'end the command after this time: for clients that do not end', seconds)
    .addOption(new Option('--timeout <seconds>', 'the most time for one run').default(120).argParser(seconds))
    .option('--config-file <path>', 'write the address and the token to this file too, as mcpServers JSON')

  command(
    root, 'record [command...]', 'record what clients and a server exchange, without secrets; with a command: what ' +
      'that client does',
    async (...call) => (await import('./record.js')).record(...call)
  )
    .requiredOption('--to <url>', 'the MCP endpoint of the server')
    .option('--output <file>', 'the file to write; it must not exist', 'recording.ndjson')
    .option('--token-file <file>', `${TOKEN_FILE}; with neither, what the client sends`)
    .option('--allow-http', ALLOW_HTTP)
    .option('--for <seconds>', 'end the command, or without one the recording, after this time', seconds)
    .addOption(new Option('--timeout <seconds>', 'the most time for the command').default(120).argParser(seconds))

  reporting(command(
    root, 'replay <file...>', 'be the server of a recording, or compare a server with it; with --serve a command may ' +
      'follow the file, after --',
    async (...call) => (await import('./replay.js')).replay(...call)
  ))
    .option('--serve', 'answer the requests of the recording by its replies')
    .addOption(new Option('--speed <factor>', 'with --serve: 2 halves the pauses of the recording, 0 leaves them out')
      .default(1).argParser(speed))
    .option('--url <url>', 'send the requests of the recording to this MCP endpoint, and compare its replies')
    .option('--token-file <file>', TOKEN_FILE)
    .option('--allow-http', ALLOW_HTTP)
    .addOption(new Option('--timeout <seconds>', 'the most time for the command').default(120).argParser(seconds))
}
