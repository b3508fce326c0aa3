/** Reads changes from the platform. A platform without this operation never reports a change. */
import type { ChangeSource } from '../../planning/change-feed.js'
import type { Platform } from './client.js'
import { listChanges } from './session-operations.js'

const NEVER = '0.0'

/**
 * The `ChangeSource` of a platform. Positions are the platform's own; without its support the position is always `0.0`.
 */
export const platformChanges = ({ requestIfSupported }: Platform): ChangeSource => ({
  position: async () => (await requestIfSupported(listChanges))?.position ?? NEVER,
  after: async (position) => (await requestIfSupported(listChanges, { query: { after: position } }))?.changes ?? [],
  recentlyRevoked: async () => (await requestIfSupported(listChanges))?.ended_credentials ?? [],
  // The platform purges its own changes.
  async purge () {}
})
