/** `credentials replay` and `credentials end`: what was revoked stays dead after a restore. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { EndedCounts } from '../../db/credentials/sql-credential-endings.js'
import { pluralize } from '../../lib/text/text.js'
import type { CommandHandler } from '../command-handler.js'
import { requireConsent } from '../confirm.js'
import { requireReadable } from '../data/require-readable.js'
import { print } from '../print/print.js'
import { withManagement } from '../with-management.js'

const describe = ({ keys, tokens, connections, sessions }: EndedCounts): string =>
  `Ended: ${pluralize(keys, 'key')}, ${pluralize(tokens, 'token')}, ${pluralize(connections, 'connection')}, ` +
  `${pluralize(sessions, 'session')}.`

/**
 * Ends again what an exported audit log says was revoked.
 * @throws {Refusal} when the file cannot be read, or is no audit log
 */
export const replay: CommandHandler<{ audit: string }> = async ({ audit: file, json }, context, flags) => {
  const { stdin, host } = context
  if (file !== '-') await requireReadable(file, context)
  await withManagement(context, flags, async (api) => {
    const log = file === '-' ? stdin : createReadStream(resolve(host.folder, file))
    const { ended } = await api.work('POST /admin/credentials/replay', log)
    print({ ...context, json }, { ended }, describe(ended))
  })
}

/**
 * Ends everything that was issued before a time (RFC 3339), after a yes.
 * @throws {Refusal} without one
 */
export const end: CommandHandler<{ issuedBefore: string, yes?: true }> = async (
  { issuedBefore, yes, json }, context, flags
) => {
  if (!yes) {
    await requireConsent(
      context, `End all keys, tokens, connections, sessions and invitations that were issued before ${issuedBefore}?`)
  }
  const { ended } = await withManagement(context, flags, (api) =>
    api.call('POST /admin/credentials/end', { body: { issued_before: issuedBefore } }))
  print({ ...context, json }, { ended }, describe(ended))
}
