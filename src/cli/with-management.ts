/** Connects a command to the management API: of the running server of the data folder, else of this process. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, type Config, type Flags } from '../config/config.js'
import { commandLine } from '../lib/text/command-line.js'
import { Refusal } from '../lib/errors.js'
import { poll } from '../lib/async/poll.js'
import { DataFolder, ownerOf, socketIn } from '../server/data-folder.js'
import { withRunningServer, type ManagementClient } from './management-client.js'
import type { CliContext } from './cli-context.js'

// A starting server has the lock before it answers; a stopping one keeps it for a while afterwards.
const WAIT = { timeoutMs: 20_000, pauseMs: 50 }

type ManagementWork<T> = (client: ManagementClient) => Promise<T>

/** Runs `work` with a client of the API. Only with `create` it makes a database in a data folder that has none. */
export async function withManagement<T> (
  context: CliContext, flags: Flags, work: ManagementWork<T>, { create = false } = {}
): Promise<T> {
  const config = readConfig(context.env, flags)
  if (config.platformUrl !== undefined) {
    throw new Refusal(
      'PLATFORM_URL is set, and the platform manages this: run the command there, or unset PLATFORM_URL.'
    )
  }
  if (config.databaseUrl !== undefined) return withOwnBackend(context, config, undefined, work)
  const done = await poll(async () => {
    const asked = await withRunningServer(socketIn(config.dataDir), work, actorIn(context))
    if (asked) return asked
    const hasData = ['lock', 'database'].some((name) => existsSync(join(config.dataDir, name)))
    if (!create && !hasData) throw noData(config.dataDir)
    const folder = await DataFolder.take(config.dataDir, context.pid)
    if (folder && !create && !existsSync(folder.database)) {
      await folder.release()
      throw noData(config.dataDir)
    }
    return folder && { outcome: await withOwnBackend(context, config, folder, work) }
  }, WAIT)
  if (done) return done.outcome
  throw new Refusal(
    `The data folder ${config.dataDir} is in use by ${await ownerOf(config.dataDir)}, which does not answer.`,
    'conflict'
  )
}

const noData = (folder: string): Refusal => new Refusal(
  `${existsSync(folder) ? `There is no data in the folder ${folder}` : `There is no data folder ${folder} here`}. ` +
  `Start the server once (${commandLine('serve')}), or name the folder with --data.`, 'not_found')

/** Serves the API in this process while the work runs. The server's code is loaded only here: most calls need none. */
async function withOwnBackend<T> (
  context: CliContext, config: Config, folder: DataFolder | undefined, work: ManagementWork<T>
): Promise<T> {
  try {
    const { serveManagement, serveManagementPrivately } = await import('../server/serve-management.js')
    const backend = await context.openBackend(config, folder)
    try {
      const management = folder
        ? await serveManagement(socketIn(folder.path), backend)
        : await serveManagementPrivately(backend)
      try {
        const done = await withRunningServer(management.socket, work, actorIn(context))
        if (!done) throw new Error('the management API does not answer its own process')
        return done.outcome
      } finally {
        await management.close()
      }
    } finally {
      await backend.close()
    }
  } finally {
    await folder?.release()
  }
}

/** The name of the user for the audit log: not verified. */
const actorIn = ({ env }: CliContext): string =>
  (env['SUDO_USER'] || env['USER'] || env['LOGNAME'] || 'command line').replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100)
