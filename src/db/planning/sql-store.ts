/** Composes the store on a database. */
import type { Queryable } from '../sql/database.js'
import { explorationDetails, explorations } from './sql-explorations.js'
import { packages, recommendations } from './sql-packages.js'
import { plans } from './sql-plans.js'
import type { Search, Store } from '../../planning/store.js'
import { workspaces } from './sql-workspaces.js'

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
    // In the name of a caller, the id of a credential: callers take turns at the database.
    forCaller: (caller) => storeOn(
      { query: (text, values, options) => db.query(text, values, { ...options, caller }) },
      { find: (request) => search.find({ ...request, caller }) })
  }
}
