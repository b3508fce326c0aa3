/** `observe`: prints protocol errors of clients of the running server as they happen, or of one that it starts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../config/config.js'
import type { ObservedClient } from '../../engine/observer/client-registry.js'
import { Refusal } from '../../lib/errors.js'
import { socketIn } from '../../server/data-folder.js'
import { NOTE_ON_OBSERVATIONS, observationChecks } from '../../client-testing/observation-checks.js'
import { printFinding, printReport } from './print-findings.js'
import { ManagementClient } from '../management-client.js'
import type { CommandHandler } from '../cli-context.js'
import { fileReport, openReportTarget, requireNoFailures, type ReportOptions } from './deliver-report.js'
import { serve } from '../serve/serve.js'

const EVERY_MS = 1000

interface ObserveOptions extends Pick<ReportOptions, 'report' | 'baseline' | 'compare' | 'failOn'> { once?: boolean }

export const observe: CommandHandler<ObserveOptions> = async (options, context, flags) => {
  const { baseline, failOn = baseline === undefined ? 'never' : 'must' } = options
  const target = await openReportTarget(options)
  const deliver = async (clients: readonly ObservedClient[]): Promise<void> => {
    const checks = observationChecks(clients)
    requireNoFailures(await fileReport({
      command: 'observe', subject: 'clients of this server', checks, failOn, notes: [NOTE_ON_OBSERVATIONS]
    }, target))
  }
  const { dataDir, databaseUrl, platformUrl } = readConfig(context.env, flags)
  const api = databaseUrl === undefined && platformUrl === undefined
    ? await ManagementClient.connect(socketIn(dataDir))
    : undefined
  if (!api && (options.once || options.json)) {
    throw new Refusal('No server runs in this data folder, so there is no report: start one with serve --observe.')
  }
  if (!api) return serve({ ...options, onObservations: deliver }, context, { ...flags, observe: true })
  const output = { stdout: context.stdout, json: options.json }
  const stopped = new AbortController()
  context.onStop(() => stopped.abort())
  // The server is of this version: its rules are those of this program.
  const report = async () => (await api.call('GET /observations')).clients as ObservedClient[]
  let latest: ObservedClient[]
  try {
    latest = await report()
    await printReport(output, latest)
    if (!options.once && !options.json) {
      const reported = new Set(foundIn(latest).map(([key]) => key))
      while (await sleep(EVERY_MS, true, stopped).catch(() => false)) {
        latest = await report()
        for (const [key, client, finding] of foundIn(latest)) {
          if (!reported.has(key)) printFinding(output, client, finding)
          reported.add(key)
        }
      }
      latest = await report().catch(() => latest)
    }
  } finally {
    await api.close()
  }
  await deliver(latest)
}

const foundIn = (clients: readonly ObservedClient[]) => clients.flatMap((client) => client.findings.map((finding) =>
  [
    JSON.stringify([client.name, client.version, client.user_agent, finding.rule, finding.spec.revision]),
    client,
    finding
  ] as const))
