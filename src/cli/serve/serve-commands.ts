/** The commands that start and operate a server: its audit log, its database, its state. */
import { Option, type Command } from 'commander'
import { readConfig } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import type { AddCommand } from '../add-command.js'
import type { CommandHandler } from '../cli-context.js'
import { limit, moment, port, reportFiles } from '../option-values.js'
import { print } from '../print/print.js'
import { PROTOCOL_GROUP, serving } from './setting-options.js'

export const serveCommands = (root: Command, command: AddCommand): void => {
  serving(command(root, 'serve', 'serve MCP over HTTP', async (...call) => (await import('./serve.js')).serve(...call)))
    .addOption(new Option('--observe', 'report protocol errors of clients as they happen, with the clause of the ' +
      'specification (OBSERVE)').helpGroup(PROTOCOL_GROUP))
    .option('--from <path...>', 'find the plans of these repositories, import each into a workspace of its own, and ' +
      'follow what changes')
    .option('--write', 'with --from: write what agents report and people accept into those files, never a commit')
    .option('--workspace <workspace>', 'with --from: the workspace to import into; default: the name of the repository')

  reportFiles(serving(command(root, 'observe', 'report protocol errors of clients as they happen; starts a server ' +
    'when none is running',
  async (...call) => (await import('../testing/observe.js')).observe(...call))))
    .option('--once', 'print the current report of the running server and exit (--json does the same)')
    .addOption(new Option('--fail-on <level>', 'which findings make the exit code 1; default: never, and must with ' +
      '--baseline').choices(['must', 'should', 'never']))
}

export const auditCommand = (root: Command, command: AddCommand): void => {
  command(root, 'audit', 'print the audit log, most recent events first',
    async (...call) => (await import('../data/audit.js')).audit(...call))
    .option('--user <user>', 'id or e-mail address')
    .option('--credential <credential>', 'id or name of a key or token')
    .option('--workspace <workspace>', 'id or slug')
    .option('--action <action>', 'the start of the action: tools/call, resources/read, credential/, refused')
    .option('--outcome <outcome>', 'ok, error, unauthorized, forbidden, rate_limited …')
    .option('--since <when>', 'a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)
    .option('--until <when>', 'the same, for the end', moment)
    .option('--ndjson', 'print all events, one JSON object per line, without a limit')
    .addOption(new Option('--limit <number>', 'the maximum number of events').default(100).argParser(limit))
}

export const operationCommands = (root: Command, command: AddCommand): void => {
  command(root, 'migrate', 'update a PostgreSQL database to the newest schema', migrate)
    .option('--server-role <role>', 'grant this role what a server needs: it may append to the audit log but not ' +
      'change it')

  command(root, 'health', 'check whether the server of this machine is ready for requests',
    async (...call) => (await import('./health.js')).health(...call))
    .option('--live', 'only check that the process answers')
    .option('--host <address>', 'the address that it listens on (HOST, 127.0.0.1)')
    .option('--port <number>', 'the port that it listens on (PORT, 8080)', port)
}

/** As the owner of the database: it grants the role of a server its rights. */
const migrate: CommandHandler<{ serverRole?: string }> = async ({ serverRole, json }, context, flags) => {
  const config = readConfig(context.env, flags)
  if (config.databaseUrl === undefined) {
    throw new Refusal(
      'Name the PostgreSQL database with --database-url or DATABASE_URL: the embedded one migrates itself.'
    )
  }
  const backend = await context.openBackend(config, undefined)
  try {
    if (serverRole !== undefined) await backend.admitServerRole(serverRole)
    print({ ...context, json }, { migrated: true, server_role: serverRole ?? null },
      'The schema is up to date.' + (serverRole === undefined
        ? ''
        : ' The server role can read and write the data, and only append to the audit log.'))
  } finally {
    await backend.close()
  }
}
