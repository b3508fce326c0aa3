/** What tools and resources get with a request: the planning data in the name of its caller. */
import { lruSet } from '../lib/lru.js'
import type { UserPrincipal } from '../lib/principal.js'
import { createRecordCache } from './record-cache.js'
import { cachedStore } from './cached-store.js'
import type { ToolServices } from './tools/planning-tool.js'

const MAX_CALLERS = 1000

/**
 * Returns the function that gives the services of a caller. It remembers those of the last 1,000 callers. A caller
 * whose revisions are known gets records from memory as long as they are unchanged.
 */
export const createCallerServices = (services: ToolServices): (principal: UserPrincipal) => ToolServices => {
  const { store } = services
  const cache = createRecordCache()
  const byCaller = new Map<string, ToolServices>()
  const uncached = store.forCaller
    ? (id: string) => lruSet(
        byCaller, id, byCaller.get(id) ?? { ...services, store: store.forCaller?.(id) ?? store }, MAX_CALLERS)
    : () => services
  return ({ credential, revisions }) => {
    const forCaller = uncached(credential.id)
    return revisions ? { ...forCaller, store: cachedStore(forCaller.store, cache, revisions) } : forCaller
  }
}
