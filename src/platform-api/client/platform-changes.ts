/** Reads changes from the platform. A platform without this operation never reports a change. */
import type { ChangeSource } from '../../planning/change-feed.js'
import type { Platform } from './client.js'
import { sessions } from './session-operations.js'

const NEVER = '0.0'

/**
 * The `ChangeSource` of a platform. Positions are the platform's own; without its support the position is always `0.0`.
 */
export const platformChanges = ({ requestIfSupported }: Platform): ChangeSource => ({
  position: async () => (await requestIfSupported(sessions.listChanges))?.position ?? NEVER,
  after: async (after) => (await requestIfSupported(sessions.listChanges, { query: { after } }))?.changes ?? [],
  recentlyRevoked: async () => (await requestIfSupported(sessions.listChanges))?.ended_credentials ?? [],
  // The platform purges its own changes.
  async purge () {}
})
