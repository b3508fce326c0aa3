/** What tools and resources get with a request: the planning data in the name of its caller. */
import { lruSet } from '../lib/lru.js'
import type { UserPrincipal } from '../lib/principal.js'
import type { ToolServices } from './tools/planning-tool.js'

const MAX_CALLERS = 1000

/** Returns the function that gives the services of a caller. It remembers those of the last 1,000 callers. */
export const createCallerServices = (services: ToolServices): (principal: UserPrincipal) => ToolServices => {
  const { store } = services
  if (!store.forCaller) return () => services
  const byCaller = new Map<string, ToolServices>()
  return ({ credential: { id } }) => lruSet(
    byCaller, id, byCaller.get(id) ?? { ...services, store: store.forCaller?.(id) ?? store }, MAX_CALLERS)
}
