/** The options that override settings of schemas/config.json. */
import { Option, type Command } from 'commander'
import type { Flags } from '../../config/config.js'
import { port } from '../option-values.js'

/** The heading in the help. */
export const PROTOCOL_GROUP = 'Control over the protocol:'

/** Adds the options of the commands that may start a server. */
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

/** Options with the same name as the setting that they set. */
const OWN_NAMES = [
  'host', 'port', 'platformUrl', 'acceptRule', 'replyMode', 'revisions', 'sessions', 'headerValidation', 'wireLog',
  'metricsPort', 'metricsHost'
] as const satisfies ReadonlyArray<keyof Flags>

/** The options that are settings, as Commander parses them. */
export type SettingOptions = Partial<Record<(typeof OWN_NAMES)[number], string>> & {
  data?: string
  databaseUrl?: string
  databaseUrlFile?: string
  sample?: boolean
  allowHttp?: boolean
  observe?: boolean
}

/** Returns the options that are settings of schemas/config.json. */
export const settings = ({ data, databaseUrl, databaseUrlFile, ...rest }: SettingOptions): Flags => ({
  dataDir: data,
  databaseUrl,
  databaseUrlFile,
  ...Object.fromEntries(OWN_NAMES.map((name) => [name, rest[name]])),
  // Commander sets `sample` to true without --no-sample: only the option itself may override the environment.
  ...(rest.sample === false && { sample: false }),
  ...(rest.allowHttp === true && { allowHttp: true }),
  ...(rest.observe === true && { observe: true })
})
