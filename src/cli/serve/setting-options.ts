/** The options that override settings of schemas/config.json. */
import { Option, type Command } from 'commander'
import { SETTINGS, type Flags } from '../../config/config.js'
import { port } from '../option-values.js'

export const PROTOCOL_GROUP = 'Control over the protocol:'

export const serving = (command: Command): Command => command
  .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
  .option('--port <number>', 'port to listen on, 0 for a free one (PORT, 8080)', port)
  .option('--platform-url <url>', 'read all data from this platform instead of a database (PLATFORM_URL)')
  .option('--metrics-port <number>', 'the port of /metrics for Prometheus, 0 for a free one; default: no metrics ' +
    '(METRICS_PORT)', port)
  .option('--metrics-host <address>', 'the address of /metrics (METRICS_HOST, 127.0.0.1)')
  .option('--allow-http', 'allow plain http to another machine for PLATFORM_URL, and for EMBEDDINGS_URL with a key ' +
    '(ALLOW_HTTP)')
  .option('--no-sample', 'do not load the sample data into an empty database (SAMPLE=false)')
  .optionsGroup(PROTOCOL_GROUP)
  .addOption(new Option(
    '--accept-rule <rule>', 'what the Accept header of a POST must allow (ACCEPT_RULE)'
  ).choices(['strict', 'negotiated']))
  .addOption(new Option(
    '--reply-mode <mode>', 'reply by JSON, by a stream, or by what fits (REPLY_MODE)'
  ).choices(['auto', 'json', 'sse']))
  .option('--revisions <list>', 'supported revisions of the specification, comma-separated (REVISIONS)')
  .addOption(new Option(
    '--sessions <choice>', 'whether the revisions with a handshake have sessions (SESSIONS)'
  ).choices(['on', 'off']))
  .addOption(new Option(
    '--header-validation <choice>', 'refuse or only report headers that disagree with the body (HEADER_VALIDATION)'
  ).choices(['strict', 'report']))
  .option('--wire-log <file>', 'write each HTTP exchange to a file, without secrets (WIRE_LOG)')
  .optionsGroup('')

/** Returns the settings that the command line gives, without defaults. */
export const settingsOf = (command: Command): Flags => {
  const given = [...SETTINGS, 'databaseUrlFile' as const].filter((name) => command.getOptionValueSource(name) === 'cli')
  return {
    dataDir: command.opts<{ data?: string }>().data,
    ...Object.fromEntries(given.map((name) => [name, command.opts<Flags>()[name]]))
  }
}
