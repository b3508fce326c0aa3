/** What changed at a platform, for those who listen. Where it does not offer that, nothing ever does. */
import type { ChangeSource } from '../planning/change-feed.js'
import type { Platform } from './client.js'
import { listChanges } from './session-operations.js'

const NEVER = '0.0'

export const platformChanges = ({ requestIfSupported }: Platform): ChangeSource => ({
  position: async () => (await requestIfSupported(listChanges))?.position ?? NEVER,
  after: async (position) => (await requestIfSupported(listChanges, { query: { after: position } }))?.changes ?? [],
  recentlyRevoked: async () => (await requestIfSupported(listChanges))?.ended_credentials ?? [],
  // The platform sees to that.
  async purge () {}
})
