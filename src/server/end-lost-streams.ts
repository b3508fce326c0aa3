/** Ends open streams whose caller may no longer read them: a revoked or expired credential, a lost membership. */
import type { FastifyBaseLogger } from 'fastify'
import type { Credentials } from '../access/credentials/credentials.js'
import { isolate } from '../lib/async/isolate.js'
import { startPeriodicJobs } from '../lib/async/periodic-jobs.js'
import type { UserPrincipal } from '../lib/principal.js'
import type { OpenStreams } from '../engine/http/open-streams.js'
import type { ChangeFeed } from '../planning/change-feed.js'
import { lostWorkspace } from '../planning/resources/resource-changes.js'

export interface LostStreamsDeps {
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
