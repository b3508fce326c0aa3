/** The commands for credentials: keys and tokens, connected applications, and devices that wait for a token. */
import { Option, type Command } from 'commander'
import { SCOPES, scopesSentence } from '../../planning/scope-words.js'
import type { AddCommand } from '../add-command.js'
import { lifetime, moment, USER_OR_ADMINISTRATOR } from '../option-values.js'

const keysCode = async () => (await import('./credentials.js')).keys
const tokensCode = async () => (await import('./credentials.js')).tokens

const USER: readonly [string, string] = ['--user <user>', 'id or e-mail address']

/** Adds `keys`, `tokens` and `credentials`. */
export const credentialCommands = (root: Command, command: AddCommand): void => {
  const keys = root.command('keys').description('API keys')
  command(keys, 'create', 'create a key, shown this once', keysCode, 'create')
    .option('--user <user>', USER_OR_ADMINISTRATOR)
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>', `what the key can call, and how often. ${scopesSentence()}`)
      .choices(SCOPES).makeOptionMandatory())
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; never when absent', lifetime)
  command(keys, 'list', 'list keys', keysCode, 'list').option(...USER)
  command(keys, 'revoke <id>', 'revoke a key at once', keysCode, 'revoke')

  const tokens = root.command('tokens').description('personal access tokens')
  command(tokens, 'create', 'create a token, shown this once', tokensCode, 'create')
    .option('--user <user>', USER_OR_ADMINISTRATOR)
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-in <duration>', 'such as 365d, 12h; one year when absent', lifetime)
  command(tokens, 'list', 'list tokens', tokensCode, 'list').option(...USER)
  command(tokens, 'revoke <id>', 'revoke a token at once', tokensCode, 'revoke')

  const credentials = root.command('credentials').description('all credentials at once, after a restore')
  command(credentials, 'replay', 'end again, at once, what an exported audit log says was revoked',
    () => import('./end-credentials.js'), 'replay')
    .requiredOption('--audit <file>', 'what "audit --ndjson" printed, plain or gzip, - for standard input')
  command(credentials, 'end', 'end all keys, tokens, connections and sessions that were issued before a time, at once',
    () => import('./end-credentials.js'), 'end')
    .requiredOption('--issued-before <when>', 'a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)
    .option('--yes', 'do not ask')
}

/** Adds `clients` and `connections`, for applications of OAuth. */
export const applicationCommands = (root: Command, command: AddCommand): void => {
  const clients = root.command('clients').description('applications that may be connected by OAuth')
  command(clients, 'create', 'register an application; its secret is shown this once',
    () => import('./clients.js'), 'create')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--redirect-uri <uri...>', 'the addresses that answers may go to: https, or http on localhost')
    .option('--confidential', 'give it a secret')
  command(clients, 'list', 'list the applications that were registered, or registered themselves',
    () => import('./clients.js'), 'list')
  command(clients, 'revoke <id>', 'revoke an application and end its connections, at once',
    () => import('./clients.js'), 'revoke')

  const connections = root.command('connections').description('applications that people connected by OAuth')
  command(connections, 'list', 'list connected applications', () => import('./connections.js'), 'list')
    .option(...USER)
  command(connections, 'revoke <id>', 'disconnect an application at once', () => import('./connections.js'), 'revoke')
}

/** Adds `device`. */
export const deviceCommands = (root: Command, command: AddCommand): void => {
  const device = root.command('device').description('tools on other machines that ask for a token')
  command(device, 'list', 'list the tools that wait for approval', () => import('./device.js'), 'list')
  command(device, 'approve <code>', 'show which tool has this code, and give it a token',
    () => import('./device.js'), 'approve')
    .option('--user <user>', 'the owner of the token: id or e-mail address; default: the only person on the server')
    .addOption(new Option('--scope <scope>', `what the token can call; default: admin. ${scopesSentence()}`)
      .choices(SCOPES))
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; one year when absent', lifetime)
    .option('--yes', 'do not ask')
  command(device, 'deny <code>', 'refuse the tool with this code; works after an approval too, until the tool has ' +
    'fetched its token', () => import('./device.js'), 'deny')
}
