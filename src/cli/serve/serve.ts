/** `serve`: reads the options, runs the server, and prints what it says. */
import { readConfig } from '../../config/config.js'
import { ignoredSettings } from '../../config/removed-settings.js'
import { Refusal } from '../../lib/errors.js'
import type { ObservedClient } from '../../engine/observer/client-registry.js'
import { runServer } from '../../server/run-server.js'
import type { CommandHandler } from '../cli-context.js'
import { printFinding, printReport } from '../testing/print-findings.js'
import { printStartupBanner } from './startup-banner.js'

interface ServeOptions {
  from?: string[]
  workspace?: string
  write?: boolean
  /** Rejects to make the command fail. */
  onObservations?: (clients: readonly ObservedClient[]) => Promise<void>
}

export const serve: CommandHandler<ServeOptions> = async (
  { json, from, workspace, write = false, onObservations }, context, flags
) => {
  const { env, host, pid, openBackend } = context
  const stop = new Promise<void>((resolve) => { context.onStop(resolve) })
  const config = readConfig(env, flags)
  if (workspace !== undefined && from === undefined) {
    throw new Refusal('--workspace names the workspace that --from imports into: use them together.')
  }
  if (write && from === undefined) {
    throw new Refusal('--write writes into the files of --from: use them together, such as serve --from . --write')
  }
  if (workspace !== undefined && from !== undefined && from.length > 1) {
    throw new Refusal(
      '--workspace names one workspace, and each repository has its own: set "workspace" in its .exploration-mcp.json.'
    )
  }
  const output = { ...context, json }
  const reader = env['SUDO_USER'] || env['USER'] || env['LOGNAME'] || 'me'
  await runServer(config, {
    pid,
    openBackend,
    warnings: ignoredSettings(env),
    plans: from === undefined ? undefined : { paths: from, cwd: host.folder, workspace, reader, write },
    stop,
    onFirstFinding: (client, finding) => printFinding(output, client, finding),
    async onReport (clients) {
      await printReport(output, clients)
      await onObservations?.(clients)
    },
    onListening (server) { printStartupBanner(output, server) }
  })
}
