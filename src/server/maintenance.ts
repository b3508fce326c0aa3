/**
 * The work that a server repeats while it runs: on credentials, figures of use, sign-ins and the audit log; and the end
 * of streams whose caller may no longer read them: a revoked or expired credential, a lost membership.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Credentials } from '../access/credentials/credentials.js'
import type { Config } from '../config/config.js'
import { isolate } from '../lib/async/isolate.js'
import { startPeriodicJobs } from '../lib/async/periodic-jobs.js'
import type { UserPrincipal } from '../lib/principal.js'
import type { OpenStreams } from '../engine/http/open-streams.js'
import type { ChangeFeed } from '../planning/change-feed.js'
import { lostWorkspace } from '../planning/resources/resource-changes.js'
import type { ServerDeps } from './dependencies.js'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
/**
 * When the first run of what nothing waits for begins, in milliseconds: it would delay the start of an embedded server,
 * whose database does one thing at a time, and its first answers.
 */
const FIRST_AFTER_MS = 10_000

export const startMaintenance = (
  { auditRetentionDays: days }: Pick<Config, 'auditRetentionDays'>,
  { credentials, audit, planChanges, web, log }:
  Pick<ServerDeps, 'credentials' | 'audit' | 'planChanges' | 'web'> & { log: FastifyBaseLogger }
): ReturnType<typeof startPeriodicJobs> => {
  const later = [
    { everyMs: MINUTE_MS, work: () => credentials.markExpired() },
    ...(planChanges ? [{ everyMs: MINUTE_MS, work: () => planChanges.tidy() }] : []),
    ...(web
      ? [
          { everyMs: 5 * MINUTE_MS, work: () => web.api.usage.countHours() },
          { everyMs: 5 * MINUTE_MS, work: () => web.deleteExpired() }
        ]
      : []),
    ...(days === undefined ? [] : [{ everyMs: HOUR_MS, work: () => audit.purge(days) }])
  ]
  return startPeriodicJobs([
    // At once: after months without a server there is no partition for this month's events.
    { everyMs: HOUR_MS, work: () => audit.createPartitions() },
    ...later.map((job) => ({ ...job, firstAfterMs: FIRST_AFTER_MS }))
  ], (error) => log.error({ err: error }, 'upkeep failed'))
}

interface LostStreamsDeps {
  feed: Pick<ChangeFeed, 'watchAccess'>
  streams: OpenStreams<UserPrincipal>
  credentials: Pick<Credentials, 'refresh'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Follows the feed, and looks for expired credentials each second until the returned jobs are stopped. */
export const endLostStreams = (
  { feed, streams, credentials, log }: LostStreamsDeps
): ReturnType<typeof startPeriodicJobs> => {
  const onUnchecked = (error: unknown): void => log.error({ err: error }, 'open streams could not be checked')
  feed.watchAccess({
    isNeeded: () => streams.size > 0,
    onRevoked: isolate((credential: string) => streams.endOf(credential), onUnchecked),
    onMembershipChanged: isolate((user: string) => streams.endStale({
      concerns: (principal) => principal.user.id === user,
      isStale: lostWorkspace,
      current: credentials.refresh
    }), onUnchecked)
  })
  // Errors are ignored: the next tick retries.
  return startPeriodicJobs([{ everyMs: 1000, work: () => streams.endExpired(credentials.refresh) }], () => {})
}
