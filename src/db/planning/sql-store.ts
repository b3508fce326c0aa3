/** Composes the store on a database. */
import type { Queryable } from '../sql/database.js'
import { queryAsCaller } from '../sql/query-as-caller.js'
import { explorationDetails, explorations } from './sql-explorations.js'
import { packages } from './sql-packages.js'
import { plans } from './sql-plans.js'
import { recommendations } from './sql-recommendations.js'
import type { Search, Store } from '../../planning/store.js'
import { workspaces } from './sql-workspaces.js'

/** The planning data on `db`, with this search. */
export const sqlStore = (db: Queryable, search: Search): Store => {
  // Shared by all callers, whose reads of a moment are one statement.
  const details = explorationDetails(db)
  const storeOn = (queryable: Queryable, searchOf: Search): Store => ({
    workspaces: workspaces(queryable),
    explorations: explorations(queryable, details),
    packages: packages(queryable),
    plans: plans(queryable),
    recommendations: recommendations(queryable),
    search: searchOf
  })
  return {
    ...storeOn(db, search),
    forCaller: (caller) => storeOn(
      queryAsCaller(db, caller), { find: (request) => search.find({ ...request, caller }) })
  }
}
