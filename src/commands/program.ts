/**
 * The grammar of the command line. What a command does is loaded when it is called: listing keys should not wait
 * for the server's code.
 */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Flags } from '../config.js'
import { SERVER } from '../server-info.js'
import { duration, since } from './duration.js'
import type { CommandHandler } from './command-handler.js'
import type { CliContext } from './cli-context.js'

/** Those of the importers, which are loaded only when they are called for. */
const IMPORT_FORMATS = [
  'spec-kit',
  'openspec',
  'kiro',
  'backlog-md',
  'task-master',
  'adr',
  'rfc',
  'linear-csv',
  'jira-csv',
  'github',
  'ndjson'
]

type ParsedCommand = Record<string, unknown> & {
  data?: string
  databaseUrl?: string
  databaseUrlFile?: string
  json?: true
}

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

  /** Every command has these; `positional` names what stands without an option. */
  const command = <Options>(
    parent: Command, usage: string, description: string, load: () => Promise<CommandHandler<Options>>,
    positional?: string
  ): Command =>
      parent.command(usage).description(description)
        .option('--data <dir>', 'the data folder (DATA_DIR, .data)')
        .option('--database-url <url>', 'a PostgreSQL database in place of the folder (DATABASE_URL)')
        .option('--database-url-file <file>', 'a file that holds its address, with the password (DATABASE_URL_FILE)')
        .option('--json', 'print JSON')
        .action(async (...args: unknown[]) => {
          const parsed = args.at(-2) as ParsedCommand
          const run = await load()
          const options = { ...parsed, ...(positional && { [positional]: args[0] }), json: parsed.json === true }
          await run(options as Options & { json: boolean }, context, settings(parsed))
        })

  serving(command(root, 'serve', 'serve MCP over HTTP', async () => (await import('./serve.js')).serve))
    .option('--observe', 'keep what clients do wrong, by clause, and say it as it happens (OBSERVE)')
    .option('--from <path>', 'find the plans of this repository, import them, and follow what changes')
    .option('--workspace <workspace>', 'with --from: whose plans they are; the name of the repository when absent')

  serving(command(root, 'observe', 'what clients do wrong, as it happens: of the running server, else of one that ' +
    'this starts',
  async () => (await import('./observe.js')).observe))
    .option('--once', 'print what there is of the running server, and end (--json does the same)')

  command(root, 'import <path...>', 'import the plans of a repository, the export of a tracker, or records (NDJSON, ' +
    'plain or gzip, - for standard input)',
  async () => (await import('./import.js')).importPaths, 'paths')
    .option('--workspace <workspace>', 'whose plans they are: slug or id; made when it is not there; the name of the ' +
      'repository when absent')
    .addOption(new Option('--format <format>', 'how the files are read').choices(['auto', ...IMPORT_FORMATS])
      .default('auto'))
    .option('--dry-run', 'say what would become what, and what would be left out; write nothing')
    .option('--ndjson', 'with --dry-run: print the records')
    .option('--strict', 'import nothing where a file has a problem')
    .option('--watch', 'go on, and import what changes until it is stopped')
    .option('--map <column...>', 'a column of an export whose name is not known: title=Titel')

  command(root, 'reindex', 'make the search index anew; what is there answers until then', async () => (await import('./reindex.js')).reindex)
    .option('--state', 'only say how it stands')

  const users = group('users', 'people and service accounts')
  command(users, 'create', 'add a user', async () => (await import('./users.js')).create)
    .requiredOption('--email <address>', 'the e-mail address')
    .requiredOption('--name <name>', 'the name')
    .addOption(new Option('--kind <kind>').choices(['person', 'service_account']).default('person'))
    .option('--owner <user>', 'the person who answers for a service account: id or e-mail address')
  command(users, 'list', 'list users', async () => (await import('./users.js')).list)

  const members = group('members', 'who may do what in which workspace')
  command(members, 'add', 'add a member, or change their role', async () => (await import('./members.js')).add)
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

  const device = group('device', 'tools on other machines that ask for a token')
  command(device, 'list', 'list those that wait', async () => (await import('./device.js')).list)
  command(device, 'approve <code>', 'show who asks with this code, and give it a token', async () => (await import('./device.js')).approve, 'code')
    .option('--user <user>', 'whose token: id or e-mail address; the only person there is when absent')
    .addOption(new Option('--scope <scope>', 'what it may do; all that its user may when absent').choices(
      ['read', 'read_write', 'admin']
    ))
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; one year when absent', lifetime)
    .option('--yes', 'do not ask')
  command(device, 'deny <code>', 'refuse the tool that shows this code, also after an approval, until it has its token', async () => (await import('./device.js')).deny, 'code')

  command(root, 'audit', 'who did what, most recent first', async () => (await import('./audit.js')).audit)
    .option('--user <user>', 'id or e-mail address')
    .option('--credential <credential>', 'id or name of a key or token')
    .option('--workspace <workspace>', 'id or slug')
    .option('--action <action>', 'how the action begins: tools/call, resources/read, credential/, refused')
    .option('--outcome <outcome>', 'ok, error, unauthorized, forbidden, rate_limited …')
    .option('--since <when>', 'a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)
    .option('--until <when>', 'the same, for the end', moment)
    .option('--ndjson', 'all of them, one JSON object a line, without a limit')
    .addOption(new Option('--limit <number>', 'at most so many').default(100).argParser(limit))

  command(root, 'init', 'connect the coding agents of this machine', async () => (await import('./init.js')).init)
    .option('--agent <name...>', 'which agents; those that are found on this machine when absent')
    .addOption(new Option(
      '--scope <scope>', 'whether for this user or for the project in this folder'
    ).choices(['user', 'project'])
      .default('user'))
    .option('--name <name>', 'what the server is called in the agents', 'exploration')
    .option('--url <url>', 'the MCP endpoint of a server; the one of this data folder when absent')
    .option('--token-file <file>', 'a credential that exists, - for standard input')
    .option('--user <user>', 'whose token, where it is made here: id or e-mail address')
    .option('--per-agent', 'a token for each agent instead of one for this host')
    .option('--no-per-agent', 'back to one for this host')
    .option('--reference', 'let agents point at the token instead of holding it, where they can')
    .option('--no-reference', 'back to holding it')
    .option('--rotate', 'a new token in place of the one that the agents use')
    .option('--allow-http', ALLOW_HTTP)
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'do not ask')

  command(root, 'uninstall', 'take back what init did', async () => (await import('./uninstall.js')).uninstall)
    .option('--agent <name...>', 'which agents; all when absent')
    .option('--url <url>', 'for this server only')
    .option('--keep-token', 'do not revoke the token')
    .option('--allow-http', ALLOW_HTTP)
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'do not ask')

  command(root, 'migrate', 'bring a PostgreSQL database to the newest schema', async () => (await import('./migrate.js')).migrate)
    .option('--server-role <role>', 'let this role serve: it may append to the audit log, not change it')

  command(root, 'health', 'whether the server of this machine is ready for requests', async () => (await import('./health.js')).health)
    .option('--live', 'only whether it lives')
    .option('--host <address>', 'address it listens on (HOST, 127.0.0.1)')
    .option('--port <number>', 'port it listens on (PORT, 8080)', port)

  command(root, 'doctor', 'what stands between this machine and a server', async () => (await import('./doctor.js')).doctor)
    .option('--url <url>', 'the MCP endpoint; the server of this machine when absent')
    .option('--token-file <file>', 'a file that holds the credential to use (or EXPLORATION_MCP_TOKEN)')
    .option('--allow-http', ALLOW_HTTP)

  command(root, 'conformance', 'run the official conformance suite against a server', async () => (await import('./conformance.js')).conformance)
    .requiredOption('--url <url>', 'the MCP endpoint, such as http://127.0.0.1:8080/mcp')
    .option('--token-file <file>', 'a file that holds the credential to use (or EXPLORATION_MCP_TOKEN)')
    .option('--allow-http', ALLOW_HTTP)

  return root
}

const ALLOW_HTTP = 'send a credential over plain http to another machine too'

/** The options of what may start a server. */
const serving = (command: Command): Command => command
  .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
  .option('--port <number>', 'port to listen on, 0 for a free one (PORT, 8080)', port)
  .option('--platform-url <url>', 'a platform to ask for everything in place of a database (PLATFORM_URL)')
  .addOption(new Option(
    '--accept-rule <rule>', 'what a POST has to accept (ACCEPT_RULE)'
  ).choices(['strict', 'negotiated']))
  .addOption(new Option(
    '--reply-mode <mode>', 'how requests are answered (REPLY_MODE)'
  ).choices(['auto', 'json', 'sse']))
  .option('--revisions <list>', 'revisions served, comma-separated (REVISIONS)')
  .addOption(new Option(
    '--sessions <choice>', 'whether legacy revisions have sessions (SESSIONS)'
  ).choices(['on', 'off']))
  .addOption(new Option(
    '--header-validation <choice>', 'what becomes of headers that disagree with the body (HEADER_VALIDATION)'
  ).choices(['strict', 'report']))
  .option('--metrics-port <number>', 'port of /metrics for Prometheus, 0 for a free one; none when absent ' +
    '(METRICS_PORT)', port)
  .option('--metrics-host <address>', 'address of it (METRICS_HOST, 127.0.0.1)')
  .option('--wire-log <file>', 'record each exchange in a file, without secrets (WIRE_LOG)')
  .option('--allow-http', 'let PLATFORM_URL, and EMBEDDINGS_URL with a key, be plain http to another machine (ALLOW_HTTP)')
  .option('--no-sample', 'start an empty database without the sample data (SAMPLE=false)')

/** Options that are called as the settings they set. */
const OWN_NAMES = [
  'host', 'port', 'platformUrl', 'acceptRule', 'replyMode', 'revisions', 'sessions', 'headerValidation', 'wireLog',
  'metricsPort', 'metricsHost'
] as const satisfies ReadonlyArray<keyof Flags>

/** Those options that are settings of schemas/config.json. */
const settings = ({ data, databaseUrl, databaseUrlFile, ...rest }: ParsedCommand): Flags => ({
  dataDir: data,
  databaseUrl,
  databaseUrlFile,
  ...Object.fromEntries(OWN_NAMES.map((name) => [name, rest[name] as string | undefined])),
  // commander makes `--no-sample` a `sample` that is true by default; only the flag itself is to win over the
  // environment.
  ...(rest['sample'] === false && { sample: false }),
  ...(rest['allowHttp'] === true && { allowHttp: true }),
  ...(rest['observe'] === true && { observe: true })
})

const lifetime = (text: string): number => duration(text) ?? invalid('Say how long as 90d, 12h, 30m or 1y.')
const moment = (text: string): string =>
  since(text) ?? invalid('Give a time (2026-07-28T09:30:00Z), a date, or how long ago (24h, 7d).')
const whole = (text: string, min: number, max: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined
const limit = (text: string): number => whole(text, 1, 10_000) ?? invalid('Give a number from 1 to 10000.')
const port = (text: string): string =>
  whole(text, 0, 65_535) === undefined ? invalid('Give a number from 0 to 65535.') : text

function invalid (message: string): never {
  throw new InvalidArgumentError(message)
}
