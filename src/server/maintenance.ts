/** The work that a server repeats while it runs: on credentials, figures of use, sign-ins and the audit log. */
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.js'
import { startPeriodicJobs } from '../lib/periodic-jobs.js'
import type { ServerDeps } from './dependencies.js'

/** Starts the work and returns it: `stop` ends it. Errors are logged. `web` is absent without a web application. */
export const startMaintenance = (
  { auditRetentionDays: days }: Pick<Config, 'auditRetentionDays'>,
  { credentials, audit, web, log }: Pick<ServerDeps, 'credentials' | 'audit' | 'web'> & { log: FastifyBaseLogger }
): ReturnType<typeof startPeriodicJobs> => startPeriodicJobs([
  { everyMs: 60_000, work: () => credentials.markExpired() },
  ...(web
    ? [
        { everyMs: 300_000, work: () => web.api.usage.countHours() },
        { everyMs: 300_000, work: () => web.deleteExpiredSignIns() },
        { everyMs: 3_600_000, work: () => web.oauthGrants.purge() }
      ]
    : []),
  { everyMs: 3_600_000, work: () => audit.createPartitions() },
  ...(days === undefined ? [] : [{ everyMs: 3_600_000, work: () => audit.purge(days) }])
], (error) => log.error({ err: error }, 'upkeep failed'))
