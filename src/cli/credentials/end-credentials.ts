/** `credentials replay` and `credentials end`: what was revoked stays dead after a restore. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { EndedCounts } from '../../db/credentials/sql-credential-endings.js'
import { pluralize } from '../../lib/text/text.js'
import type { CommandHandler } from '../command-handler.js'
import { requireConsent } from '../confirm.js'
import { requireReadable } from '../data/require-readable.js'
import { managed } from '../managed.js'

const describe = ({ ended: { keys, tokens, connections, sessions } }: { ended: EndedCounts }): string =>
  `Ended: ${pluralize(keys, 'key')}, ${pluralize(tokens, 'token')}, ${pluralize(connections, 'connection')}, ` +
  `${pluralize(sessions, 'session')}.`

/**
 * Ends again what an exported audit log says was revoked.
 * @throws {Refusal} when the file cannot be read, or is no audit log
 */
export const replay: CommandHandler<{ audit: string }> = async (options, context, flags) => {
  if (options.audit !== '-') await requireReadable(options.audit, context)
  await replayLog(options, context, flags)
}

const replayLog = managed((api, { audit: file }: { audit: string }, { stdin, host }) =>
  api.work('POST /admin/credentials/replay', file === '-' ? stdin : createReadStream(resolve(host.folder, file))),
describe)

/**
 * Ends everything that was issued before a time (RFC 3339), after a yes.
 * @throws {Refusal} without one
 */
export const end: CommandHandler<{ issuedBefore: string, yes?: true }> = async (options, context, flags) => {
  if (!options.yes) {
    await requireConsent(context, 'End all keys, tokens, connections, sessions and invitations that were issued ' +
      `before ${options.issuedBefore}?`)
  }
  await endIssued(options, context, flags)
}

const endIssued = managed((api, { issuedBefore }: { issuedBefore: string }) =>
  api.call('POST /admin/credentials/end', { body: { issued_before: issuedBefore } }), describe)
