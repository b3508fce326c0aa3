/**
 * Defines the commands and options of the command line. The code of a command is loaded when it is called, so that
 * a command such as `keys list` does not wait for the server's code.
 */
import { Command, Option } from 'commander'
import { SERVER } from '../server-info.js'
import { agentCommands, doctorCommand, type AddCommand } from './agent-commands.js'
import type { CommandHandler } from './command-handler.js'
import type { CliContext } from './cli-context.js'
import { ALLOW_HTTP, lifetime, limit, moment, port, seconds, speed } from './option-values.js'
import { reportFiles, reporting } from './report-options.js'
import { serving, settings, type SettingOptions } from './setting-options.js'

/** The formats of src/importers, which are loaded only when they are needed. */
const IMPORT_FORMATS = [
  'spec-kit', 'openspec', 'kiro', 'backlog-md', 'task-master', 'adr', 'rfc', 'linear-csv', 'jira-csv', 'github',
  'ndjson'
]

/**
 * Creates the parser. It writes to the context's streams and throws Commander's error in place of ending the
 * process.
 */
export function program (context: CliContext): Command {
  const root = new Command('exploration-mcp')
    .description('Product-planning data for AI agents over MCP, with the credentials to reach it.')
    .version(SERVER.version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => { context.stdout.write(text) }, writeErr: (text) => { context.stderr.write(text) }
    })
    .helpCommand(false)

  const group = (name: string, description: string): Command => root.command(name).description(description)

  const command: AddCommand = <Options>(
    parent: Command, usage: string, description: string, load: () => Promise<CommandHandler<Options>>,
    positional?: string
  ) => {
    const added = parent.command(usage).description(description)
      .option('--data <dir>', 'the data folder (DATA_DIR, .data)')
      .option('--database-url <url>', 'use a PostgreSQL database instead of the data folder (DATABASE_URL)')
      .option('--database-url-file <file>', 'a file that contains the database URL with its password ' +
        '(DATABASE_URL_FILE)')
      .option('--json', 'print JSON')
    return added.action(async (argument: unknown) => {
      const parsed = added.opts<Options & SettingOptions & { json?: boolean }>()
      const run = await load()
      const options = { ...parsed, ...(positional && { [positional]: argument }), json: parsed.json === true }
      await run(options, context, settings(parsed))
    })
  }

  serving(command(root, 'serve', 'serve MCP over HTTP', async () => (await import('./serve.js')).serve))
    .option('--observe', 'report protocol errors of clients as they happen, with the clause of the specification ' +
      '(OBSERVE)')
    .option('--from <path>', 'find the plans of this repository, import them, and follow what changes')
    .option('--workspace <workspace>', 'with --from: the workspace to import into; default: the name of the repository')

  reportFiles(serving(command(root, 'observe', 'report protocol errors of clients as they happen; starts a server ' +
    'when none is running',
  async () => (await import('./observe.js')).observe)))
    .option('--once', 'print the current report of the running server and exit (--json does the same)')
    .addOption(new Option('--fail-on <level>', 'which findings make the exit code 1; default: never, and must with ' +
      '--baseline').choices(['must', 'should', 'never']))

  command(root, 'import <path...>', 'import the plans of a repository, the export of a tracker, or records (NDJSON, ' +
    'plain or gzip, - for standard input)',
  async () => (await import('./import.js')).importPaths, 'paths')
    .option('--workspace <workspace>', 'the workspace to import into: slug or id; created when it does not exist; ' +
      'default: the name of the repository')
    .addOption(new Option('--format <format>', 'how the files are read').choices(['auto', ...IMPORT_FORMATS])
      .default('auto'))
    .option('--dry-run', 'show what would be imported and what would be left out; write nothing')
    .option('--ndjson', 'with --dry-run: print the records')
    .option('--strict', 'import nothing when a file has a problem')
    .option('--watch', 'go on, and import what changes until it is stopped')
    .option('--map <column...>', 'the name of a column in an export, for example title=Titel')

  command(
    root, 'reindex', 'rebuild the search index; searches use the old index until it is done',
    async () => (await import('./reindex.js')).reindex
  )
    .option('--state', 'only print the state of the index')

  const users = group('users', 'people and service accounts')
  command(users, 'create', 'add a user', async () => (await import('./users.js')).create)
    .requiredOption('--email <address>', 'the e-mail address')
    .requiredOption('--name <name>', 'the name')
    .addOption(new Option('--kind <kind>').choices(['person', 'service_account']).default('person'))
    .option('--owner <user>', 'the person responsible for a service account: id or e-mail address')
    .option('--server-admin', 'let this person do everything in the web application')
  command(
    users, 'set-admin', 'make a person a server administrator of the web application',
    async () => (await import('./users.js')).setAdmin
  )
    .requiredOption('--user <user>', 'id or e-mail address')
    .option('--remove', 'take it from them')
  command(
    users, 'deactivate', 'end all sessions and credentials of a user, at once',
    async () => (await import('./users.js')).deactivate
  )
    .requiredOption('--user <user>', 'id or e-mail address')
  command(users, 'activate', 'let a deactivated user in again', async () => (await import('./users.js')).activate)
    .requiredOption('--user <user>', 'id or e-mail address')
  command(
    users, 'sign-out', 'end all sessions of a user, at once; keys and tokens go on',
    async () => (await import('./users.js')).signOut
  )
    .requiredOption('--user <user>', 'id or e-mail address')
    .option('--passkeys', 'remove their passkeys too, as after the loss of a device')
  command(users, 'list', 'list users', async () => (await import('./users.js')).list)

  const members = group('members', 'members of workspaces and their roles')
  command(members, 'add', 'add a member or change their role', async () => (await import('./members.js')).add)
    .requiredOption('--user <user>', 'id or e-mail address')
    .requiredOption('--workspace <workspace>', 'id or slug')
    .addOption(new Option('--role <role>').choices(['viewer', 'editor', 'admin']).makeOptionMandatory())
  command(members, 'remove', 'remove a member', async () => (await import('./members.js')).remove)
    .requiredOption('--user <user>', 'id or e-mail address')
    .requiredOption('--workspace <workspace>', 'id or slug')

  const keys = group('keys', 'API keys')
  command(keys, 'create', 'create a key, shown this once', async () => (await import('./keys.js')).create)
    .requiredOption('--user <user>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>').choices(['read', 'read_write', 'admin']).makeOptionMandatory())
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; never when absent', lifetime)
  command(keys, 'list', 'list keys', async () => (await import('./keys.js')).list).option(
    '--user <user>', 'id or e-mail address'
  )
  command(keys, 'revoke <id>', 'revoke a key at once', async () => (await import('./keys.js')).revoke, 'id')

  const tokens = group('tokens', 'personal access tokens')
  command(tokens, 'create', 'create a token, shown this once', async () => (await import('./tokens.js')).create)
    .requiredOption('--user <user>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-in <duration>', 'such as 365d, 12h; one year when absent', lifetime)
  command(tokens, 'list', 'list tokens', async () => (await import('./tokens.js')).list).option(
    '--user <user>', 'id or e-mail address'
  )
  command(tokens, 'revoke <id>', 'revoke a token at once', async () => (await import('./tokens.js')).revoke, 'id')

  const clients = group('clients', 'applications that may be connected by OAuth')
  command(
    clients, 'create', 'register an application; its secret is shown this once',
    async () => (await import('./clients.js')).create
  )
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--redirect-uri <uri...>', 'the addresses that answers may go to: https, or http on localhost')
    .option('--confidential', 'give it a secret')
  command(
    clients, 'list', 'list the applications that were registered, or registered themselves',
    async () => (await import('./clients.js')).list
  )
  command(
    clients, 'revoke <id>', 'revoke an application and end its connections, at once',
    async () => (await import('./clients.js')).revoke, 'id'
  )

  const connections = group('connections', 'applications that people connected by OAuth')
  command(connections, 'list', 'list connected applications', async () => (await import('./connections.js')).list)
    .option('--user <user>', 'id or e-mail address')
  command(
    connections, 'revoke <id>', 'disconnect an application at once',
    async () => (await import('./connections.js')).revoke, 'id'
  )

  command(
    root, 'sign-in-link', 'print a link that signs a person in to the web application, once, within 15 minutes',
    async () => (await import('./sign-in-link.js')).signInLink
  )
    .requiredOption('--user <user>', 'id or e-mail address')

  const device = group('device', 'tools on other machines that ask for a token')
  command(device, 'list', 'list the tools that wait for approval', async () => (await import('./device.js')).list)
  command(
    device, 'approve <code>', 'show which tool has this code, and give it a token',
    async () => (await import('./device.js')).approve, 'code'
  )
    .option('--user <user>', 'the owner of the token: id or e-mail address; default: the only person on the server')
    .addOption(new Option('--scope <scope>', 'what the token may do; default: all that its user may do').choices(
      ['read', 'read_write', 'admin']
    ))
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; one year when absent', lifetime)
    .option('--yes', 'do not ask')
  command(
    device, 'deny <code>', 'refuse the tool with this code; works after an approval too, until the tool has fetched ' +
      'its token',
    async () => (await import('./device.js')).deny, 'code'
  )

  command(
    root, 'audit', 'print the audit log, most recent events first',
    async () => (await import('./audit.js')).audit
  )
    .option('--user <user>', 'id or e-mail address')
    .option('--credential <credential>', 'id or name of a key or token')
    .option('--workspace <workspace>', 'id or slug')
    .option('--action <action>', 'the start of the action: tools/call, resources/read, credential/, refused')
    .option('--outcome <outcome>', 'ok, error, unauthorized, forbidden, rate_limited …')
    .option('--since <when>', 'a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)
    .option('--until <when>', 'the same, for the end', moment)
    .option('--ndjson', 'print all events, one JSON object per line, without a limit')
    .addOption(new Option('--limit <number>', 'the maximum number of events').default(100).argParser(limit))

  agentCommands(root, command)

  command(
    root, 'migrate', 'update a PostgreSQL database to the newest schema',
    async () => (await import('./migrate.js')).migrate
  )
    .option('--server-role <role>', 'grant this role what a server needs: it may append to the audit log but not ' +
      'change it')

  command(
    root, 'health', 'check whether the server of this machine is ready for requests',
    async () => (await import('./health.js')).health
  )
    .option('--live', 'only check that the process answers')
    .option('--host <address>', 'the address that it listens on (HOST, 127.0.0.1)')
    .option('--port <number>', 'the port that it listens on (PORT, 8080)', port)

  doctorCommand(root, command)

  reportFiles(command(
    root, 'conformance', 'run the official conformance suite against a server',
    async () => (await import('./conformance.js')).conformance
  ))
    .requiredOption('--url <url>', 'the MCP endpoint, such as http://127.0.0.1:8080/mcp')
    .option('--token-file <file>', 'a file that holds the credential to use (or EXPLORATION_MCP_TOKEN)')
    .option('--allow-http', ALLOW_HTTP)

  reporting(command(
    root, 'grade [command...]', 'run an MCP client against a correct server and against servers that misbehave, and ' +
      'report by clause; without a command: grade whoever connects',
    async () => (await import('./grade.js')).grade, 'command'
  ))
    .option('--profile <names>', 'how the server misbehaves: names, comma-separated, or all; one run for each')
    .option('--list-profiles', 'print the profiles')
    .option('--for <seconds>', 'end the command after this time: for clients that do not end', seconds)
    .addOption(new Option('--timeout <seconds>', 'the most time for one run').default(120).argParser(seconds))
    .option('--config-file <path>', 'write the address and the token to this file too, as mcpServers JSON')

  command(
    root, 'record [command...]', 'record what clients and a server exchange, without secrets; with a command: what ' +
      'that client does',
    async () => (await import('./record.js')).record, 'command'
  )
    .requiredOption('--to <url>', 'the MCP endpoint of the server')
    .option('--output <file>', 'the file to write; it must not exist', 'recording.ndjson')
    .option('--token-file <file>', 'a file that holds the credential for the server (or EXPLORATION_MCP_TOKEN); ' +
      'default: what the client sends')
    .option('--allow-http', ALLOW_HTTP)
    .option('--for <seconds>', 'end the command after this time', seconds)
    .addOption(new Option('--timeout <seconds>', 'the most time for the command').default(120).argParser(seconds))

  reporting(command(
    root, 'replay <file...>', 'be the server of a recording, or compare a server with it; with --serve a command may ' +
      'follow the file, after --',
    async () => (await import('./replay.js')).replay, 'words'
  ))
    .option('--serve', 'answer the requests of the recording by its replies')
    .addOption(new Option('--speed <factor>', 'with --serve: 2 halves the pauses of the recording, 0 leaves them out')
      .default(1).argParser(speed))
    .option('--url <url>', 'send the requests of the recording to this MCP endpoint, and compare its replies')
    .option('--token-file <file>', 'a file that holds the credential to use (or EXPLORATION_MCP_TOKEN)')
    .option('--allow-http', ALLOW_HTTP)
    .addOption(new Option('--timeout <seconds>', 'the most time for the command').default(120).argParser(seconds))

  return root
}
