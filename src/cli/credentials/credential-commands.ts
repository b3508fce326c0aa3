/** `keys`, `tokens` and `credentials`: API keys, personal access tokens, and ending all of them after a restore. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { NOUN_OF_KIND } from '../../access/credentials/credentials.js'
import type { EndedCounts } from '../../db/credentials/sql-credential-endings.js'
import type { Scope, StaticCredentialKind } from '../../lib/principal.js'
import { pluralize } from '../../lib/text/text.js'
import { SCOPES, scopesSentence } from '../../planning/scope-words.js'
import type { AddCommand } from '../add-command.js'
import { requireConsent } from '../confirm.js'
import { requireReadable } from '../data/require-readable.js'
import { listed, managed } from '../managed.js'
import { nameOrOnlyAdministrator } from '../only-administrator.js'
import { lifetime, moment, USER, USER_OR_ADMINISTRATOR, YES } from '../option-values.js'
import { stripControlChars } from '../print/print.js'
import { credentialColumns, listCredentials, revokeCredential } from './credentials.js'

/** `expiresIn` is in seconds. */
interface NewToken { user?: string, name: string, expiresIn?: number }
interface NewKey extends NewToken { scope: Scope, workspace?: string[] }

/** When a credential ends that is made now, in RFC 3339. */
const endOf = (seconds: number): { expires_at: string } =>
  ({ expires_at: new Date(Date.now() + seconds * 1000).toISOString() })

export const credentialCommands = (root: Command, command: AddCommand): void => {
  const keys = root.command('keys').description('API keys')
  command(keys, 'create', 'create a key, shown this once', managed(
    async (api, { user, name, scope, workspace, expiresIn }: NewKey) => {
      const end = expiresIn === undefined ? { never: true as const } : endOf(expiresIn)
      const owner = await nameOrOnlyAdministrator(api, user)
      const { id, secret: key, ...made } =
        await api.callAs(owner, 'POST /keys', { body: { name, scope, workspaces: workspace, ...end } })
      return { id, name: made.name, key, scope: made.scope, expires_at: made.expires_at }
    },
    ({ id, key, scope, expires_at: end }) =>
      `${key}\n\nThis is the only time the key is shown. Id ${id}, scope ${scope}, expires ${end ?? 'never'}.`
  ))
    .option('--user <user>', USER_OR_ADMINISTRATOR)
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>', `what the key can call, and how often. ${scopesSentence()}`)
      .choices(SCOPES).makeOptionMandatory())
    .option('--workspace <workspace...>', 'ids or slugs; all that the user can see when absent')
    .option('--expires-in <duration>', 'such as 90d, 12h; never when absent', lifetime)
  listAndRevoke(keys, command, 'api_key', 'There are no API keys.')

  const tokens = root.command('tokens').description('personal access tokens')
  command(tokens, 'create', 'create a token, shown this once', managed(
    async (api, { user, name, expiresIn }: NewToken) => {
      const owner = await nameOrOnlyAdministrator(api, user)
      const body = { name, ...expiresIn !== undefined && endOf(expiresIn) }
      const { id, secret: token, ...made } = await api.callAs(owner, 'POST /tokens', { body })
      return { id, name: made.name, token, expires_at: made.expires_at }
    },
    ({ id, token, expires_at: end }) =>
      `${token}\n\nThis is the only time the token is shown. Id ${id}, expires ${end}.`
  ))
    .option('--user <user>', USER_OR_ADMINISTRATOR)
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-in <duration>', 'such as 365d, 12h; one year when absent', lifetime)
  listAndRevoke(tokens, command, 'personal_access_token', 'There are no personal access tokens.')

  const credentials = root.command('credentials').description('all credentials at once, after a restore')
  command(credentials, 'replay', 'end again, at once, what an exported audit log says was revoked', managed(
    (api, { audit: file }: { audit: string }, { stdin, host }) =>
      api.work('POST /admin/credentials/replay', file === '-' ? stdin : createReadStream(resolve(host.folder, file))),
    endedText, { prepare: async ({ audit }, context) => { if (audit !== '-') await requireReadable(audit, context) } }
  )).requiredOption('--audit <file>', 'what "audit --ndjson" printed, plain or gzip, - for standard input')
  command(credentials, 'end', 'end all keys, tokens, connections and sessions that were issued before a time, at once',
    managed(
      (api, { issuedBefore }: { issuedBefore: string, yes?: true }) =>
        api.call('POST /admin/credentials/end', { body: { issued_before: issuedBefore } }),
      endedText, {
        prepare: async ({ issuedBefore, yes }, context) => {
          if (yes) return
          await requireConsent(context, 'End all keys, tokens, connections, sessions and invitations that were ' +
            `issued before ${issuedBefore}?`)
        }
      }))
    .requiredOption('--issued-before <when>', 'a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)
    .option(...YES)
}

const listAndRevoke = (family: Command, command: AddCommand, kind: StaticCredentialKind, none: string): void => {
  const noun = NOUN_OF_KIND[kind]
  command(family, 'list', `list ${noun}s`, listed(
    (api, { user }: { user?: string }) => listCredentials(api, kind, user), credentialColumns, none
  )).option(...USER)
  command(family, 'revoke <id>', `revoke a ${noun} at once`, managed(
    (api, { id }: { id: string }) => revokeCredential(api, kind, id),
    ({ name, user }) => `Revoked the ${noun} ${stripControlChars(name)} of ${stripControlChars(user.email)}.`
  ))
}

const endedText = ({ ended: { keys, tokens, connections, sessions } }: { ended: EndedCounts }): string =>
  `Ended: ${pluralize(keys, 'key')}, ${pluralize(tokens, 'token')}, ${pluralize(connections, 'connection')}, ` +
  `${pluralize(sessions, 'session')}.`
