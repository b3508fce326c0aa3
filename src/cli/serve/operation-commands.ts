/** The commands for operating a server: its audit log, its database, its state. */
import { Option, type Command } from 'commander'
import type { AddCommand } from '../add-command.js'
import { limit, moment, port } from '../option-values.js'

/** Adds `audit`. */
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

/** Adds `migrate` and `health`. */
export const operationCommands = (root: Command, command: AddCommand): void => {
  command(root, 'migrate', 'update a PostgreSQL database to the newest schema',
    async (...call) => (await import('./migrate.js')).migrate(...call))
    .option('--server-role <role>', 'grant this role what a server needs: it may append to the audit log but not ' +
      'change it')

  command(root, 'health', 'check whether the server of this machine is ready for requests',
    async (...call) => (await import('./health.js')).health(...call))
    .option('--live', 'only check that the process answers')
    .option('--host <address>', 'the address that it listens on (HOST, 127.0.0.1)')
    .option('--port <number>', 'the port that it listens on (PORT, 8080)', port)
}
