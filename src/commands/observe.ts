/**
 * `observe`: prints protocol errors of clients as they happen, from the server that owns the data folder, or from
 * one that it starts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config.js'
import type { ObservedClient } from '../mcp/lint/client-registry.js'
import { socketIn } from '../server/data-folder.js'
import { printFinding, printReport } from './print-findings.js'
import { ManagementClient } from './management-client.js'
import type { CommandHandler } from './command-handler.js'
import { serve } from './serve.js'

const EVERY_MS = 1000

/**
 * Prints the report of a running server, then each new finding until it is stopped. Starts a server when none is
 * running.
 */
export const observe: CommandHandler<{ once?: boolean }> = async (options, context, flags) => {
  const { dataDir, databaseUrl, platformUrl } = readConfig(context.env, flags)
  const api = databaseUrl === undefined && platformUrl === undefined
    ? await ManagementClient.connect(socketIn(dataDir))
    : undefined
  if (!api) return serve(options, context, { ...flags, observe: true })
  const output = { stdout: context.stdout, json: options.json }
  const stopped = new AbortController()
  context.onStop(() => stopped.abort())
  try {
    const report = async () => (await api.call<{ clients: ObservedClient[] }>('GET', '/observations')).clients
    const first = await report()
    printReport(output, first)
    if (options.once || options.json) return
    const reported = new Set(foundIn(first).map(([key]) => key))
    for (;;) {
      await sleep(EVERY_MS, undefined, { signal: stopped.signal })
      for (const [key, client, finding] of foundIn(await report())) {
        if (!reported.has(key)) printFinding(output, client, finding)
        reported.add(key)
      }
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error
  } finally {
    await api.close()
  }
}

const foundIn = (clients: readonly ObservedClient[]) => clients.flatMap((client) => client.findings.map((finding) =>
  [
    JSON.stringify([client.name, client.version, client.user_agent, finding.rule, finding.spec.revision]),
    client,
    finding
  ] as const))
