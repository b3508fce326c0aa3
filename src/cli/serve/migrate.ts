/**
 * `migrate`: updates a PostgreSQL database to the newest schema, as its owner, and grants the server's role its
 * rights.
 */
import { readConfig } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { print } from '../print/print.js'
import type { CommandHandler } from '../cli-context.js'

export const migrate: CommandHandler<{ serverRole?: string }> = async ({ serverRole, json }, context, flags) => {
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
